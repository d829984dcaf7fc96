//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByThisUser: the file is that of the user of this process.
func ownedByThisUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(stat.Uid) == os.Geteuid()
}
