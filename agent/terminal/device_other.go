//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package terminal

import "errors"

func whenContinued(func()) (stop func()) { return func() {} }

func openDevice() (device, error) {
	return nil, errors.New("questions on the terminal do not work on this system yet (use -p)")
}
