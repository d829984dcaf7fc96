//go:build linux || darwin || freebsd || netbsd || openbsd

package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// quiet is how long nothing must have been typed before a question is open for answers.
// It is longer than the pauses of somebody who types, and shorter than anybody reads.
const quiet = 250 * time.Millisecond

// maxLine is how long a line may be. Terminals themselves mostly end at 4096 bytes.
const maxLine = 1 << 20

// tty is the terminal that controls this process. It is read with select: a question
// that somebody else answers must not wait for the keyboard.
type tty struct {
	fd   int
	wake [2]int // a pipe that ends a wait
}

// openDevice opens the terminal, also where standard input is something else.
func openDevice() (device, error) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, fmt.Errorf("there is no terminal to ask on: /dev/tty: %w", err)
	}
	t := &tty{fd: fd}
	if err := unix.Pipe(t.wake[:]); err != nil {
		return nil, errors.Join(fmt.Errorf("the terminal cannot be used: %w", err), unix.Close(fd))
	}
	unix.CloseOnExec(t.wake[0])
	unix.CloseOnExec(t.wake[1])
	if max(fd, t.wake[0]) >= unix.FD_SETSIZE { // select could not tell them apart
		return nil, errors.Join(errors.New("the terminal cannot be used: too many files are open"), t.close())
	}
	return t, nil
}

func (t *tty) close() error {
	return errors.Join(unix.Close(t.fd), unix.Close(t.wake[0]), unix.Close(t.wake[1]))
}

func (t *tty) Write(data []byte) (int, error) {
	done := 0
	for done < len(data) {
		n, err := unix.Write(t.fd, data[done:])
		if err == unix.EINTR || err == unix.EAGAIN {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func (t *tty) width() int {
	if size, err := unix.IoctlGetWinsize(t.fd, unix.TIOCGWINSZ); err == nil && size.Col > 0 {
		return int(size.Col)
	}
	return 80
}

// whenContinued calls f whenever the process goes on after it was stopped, until stop.
func whenContinued(f func()) (stop func()) {
	ch, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(ch, unix.SIGCONT)
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-ch:
				f()
			case <-over:
				return
			}
		}
	})
	return func() {
		signal.Stop(ch)
		close(over)
		watching.Wait()
	}
}

// fresh watches the keys themselves for a while: as long as lines are edited, nobody but
// the terminal knows of one that has been begun. Keys that signal still do.
func (t *tty) fresh(ctx context.Context) error {
	before, err := unix.IoctlGetTermios(t.fd, getTermios)
	if err != nil {
		return fmt.Errorf("the terminal cannot be used: %w", err)
	}
	watching := *before
	watching.Lflag &^= unix.ICANON | unix.ECHO
	watching.Cc[unix.VMIN], watching.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(t.fd, setAndFlush, &watching); err != nil {
		return fmt.Errorf("the terminal cannot be used: %w", err)
	}
	err = t.untilQuiet(ctx)
	return errors.Join(err, unix.IoctlSetTermios(t.fd, setAndFlush, before))
}

func (t *tty) untilQuiet(ctx context.Context) error {
	var discard [512]byte
	for {
		typed, err := t.wait(ctx, quiet)
		if err != nil || !typed {
			return err
		}
		if n, err := t.read(discard[:]); err != nil || n == 0 {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
	}
}

// line reads a line as the terminal has edited it.
func (t *tty) line(ctx context.Context) (string, error) {
	var text strings.Builder
	buffer := make([]byte, 4096)
	for text.Len() < maxLine {
		if _, err := t.wait(ctx, 0); err != nil {
			return "", err
		}
		n, err := t.read(buffer)
		if err != nil {
			return "", err
		}
		if n == 0 {
			return "", io.EOF
		}
		if end := bytes.IndexByte(buffer[:n], '\n'); end >= 0 {
			text.Write(buffer[:end])
			return text.String(), nil
		}
		text.Write(buffer[:n]) // the person ended the input in the middle of a line
	}
	return "", errors.New("the line is too long")
}

func (t *tty) read(buffer []byte) (int, error) {
	for {
		n, err := unix.Read(t.fd, buffer)
		if err != unix.EINTR {
			return n, err
		}
	}
}

// wait waits until something can be read; a limit of 0 means for ever. It says whether
// something can.
func (t *tty) wait(ctx context.Context, limit time.Duration) (bool, error) {
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(woken)
		_, _ = unix.Write(t.wake[1], []byte{0})
	})
	defer func() {
		if !stop() { // what was written must not end the next wait
			<-woken
			var one [1]byte
			_, _ = unix.Read(t.wake[0], one[:])
		}
	}()
	end := time.Now().Add(limit)
	for {
		var left *unix.Timeval
		if limit > 0 {
			v := unix.NsecToTimeval(max(0, time.Until(end)).Nanoseconds())
			left = &v
		}
		var set unix.FdSet
		set.Set(t.fd)
		set.Set(t.wake[0])
		n, err := unix.Select(max(t.fd, t.wake[0])+1, &set, nil, nil, left)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return false, fmt.Errorf("the terminal cannot be read: %w", err)
		case ctx.Err() != nil:
			return false, ctx.Err()
		}
		return n > 0, nil
	}
}
