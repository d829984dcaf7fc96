//go:build unix

package testlimit

import (
	"syscall"
	"time"
)

// used is how long the processor has worked for this process. The clock of a busy machine would
// prove nothing.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
