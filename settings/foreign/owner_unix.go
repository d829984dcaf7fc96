//go:build !windows

package foreign

import (
	"io/fs"
	"os"
	"syscall"
)

// ours: the file belongs to the user who runs this.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
