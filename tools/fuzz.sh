#!/bin/sh
# Runs one fuzz target: fuzz.sh PACKAGE TARGET. It runs for the time FUZZ with one worker, because make fuzz runs one target
# per processor.
#
# The fuzzer sometimes reports the end of its time as a failure: "context deadline exceeded" and nothing else
# (golang/go#75804). A real finding always names its input, and a hang or a crash says so.
set -eu
log="bin/fuzz-$(basename "$1")-$2.log"
echo "fuzz $1 $2 $FUZZ"
if "$GO" test "$1" -run '^$' -fuzz "^$2\$" -fuzztime "$FUZZ" -fuzzminimizetime 1s -parallel 1 >"$log" 2>&1; then
	exit 0
fi
if grep -qE 'Failing input|panic|hung or terminated|exit status [02-9]' "$log" || ! grep -qx '    context deadline exceeded' "$log"; then
	cat "$log"
	exit 255 # xargs begins no further target
fi
