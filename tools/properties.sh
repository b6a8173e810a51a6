#!/bin/sh
# Checks every property of the module with CHECKS cases, which are new in every run. make properties calls it. A failure says
# which seed repeats it.
set -eu
unset RAPID_SEED
export RAPID_CHECKS="$CHECKS"
grep -rlE '(rapid|laws)\.Check\(' --include=*_test.go internal | sort | while read -r file; do
	awk -v dir="./$(dirname "$file")" '/^func /{split($2, name, "(")} /(rapid|laws)\.Check\(/{print dir, name[1]}' "$file"
done | sort -u | awk '{tests[$1] = tests[$1] "|" $2} END {for (dir in tests) print dir, substr(tests[dir], 2)}' | sort | while read -r dir names; do
	"$GO" test -count=1 -timeout 30m -run "^($names)\$" "$dir"
done
