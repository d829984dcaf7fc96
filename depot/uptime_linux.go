package depot

import (
	"time"

	"golang.org/x/sys/unix"
)

// uptime is how long the machine has been there, asleep or not.
func uptime() time.Duration {
	var since unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &since) != nil {
		return 0
	}
	return time.Duration(since.Nano())
}
