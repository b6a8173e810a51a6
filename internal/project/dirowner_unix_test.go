//go:build unix

package project

import (
	"io/fs"
	"syscall"
)

func sameOwner(a, b fs.FileInfo) bool {
	x, y := a.Sys().(*syscall.Stat_t), b.Sys().(*syscall.Stat_t)
	return x.Uid == y.Uid && x.Gid == y.Gid
}
