package driver

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/assent-dev/assent/internal/process"
)

// launch starts the program and those who look after it.
func (d *Driver) launch() error {
	stdin, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stdin.Close()
	path := d.options.Path
	if filepath.Base(path) != path {
		if path, err = filepath.Abs(path); err != nil {
			_ = writer.Close()
			return err
		}
	}
	cmd := exec.Command(path, d.options.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = d.options.Dir, d.options.Env, stdin
	d.out = newOutbox(writer, cmp.Or(d.options.maxUnread, maxUnread))
	// Nothing of the program is read before the driver knows its group.
	known := make(chan struct{})
	d.group, err = process.Start(cmd, func(piece []byte) { <-known; d.in.take(piece) }, d.stderr.add)
	if err != nil {
		d.out.abandon()
		return startError(d.options.Path, err)
	}
	d.process = cmd.Process
	close(known)
	go d.out.run()
	go d.in.run()
	go d.supervise()
	return nil
}

func startError(path string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the program %s cannot be started: %w (give its path, or put it into a directory of PATH)", path, err)
	case errors.Is(err, syscall.E2BIG):
		return fmt.Errorf("the program %s cannot be started: %w (the system prompt or another option is too long for a command line)", path, err)
	}
	return fmt.Errorf("the program %s cannot be started: %w", path, err)
}

// moment is how long a program may take to end that cannot be heard, or spoken to, any
// more: mostly it is about to.
const moment = time.Second

// supervise waits for the end of the program, or brings it about, and clears up behind
// it.
func (d *Driver) supervise() {
	cause := d.awaitEnd()
	d.in.release() // nobody who reads waits for those who are told
	state := d.group.Release()
	d.out.abandon()
	d.die()
	// Only now all that it has printed was taken.
	d.in.last(cause != nil || !state.Success())
	if wrong := d.in.wrong; wrong != nil && !errors.Is(cause, wrong) {
		cause = errors.Join(cause, wrong)
	}
	d.mu.Lock()
	d.exit = ExitError{Program: d.options.Path, Status: state.String(), Code: state.ExitCode(), Stderr: d.stderr.String(), Cause: cause}
	if signal := process.Signal(state); signal != "" {
		d.exit.Status = signal
	}
	d.mu.Unlock()
	close(d.gone)
	d.in.end()
}

// awaitEnd waits until the program has ended, or should be killed; the error is why it
// could not be left to itself. What it has printed last may not be read yet.
func (d *Driver) awaitEnd() error {
	var cause error
	wait := moment
	select {
	case <-d.group.Exited():
		return nil
	case <-d.group.StdoutClosed():
		cause = ErrOutputClosed
	case <-d.out.broken:
		cause = ErrInputClosed
	case cause = <-d.failing:
		wait = 0
	case <-d.closing:
		cause, wait = ErrStubborn, d.options.Patience.End
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-d.group.Exited():
			return nil
		case cause = <-d.failing:
		case <-timer.C:
		case <-d.hurry:
		}
	}
	if d.process.Signal(syscall.SIGTERM) == nil {
		timer := time.NewTimer(d.options.Patience.Term)
		defer timer.Stop()
		select {
		case <-d.group.Exited():
		case <-timer.C:
		case <-d.hurry:
		}
	}
	return cause
}

// fail has the program ended. Only the first reason counts.
func (d *Driver) fail(why error) {
	select {
	case d.failing <- why:
	default:
	}
}

// exited says how the program ended, to somebody who did not expect it.
func (d *Driver) exited() *ExitError {
	<-d.gone
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reported = true
	exit := d.exit
	exit.Last = d.last
	return &exit
}

// tail keeps the end of what the program says on stderr.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 8 << 10

func (t *tail) add(piece []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	piece = piece[max(0, len(piece)-tailSize):]
	if drop := len(t.text) + len(piece) - tailSize; drop > 0 {
		t.text = append(t.text[:0], t.text[drop:]...)
	}
	t.text = append(t.text, piece...)
}

// String is the text without what could play tricks on a terminal.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(string(t.text), "\uFFFD")))
}
