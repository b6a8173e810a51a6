#!/bin/sh
# Prints a folder for what go builds for tests, and for their files: one in memory where it has 3 GB and runs programs, else
# the system's place for temporary files.
room=/dev/shm
probe=$room/baton-probe-$$
if [ -w $room ] && [ "$(df -Pk $room | awk 'NR == 2 {print $4}')" -gt 3000000 ] &&
	printf '#!/bin/sh\n' >$probe && chmod +x $probe && $probe 2>/dev/null; then
	echo $room
else
	echo "${TMPDIR:-/tmp}"
fi
rm -f $probe
