//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// typist is a person at a terminal on which the agent runs. Everything that the process
// prints, to whatever, is on the screen.
type typist struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	// screen is what was printed, seen how much of it has been looked at.
	screen bytes.Buffer
	seen   int
	ended  chan error
}

// sit starts the agent on a terminal of its own.
func (p *place) sit(env []string, args ...string) *typist {
	p.t.Helper()
	return p.sitWith("assent", env, args...)
}

func (p *place) sitWith(program string, env []string, args ...string) *typist {
	p.t.Helper()
	master, slave := openPTY(p.t)
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = p.dir, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	slave.Close()
	y := &typist{t: p.t, cmd: cmd, master: master, ended: make(chan error, 1)}
	go func() { y.ended <- cmd.Wait() }()
	p.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
		}
		master.Close()
	})
	return y
}

func openPTY(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	control(t, master, func(fd int) error {
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		var err error
		number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		return err
	})
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	control(t, slave, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 100})
	})
	return master, slave
}

// control does something with the descriptor of a file, which stays one that can be
// waited for with a limit.
func control(t *testing.T, f *os.File, do func(fd int) error) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
}

// sees waits until a text is on the screen, behind what was waited for last, and returns
// what stands before it.
func (y *typist) sees(text string) string {
	y.t.Helper()
	_ = y.master.SetReadDeadline(time.Now().Add(patienceOfTests))
	buffer := make([]byte, 4096)
	for {
		rest := y.screen.String()[y.seen:]
		if i := strings.Index(rest, text); i >= 0 {
			y.seen += i + len(text)
			return rest[:i]
		}
		n, err := y.master.Read(buffer)
		y.screen.Write(bytes.ReplaceAll(buffer[:n], []byte("\r\n"), []byte("\n")))
		if err != nil && n == 0 {
			y.t.Fatalf("no %q on the screen: %v\n%s", text, err, y.screen.String())
		}
	}
}

// settings are those of the terminal.
func (y *typist) settings() (settings unix.Termios) {
	y.t.Helper()
	control(y.t, y.master, func(fd int) error {
		now, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err == nil {
			settings = *now
		}
		return err
	})
	return settings
}

// types types.
func (y *typist) types(text string) {
	y.t.Helper()
	if _, err := y.master.WriteString(text); err != nil {
		y.t.Fatal(err)
	}
}

// answers waits for a question and answers it with a line. It returns the question.
func (y *typist) answers(text string) string {
	y.t.Helper()
	question := y.sees("answer> ")
	y.types(text + "\n")
	return question
}

// leaves waits for the end of the process and returns what was on the screen, and the
// exit status.
func (y *typist) leaves() (string, int) {
	y.t.Helper()
	_ = y.master.SetReadDeadline(time.Now().Add(patienceOfTests))
	buffer := make([]byte, 4096)
	for {
		n, err := y.master.Read(buffer)
		y.screen.Write(bytes.ReplaceAll(buffer[:n], []byte("\r\n"), []byte("\n")))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			_ = y.cmd.Process.Signal(syscall.SIGQUIT)
			y.t.Fatalf("the process does not end:\n%s", y.screen.String())
		}
		if err != nil {
			break // nobody has the terminal any more
		}
	}
	err := <-y.ended
	if strings.Contains(y.screen.String(), "DATA RACE") {
		y.t.Errorf("%s", y.screen.String())
	}
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		if failed.ExitCode() < 0 {
			y.t.Logf("the process ended with %v", failed)
		}
		return y.screen.String(), failed.ExitCode()
	case err != nil:
		y.t.Fatal(err)
	}
	return y.screen.String(), 0
}
