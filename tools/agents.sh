#!/bin/sh
# Installs coding agents from npm in the versions that test/agents was written for, the tools that test the MCP server, and
# Node 22, on which they run.
#
#   tools/agents.sh DIR [claude|codex|copilot|gemini|qwen|opencode|inspector|conformance]…
#
# Each agent has a folder below DIR. What is already installed is not fetched again. If the registry does not answer, the
# script says so and succeeds: the tests skip what is missing.
set -u

dir=${1:?usage: tools/agents.sh DIR [agent…]}
shift
[ $# -gt 0 ] || set -- claude codex copilot gemini qwen opencode
mkdir -p "$dir" || exit 1
dir=$(cd "$dir" && pwd) || exit 1

# The packages of an agent, NAME@VERSION; the first one shows what is installed.
packages() {
	case $1 in
	node) echo node@22.23.3 ;;
	claude) echo @anthropic-ai/claude-code@2.1.328 ;;
	codex) echo @openai/codex@0.169.0 ;;
	copilot) echo @github/copilot@1.0.102 ;;
	gemini) echo @google/gemini-cli@0.61.0 ;;
	qwen) echo @qwen-code/qwen-code@0.24.4 ;;
	opencode) echo opencode-ai@1.18.33 ;;
	inspector) echo @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/conformance@0.1.16 ;;
	conformance) echo @modelcontextprotocol/conformance@0.2.0-alpha.12 ;;
	*) return 1 ;;
	esac
}

# installed NAME: is the first package of NAME there in its version, and did its installation finish?
installed() {
	first=$(packages "$1" | cut -d' ' -f1)
	[ ! -f "$dir/$1/incomplete" ] && grep -qs "\"version\": *\"${first##*@}\"" "$dir/$1/node_modules/${first%@*}/package.json"
}

# answers: does the registry answer? Asked once.
answers() {
	[ -n "${registry:-}" ] || {
		registry=no
		if ! command -v npm >/dev/null 2>&1; then
			echo "agents: npm is not installed"
		elif npm view node version --fetch-retries=0 --fetch-timeout=10000 >/dev/null 2>&1; then
			registry=yes
		else
			echo "agents: the npm registry does not answer"
		fi
	}
	[ "$registry" = yes ]
}

# With an older Node, npm silently installs older versions of some agents, so Node 22 comes first on PATH.
install() {
	if installed "$1"; then
		return 0
	fi
	if ! answers; then
		echo "agents: $1 is not installed and could not be fetched: $(packages "$1")"
		return 1
	fi
	echo "agents: installing $(packages "$1") into $dir/$1"
	rm -rf "${dir:?}/$1/node_modules"
	mkdir -p "$dir/$1" && : >"$dir/$1/incomplete"
	[ -f "$dir/$1/package.json" ] || echo '{"private":true}' >"$dir/$1/package.json"
	# shellcheck disable=SC2046 # several packages are several words
	if (cd "$dir/$1" && PATH="$dir/node/node_modules/node/bin:$PATH" npm install --no-audit --no-fund --loglevel=error $(packages "$1")); then
		rm -f "$dir/$1/incomplete"
	else
		echo "agents: $1 could not be installed: $(packages "$1")"
		return 1
	fi
}

for name in "$@"; do
	packages "$name" >/dev/null || {
		echo "agents: unknown agent $name" >&2
		exit 2
	}
done
install node || exit 0
for name in "$@"; do
	install "$name"
done
exit 0
