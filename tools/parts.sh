#!/bin/sh
# Runs targets of the Makefile one after another and prints at the end how many seconds each took.
#
#   tools/parts.sh TARGET…
set -u

report= all=0 status=0
for part; do
	began=$(date +%s)
	"${MAKE:-make}" --no-print-directory "$part" || status=$?
	took=$(($(date +%s) - began))
	all=$((all + took))
	report="$report$(printf '%5d s  %s' "$took" "$part")
"
	[ $status = 0 ] || break
done
echo
printf '%s%5d s  in all\n' "$report" "$all"
if [ $status = 0 ]; then
	echo "make test: all passed"
else
	echo "make test: $part failed"
fi
exit $status
