#!/bin/sh
# Prints a folder for the programs that go builds for tests, and for their files: one in memory if it has 3 GB and can run
# programs, else the system's temporary folder.
room=/dev/shm
probe=$room/baton-probe-$$
if [ -w $room ] && [ "$(df -Pk $room | awk 'NR == 2 {print $4}')" -gt 3000000 ] &&
	printf '#!/bin/sh\n' >$probe && chmod +x $probe && $probe 2>/dev/null; then
	echo $room
else
	echo "${TMPDIR:-/tmp}"
fi
rm -f $probe
