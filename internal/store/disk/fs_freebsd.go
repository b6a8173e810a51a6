package disk

import "golang.org/x/sys/unix"

const searchOnly = unix.O_SEARCH
