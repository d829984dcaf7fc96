//go:build !linux

package depot

import "time"

// uptime is not known here: the clock on the wall goes on while the machine is asleep.
func uptime() time.Duration { return 0 }
