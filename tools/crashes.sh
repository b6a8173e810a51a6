#!/bin/sh
# Runs tests of crashes and prints how many crashes each of them tried; of failures it prints everything.
#
#   tools/crashes.sh go test -v …
set -u

out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
trap 'exit 130' INT TERM
status=0
"$@" >"$out" 2>&1 || status=$?
[ $status = 0 ] || grep -v '^=== ' "$out"
awk '
	/^=== (RUN|CONT|NAME) / { test = $3; sub("/.*", "", test) }
	/: [0-9]+ crashes$/ { tried[test] += $(NF - 1); all += $(NF - 1) }
	END {
		for (test in tried) printf "%8d crashes  %s\n", tried[test], test | "sort -k3"
		close("sort -k3")
		printf "%8d crashes  in all\n", all
	}
' "$out"
exit $status
