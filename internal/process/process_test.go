//go:build unix

package process

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// text is what a process printed.
type text struct {
	mu  sync.Mutex
	all bytes.Buffer
	// alive ends when the last process that was started with it has.
	alive *os.File
}

func (s *text) take(piece []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.Write(piece)
}

func (s *text) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// awaitAll waits until all have ended that were started with the text.
func (s *text) awaitAll(t *testing.T) {
	t.Helper()
	if _, err := io.Copy(io.Discard, s.alive); err != nil {
		t.Error(err)
	}
}

// launch runs a line of shell.
func launch(t *testing.T, line string) (*Group, *text) {
	t.Helper()
	alive, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { alive.Close() })
	defer held.Close()
	out := &text{alive: alive}
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.ExtraFiles = []*os.File{held}
	g, err := Start(cmd, out.take, out.take)
	if err != nil {
		t.Fatal(err)
	}
	return g, out
}

func TestGroup_EndsByItself(t *testing.T) {
	defer goleak.VerifyNone(t)
	g, out := launch(t, "echo hi; exit 3")
	<-g.Exited()
	<-g.Closed()
	<-g.StdoutClosed()
	state := g.Release()
	if state.ExitCode() != 3 || Signal(state) != "" || out.String() != "hi\n" {
		t.Errorf("%v %q", state, out)
	}
}

func TestGroup_IsKilledAsOne(t *testing.T) {
	defer goleak.VerifyNone(t)
	g, out := launch(t, "sleep 600 & sleep 600 & echo ready; wait")
	for !strings.Contains(out.String(), "ready") {
		runtime.Gosched()
	}
	if !g.Others() && hasProc() {
		t.Error("it has children")
	}
	state := g.Release()
	out.awaitAll(t)
	if !strings.HasPrefix(Signal(state), "signal 9 (") {
		t.Errorf("%v", state)
	}
}

// A main process that has ended leaves others; they can be seen and killed without
// hitting strangers, because nobody gets its number before Release.
func TestGroup_Left(t *testing.T) {
	defer goleak.VerifyNone(t)
	g, out := launch(t, "sleep 600 & echo left")
	<-g.Exited()
	if hasProc() && !g.Others() {
		t.Error("it has left a child")
	}
	g.Release()
	out.awaitAll(t)
	if out.String() != "left\n" {
		t.Errorf("%q", out)
	}
}

// Others can still be seen and killed after the main process was waited for: they keep
// the number of the group.
func TestGroup_LeftAfterWait(t *testing.T) {
	defer goleak.VerifyNone(t)
	g, out := launch(t, "sleep 600 & exit 4")
	if code := g.Wait().ExitCode(); code != 4 {
		t.Errorf("exit status %d", code)
	}
	if !g.Others() {
		t.Error("it has left a child")
	}
	g.Kill()
	out.awaitAll(t)
	for g.Others() { // until the system has noticed
		runtime.Gosched()
	}
	if state := g.Release(); state.ExitCode() != 4 {
		t.Errorf("%v", state)
	}
}

// Whoever gets the number of a group that is gone is not killed in its place.
func TestGroup_SparesAStranger(t *testing.T) {
	gone, _ := launch(t, "true")
	gone.Wait()
	for gone.Others() {
		runtime.Gosched()
	}
	input, gate, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", "read line; exit 5")
	cmd.Stdin = input
	ignore := func([]byte) {}
	stranger, err := Start(cmd, ignore, ignore)
	input.Close()
	if err != nil {
		t.Fatal(err)
	}
	gone.cmd.Process = stranger.cmd.Process
	if gone.Kill(); gone.Others() {
		t.Error("a stranger counts as a member")
	}
	gone.Release()
	gate.Close() // it may end now
	<-stranger.Exited()
	if state := stranger.Release(); state.ExitCode() != 5 {
		t.Errorf("the stranger: %v", state)
	}
}

// Who has left the group is out of reach, and nobody pretends otherwise.
func TestGroup_Survived(t *testing.T) {
	defer goleak.VerifyNone(t)
	for line, want := range map[string]bool{
		"true": false, "sleep 600 & true": false, "sleep 600 & sleep 600 & wait": false,
		"setsid sh -c 'echo $$; exec sleep 600' & wait": true,
	} {
		if _, err := exec.LookPath("setsid"); want && err != nil {
			continue
		}
		g, out := launch(t, line)
		for want && !strings.Contains(out.String(), "\n") {
			runtime.Gosched()
		}
		g.Release()
		if g.Survived() != want {
			t.Errorf("%s: survived %v", line, !want)
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(out.String())); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		out.awaitAll(t)
	}
}

func TestGroup_NoOthers(t *testing.T) {
	g, _ := launch(t, "true")
	<-g.Exited()
	if g.Others() {
		t.Error("there is nobody else")
	}
	g.Release()
}

// Somebody outside of the group holds the output: what is in it is read, and nobody
// waits.
func TestPipe_HeldByAStranger(t *testing.T) {
	defer goleak.VerifyNone(t)
	out := &text{}
	p, writer, err := newPipe(out.take)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	p.read()
	if _, err := writer.WriteString("words"); err != nil {
		t.Fatal(err)
	}
	p.stop()
	if out.String() != "words" {
		t.Errorf("%q", out)
	}
}

// What a process printed before its end counts, also when nobody had the time to read
// it and somebody else still holds the pipe.
func TestH11_WhatIsInThePipeIsRead(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, size := range []int{0, 10, 60_000} {
		out := &text{}
		p, writer, err := newPipe(out.take)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Repeat("x", size)
		if _, err := writer.WriteString(want); err != nil {
			t.Fatal(err)
		}
		close(p.done) // the reader was told to end before it read anything
		p.stop()
		if got := out.String(); got != want {
			t.Errorf("read %d bytes of %d", len(got), size)
		}
		writer.Close()
	}
}

func TestStart_NoSuchProgram(t *testing.T) {
	if _, err := Start(exec.Command(filepath.Join(t.TempDir(), "none")), nil, nil); err == nil {
		t.Error("it started")
	}
}

// The main process is waited for: it leaves no zombie.
func TestGroup_IsReaped(t *testing.T) {
	g, _ := launch(t, "true")
	pid := g.cmd.Process.Pid
	g.Release()
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("process %s: %v", strconv.Itoa(pid), err)
	}
}

func hasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
