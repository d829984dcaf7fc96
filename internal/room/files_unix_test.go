//go:build unix

package room

import (
	"syscall"
	"testing"
)

func TestFits(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	if before.Cur < 400 {
		t.Skip("this process may open few files")
	}
	few := before
	few.Cur = 400
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before) }()
	if Fits(2048) != 100 || Fits(50) != 50 {
		t.Errorf("%d, %d", Fits(2048), Fits(50))
	}
}
