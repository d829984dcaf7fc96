//go:build unix

package room

import "syscall"

// Fits is how many of something this process can have open: the number that is wanted, or a quarter
// of the files that the system lets it open. The rest is for the database and everything else.
func Fits(wanted int) int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return wanted
	}
	const share = 4
	return int(min(uint64(wanted), max(uint64(limit.Cur)/share, 1))) // it is signed on some systems
}
