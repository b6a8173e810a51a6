# `make demo` and `make test` do all the set-up that they need. `make help` lists the other targets.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X baton/internal/cli/app.version=$(VERSION)
PREFIX  ?= /usr/local
FUZZ    ?= 5s
TIME    ?= 60s
MERGES  ?= 300
WIPES   ?= 500
REPAIRS  ?= 300
FARMS   ?= 20
WAITS   ?= 1000
PLAYS   ?= 200
CHECKS  ?= 1000
SEED    ?= 1
AGENTS  ?= claude codex copilot gemini qwen $(if $(BATON_AGENTS_SLOW),opencode)
JUDGES   = inspector conformance
SOURCE   = cmd demo internal test tools
GSD     ?= 1.11.0 1.14.0
AGENTS_DIR = $(or $(BATON_AGENTS_DIR),$(HOME)/.cache/baton-agents)

# Programs, tests and checks are compiled with the same settings, so that each package is compiled once. Debug information would take
# a fifth of the time, and the programs that make builds are stripped anyway. Calls that the compiler copies into their callers would
# make baton 0.8 MiB larger and not faster (ADR 8), so its own packages are compiled without (-l).
SETTINGS := -trimpath -gcflags=all=-dwarf=false '-gcflags=baton/...=-dwarf=false -l'
export CGO_ENABLED := 0
export GOFLAGS := $(strip $(filter-out $(SETTINGS),$(GOFLAGS)) $(SETTINGS))

# The race detector needs cgo and a C compiler. Without them its tests are skipped, with a message.
RACE = $(shell command -v $$($(GO) env CC) >/dev/null 2>&1 && CGO_ENABLED=1 $(GO) list -race runtime/race 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help build install demo demo-all test check judges-note programs unit races race-sample properties fuzz-sample fuzz torture-sample torture crashes shuffled merges wipes repairs farm waits budget test-agents test-agents-ci originals originals-ci bench cross fmt clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{ \
		line = sprintf("  make %-15s", $$1); n = split($$2, words, " "); \
		for (i = 1; i <= n; i++) { \
			if (length(line) + 1 + length(words[i]) > 80) { print line; line = sprintf("%22s", "") } \
			line = line " " words[i] } \
		print line }' $(MAKEFILE_LIST)

build: ## build bin/baton and bin/batond
	@mkdir -p bin
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/baton ./cmd/batond

install: build ## install both programs below PREFIX (default /usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 bin/baton bin/batond $(DESTDIR)$(PREFIX)/bin/

demo: build ## build, then see in eight scenes what baton does
	@$(GO) run ./demo -baton bin/baton

demo-all: build ## build, then see every part of baton: a relay of tasks, digests, the working folder
	@$(GO) run ./demo -baton bin/baton -all

# Compilers and tests run for seconds, so not collecting garbage below half a gigabyte saves a quarter of their time. Budgets use Go's
# defaults.
check unit shuffled race-sample races fuzz-sample crashes: export GOGC := off
check unit shuffled race-sample races fuzz-sample crashes: export GOMEMLIMIT := 500MiB

test: ## all checks and tests except those with real agents, and how long each part took
	@MAKE="$(MAKE)" sh tools/parts.sh check unit race-sample fuzz-sample torture-sample budget

# gofumpt reads every Go file, including those that no build on this system includes. One pass of go vet runs vet and staticcheck with
# all tags, because each of them alone would load and check all packages again. The tools have their own module. Other systems are not
# vetted: Go would first compile its library for each of them, which takes a minute from empty caches. TestF85 checks the types there.
check: bin/tools/gofumpt bin/tools/lint ## format, vet, staticcheck, tidy
	@unformatted="$$(bin/tools/gofumpt -l $(SOURCE))" && [ -z "$$unformatted" ] || { echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; }
	$(GO) vet -vettool=$(CURDIR)/bin/tools/lint -tags budget,agents,originals ./...
	$(GO) mod tidy -diff

# One command builds both tools, because two of them would wait for each other's last packages.
bin/tools/lint: tools/go.mod tools/go.sum tools/lint/main.go
	@mkdir -p bin/tools
	cd tools && $(GO) build -o ../bin/tools/ ./lint mvdan.cc/gofumpt

bin/tools/gofumpt: bin/tools/lint

# The protocol's own inspector and conformance suite come from npm, so they test the MCP server in make test-agents.
judges-note:
	@echo "the MCP inspector and its conformance suite run in make test-agents"

# The programs that tests start. They always have the same version, and a file is replaced only if its content has changed: so go test
# need not run the tests that start them again.
programs:
	@mkdir -p bin/tested
	$(GO) build -buildvcs=false -ldflags '-s -w -X baton/internal/cli/app.version=v0.0.0-test' -o bin/tested/new/ ./cmd/baton ./cmd/batond
	@for program in bin/tested/new/*; do \
		cmp -s $$program bin/tested/$${program##*/} || cp $$program bin/tested/ || exit 1; \
	done

# Tests create thousands of small files, which takes half as long in memory. GOTMPDIR would override TMPDIR, so it stays unset. Property
# tests and samples of crashes draw from SEED, so a test that passed passes again.
TESTING = GOTMPDIR= TMPDIR="$$(sh tools/roomy.sh)" RAPID_SEED=$(SEED) BATON_SEED=$(SEED) \
	BATON_PROGRAMS="$(CURDIR)/bin/tested"

# The packages that take longest come first, so that none of them runs alone at the end. The number of packages tested at a time is one
# more than there are processors, because some tests wait.
LONGEST   = ./internal/mcpserver ./test/replay ./internal/selftest ./test/docs ./test/farm ./internal/cli ./internal/project \
	./internal/store/... ./test/arch
AT_A_TIME = -p $$(expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)

# Go runs the tests of a package again only if its code has changed.
unit: programs judges-note ## unit, script and crash tests, import rules, types on other systems
	$(TESTING) $(GO) test -vet=off $(AT_A_TIME) $(LONGEST) ./...

shuffled: programs ## unit in the random order that SEED gives
	$(TESTING) $(GO) test -vet=off -shuffle=$(SEED) ./...

# Packages that start goroutines, and those whose tests call them. test/arch compares the list with the code.
RACED = cli/agents cli/app gitrepo hook mcpserver parallel project selftest store/disk store/filestore store/history
# Of the large ones, make test only runs the tests whose names speak of concurrency. It leaves out those that need the libraries of the
# MCP server or of the command line, which take as long to compile for the race detector as everything else: make races runs them.
LARGE   = project store/filestore store/history
SERVING = mcpserver selftest cli/agents cli/app
AT_ONCE = AtOnce|Many|Race|Side|Queue|Twenty|TwoProcesses|UnderItsLock|LockedProject|Interrupt|Pipes|NeverEnds|Drain|Outbox|Stdio|HTTP|Serve|Watch|Live|Cancel|Late

race-sample: programs
	@if [ -n "$(RACE)" ]; then \
		export CGO_ENABLED=1 $(TESTING); \
		$(GO) test -vet=off -race $(AT_A_TIME) $(patsubst %,./internal/%,$(filter-out $(SERVING) $(LARGE),$(RACED))) && \
		$(GO) test -vet=off -race $(AT_A_TIME) -run '$(AT_ONCE)' $(LARGE:%=./internal/%); \
	else \
		echo "no C compiler found: nothing runs with the race detector"; \
	fi

races: programs ## every test of the packages that start goroutines, with the race detector
	$(TESTING) CGO_ENABLED=1 $(GO) test -vet=off -race $(AT_A_TIME) -shuffle=$(SEED) $(RACED:%=./internal/%)

properties: ## check every property with CHECKS (default 1000) new cases
	@GO=$(GO) CHECKS=$(CHECKS) sh tools/properties.sh

# Every fuzz target of the module, found by name: package and target, one per line.
FUZZERS = $$(grep -rlE '^func Fuzz[A-Za-z0-9_]*\(f \*testing.F\)' --include=*_test.go internal | sort | while read -r f; do sed -nE "s,^func (Fuzz[A-Za-z0-9_]*)\(f .*,./$$(dirname $$f) \1,p" $$f; done | sort -u)

fuzz-sample:
	$(GO) test -vet=off -run '^Fuzz' $$(grep -rlE '^func Fuzz' --include=*_test.go internal | sed 's,/[^/]*$$,,;s,^,./,' | sort -u)

fuzz: ## run every fuzz target for FUZZ (default 5s) each
	@mkdir -p bin
	@[ -n "$(FUZZERS)" ] || { echo "no fuzz target found"; exit 1; }
	@echo "$(FUZZERS)" | GO=$(GO) FUZZ=$(FUZZ) xargs -L 1 -P "$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" sh tools/fuzz.sh

torture-sample: programs
	bin/tested/baton selftest --time 20s --seed $(SEED)

torture: programs ## writers, kills and recovery with real processes for TIME (default 60s), and every pair of crashes
	bin/tested/baton selftest --time $(TIME) --changes 0
	@$(MAKE) --no-print-directory crashes

crashes: ## a crash at every step of every scenario, and how many there were; unit takes a sample from SEED
	BATON_CRASHES=all sh tools/crashes.sh $(GO) test -vet=off -count=1 -v -timeout 30m ./internal/store/...
	BATON_CRASHES=all sh tools/crashes.sh $(GO) test -vet=off -count=1 -v -timeout 30m -run Crash ./internal/project

merges: ## play MERGES (default 300) random histories of branches and of worktrees through git's merge, squash, rebase, cherry-pick and stash pop
	BATON_MERGES=$(MERGES) BATON_SEED=$(SEED) $(GO) test -count=1 -timeout 30m -run '^TestD40_NothingIsLostIn(Merges|Worktrees)' ./internal/cli

wipes: ## let an agent damage documents WIPES (default 500) times between commits, at random, beginning at SEED (default 1)
	BATON_WIPES=$(WIPES) BATON_SEED=$(SEED) $(GO) test -count=1 -timeout 30m -run '^TestD9_WhatAnAgentWipesIsOffered$$' ./internal/project

waits: ## play WAITS (default 1000) random scripts of each client through its hooks, and compare baton waiting with a model
	BATON_WAITS=$(WAITS) BATON_SEED=$(SEED) GOTMPDIR= TMPDIR="$$(sh tools/roomy.sh)" $(GO) test -count=1 -timeout 30m -run '^TestWhatWaitingShowsIsWhatTheModelSays$$' ./internal/hook

repairs: ## damage REPAIRS (default 300) histories at random, do all that baton recommends, and compare; beginning at SEED (default 1)
	BATON_REPAIRS=$(REPAIRS) BATON_VERSIONS=180 BATON_SEED=$(SEED) $(GO) test -count=1 -timeout 30m -run '^TestD44_(WhatBaton|ADigest)' ./internal/cli

farm: programs ## let 8 worktrees drain FARMS (default 20) graphs of 40 tasks, with kills, beginning at SEED (default 1)
	$(TESTING) BATON_FARMS=$(FARMS) $(GO) test -vet=off -count=1 -v -timeout 60m ./test/farm

# Data that other tests left to be written to the disk would count as baton's, so it is written first, and the disk gets a pause.
budget: ## time and size, compared with an empty program in the same run
	@sync; sleep 5
	$(GO) test -vet=off -tags budget -count=1 -p 1 -timeout 10m ./test/budget

test-agents: ## run real coding agents from npm against scripted models, on loopback only
	sh tools/agents.sh "$(AGENTS_DIR)" $(AGENTS) $(JUDGES)
	BATON_AGENTS_DIR="$(AGENTS_DIR)" $(GO) test -vet=off -tags agents -count=1 -timeout 30m $(if $(SAMPLE),-short) ./test/agents
	BATON_AGENTS_DIR="$(AGENTS_DIR)" $(if $(SAMPLE),$(GO) test -vet=off -run '$(JUDGED)',$(if $(RACE),CGO_ENABLED=1) $(GO) test $(if $(RACE),-race)) -count=1 ./internal/mcpserver

# The tests of the server with the protocol's own inspector and conformance suite. The sample runs only these, because make test has run
# the others, and without the race detector, for which the server's libraries would be compiled again.
JUDGED = Inspector|Conformance

# The agents are required only if the network can be shut off, too. One of them runs a relay.
test-agents-ci: ## what CI runs of test-agents: two agents, if npm answers
	@if npm view node version --fetch-retries=0 --fetch-timeout=10000 >/dev/null 2>&1 && unshare -rn true 2>/dev/null; then \
		BATON_AGENTS=require:claude,codex $(MAKE) --no-print-directory test-agents AGENTS="claude codex" SAMPLE=1; \
	else \
		echo "real agents are not run: the npm registry does not answer, or there are no network namespaces"; \
	fi

# GSD comes from npm; SpecFlow and devt are in no registry. PLAYED chooses the tests.
originals: programs ## let GSD, SpecFlow and devt play PLAYS (default 200) random alternations with baton, beginning at SEED (default 1)
	sh tools/originals.sh "$(AGENTS_DIR)" $(GSD)
	@[ -n "$(BATON_ORIGINALS)$(PLAYED)" ] || echo "BATON_ORIGINALS is not set, so SpecFlow and devt do not play: it names a folder with checkouts, specflow/ and devt/"
	$(TESTING) BATON_AGENTS_DIR="$(AGENTS_DIR)" BATON_ALTERNATIONS=$(PLAYS) BATON_ORIGINALS="$(abspath $(BATON_ORIGINALS))" $(GO) test -vet=off -tags originals -count=1 -timeout 60m $(if $(PLAYED),-run '$(PLAYED)') ./test/originals

originals-ci: ## what CI runs of originals: 20 alternations with the newest GSD, if npm answers
	@if npm view node version --fetch-retries=0 --fetch-timeout=10000 >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory originals PLAYS=20 GSD=$(lastword $(GSD)) PLAYED='GSD.*/$(lastword $(GSD))'; \
	else \
		echo "GSD does not play beside baton: npm is not installed, or its registry does not answer"; \
	fi

bench: ## print what the documentation claims
	$(GO) test -run '^$$' -bench . -benchmem ./internal/...
	$(GO) test -tags budget -count=1 -v -p 1 -timeout 20m ./test/budget

cross: ## build both programs for every supported system
	@for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
		echo "build $$target"; \
		GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -o /dev/null ./cmd/baton && \
		GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -o /dev/null ./cmd/batond || exit 1; \
	done

fmt: bin/tools/gofumpt ## format the source
	bin/tools/gofumpt -w $(SOURCE)

clean: ## remove what was built
	rm -rf bin
