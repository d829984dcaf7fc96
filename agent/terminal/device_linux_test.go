package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// keyboard is the other end of a terminal.
func keyboard(t *testing.T) (*os.File, *tty) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := unix.Open(fmt.Sprintf("/dev/pts/%d", number), unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	dev := &tty{fd: slave}
	if err := unix.Pipe(dev.wake[:]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dev.close() })
	return master, dev
}

func types(t *testing.T, master *os.File, text string) {
	t.Helper()
	if _, err := master.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func TestDeviceReadsLines(t *testing.T) {
	master, dev := keyboard(t)
	types(t, master, "one\ntwo\n\nthr\x04ee\nlast\x04\x04")
	for _, want := range []string{"one", "two", "", "three"} {
		if got, err := dev.line(t.Context()); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if got, err := dev.line(t.Context()); got != "" || err != io.EOF {
		t.Errorf("half a line and the end: %q, %v", got, err)
	}
}

// What was typed before is gone, be it lines or the beginning of one.
func TestDeviceIsFresh(t *testing.T) {
	for _, before := range []string{"y\n", "y", "y\ny\ny", "\x04", strings.Repeat("y", 3000)} {
		master, dev := keyboard(t)
		settings, err := unix.IoctlGetTermios(dev.fd, getTermios)
		if err != nil {
			t.Fatal(err)
		}
		types(t, master, before)
		if err := dev.fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now, err := unix.IoctlGetTermios(dev.fd, getTermios); err != nil || *now != *settings {
			t.Errorf("%.10q: the settings are %+v, %v", before, now, err)
		}
		types(t, master, "n\n")
		if got, err := dev.line(t.Context()); got != "n" || err != nil {
			t.Errorf("%.10q: %q, %v", before, got, err)
		}
	}
}

// A wait that was ended leaves nothing behind: neither what was half typed, nor an end
// for the next one.
func TestDeviceIsLeft(t *testing.T) {
	master, dev := keyboard(t)
	types(t, master, "hal")
	if _, err := io.ReadFull(master, make([]byte, 3)); err != nil { // its echo: it has arrived
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := dev.line(ctx)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := dev.fresh(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	types(t, master, "n\n")
	if got, err := dev.line(t.Context()); got != "n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestDeviceIsGone(t *testing.T) {
	master, dev := keyboard(t)
	master.Close()
	if got, err := dev.line(t.Context()); got != "" || err == nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := dev.fresh(t.Context()); err == nil {
		t.Error("there is nobody who could answer")
	}
	if _, err := dev.Write([]byte("hello")); err == nil {
		t.Error("nobody reads it")
	}
}

// Who goes on after a stop is shown what waits for them, until the terminal is given back.
func TestWhenContinued(t *testing.T) {
	again := make(chan struct{}, 1)
	stop := whenContinued(func() { again <- struct{}{} })
	if err := unix.Kill(os.Getpid(), unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	<-again
	stop()
}
