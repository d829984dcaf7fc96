package foreign

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// withoutRights does something as a user for whom permissions count. Builds in
// containers usually run as root, which may read and write everything.
func withoutRights(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	runtime.LockOSThread() // it is the thread that becomes somebody else
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Error(err)
		}
	}()
	do()
}
