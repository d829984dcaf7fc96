package main

import (
	"errors"
	"os"
	"syscall"
)

// Windows has neither such pipes nor such signals nor such locks: what needs them fails
// and says so.

func makePipe(string) error { return errors.ErrUnsupported }

func kill(int, syscall.Signal) error { return errors.ErrUnsupported }

func lockShared(*os.File) error { return errors.ErrUnsupported }

func lockAlone(*os.File) error { return errors.ErrUnsupported }
