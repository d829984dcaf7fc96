// Package testlimit makes a test fail on an input that takes too much: a judgement must come soon
// and must not end the process, whatever the text is.
package testlimit

import (
	"fmt"
	"runtime/debug"
	"testing"
	"time"
)

const (
	// Stack is how much of it an input may use. A full stack ends the process, so that a target
	// which lets a text drive its recursion fails at once, and not only for texts of a gigabyte.
	Stack = 16 << 20
	// Time is how long the processor may work on one input.
	Time = slower * time.Second
)

// Watch holds one input to the limits until done is called: defer testlimit.Watch(t)().
func Watch(t testing.TB) (done func()) {
	t.Helper()
	debug.SetMaxStack(Stack)
	began := used()
	var watchdog *time.Timer
	watchdog = time.AfterFunc(2*Time, func() {
		if worked := used() - began; worked > 2*Time {
			panic(fmt.Sprintf("%s: one input takes more than %v", t.Name(), worked))
		}
		watchdog.Reset(2 * Time) // the machine has other work to do
	})
	return func() {
		watchdog.Stop()
		if worked := used() - began; worked > Time {
			t.Errorf("the input took %v, want at most %v", worked, Time)
		}
	}
}
