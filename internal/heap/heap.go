// Package heap says how much room the garbage of a program may take.
package heap

import (
	"os"
	"runtime/debug"
)

// percent is how much garbage there may be in relation to what is in use. A server of ours uses
// less than four megabytes, so with Go's 100 there is a collection at every second call that
// somebody approves, and whoever waits for the call waits for it: a tenth of the time. For that
// it takes sixteen megabytes.
const percent = 400

// Roomy is for a program that goes on for long and in which people wait for single things. What
// the environment says about the collector holds.
func Roomy() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
