//go:build !unix

package testlimit

import "time"

var start = time.Now()

// used is how long this process runs, where nothing says how much of that it worked.
func used() time.Duration { return time.Since(start) }
