package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patienceOfTests is how long a test waits for what should happen at once. It is long
// because machines are busy, and nobody waits for it unless something is wrong.
const patienceOfTests = 30 * time.Second

// place is a project and a home directory for processes of the agent.
type place struct {
	t         *testing.T
	dir, home string
}

// state is where its sessions and tickets are.
func (p *place) state() string { return filepath.Join(p.home, ".assent") }

func newPlace(t *testing.T) *place {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, dir: filepath.Join(top, "proj"), home: filepath.Join(top, "home")}
	for _, dir := range []string{p.dir, p.home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// write writes a file of the project and returns its path.
func (p *place) write(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// has reports whether there is such a file in the project.
func (p *place) has(name string) bool {
	_, err := os.Lstat(filepath.Join(p.dir, name))
	return err == nil
}

func (p *place) env(more ...string) []string {
	env := []string{
		"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "ASSENT_MAX_RETRIES=0",
		"GORACE=" + noSleep, "GOCOVERDIR=" + p.t.TempDir(), // under -race and -cover programs say more
	}
	return append(env, more...)
}

// worker is a process of the agent.
type worker struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	lines  *bufio.Reader
	stderr *lockedText
	ended  chan error
}

// start starts the agent. The test's own binary is the program: TestMain puts it on PATH
// under that name, with the race detector if the tests have it.
func (p *place) start(env []string, args ...string) *worker {
	p.t.Helper()
	return p.startWith("assent", env, args...)
}

func (p *place) startWith(program string, env []string, args ...string) *worker {
	p.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = p.dir, env
	c := &worker{t: p.t, cmd: cmd, stderr: &lockedText{}, ended: make(chan error, 1)}
	read, write, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	c.stdout, c.lines = read, bufio.NewReaderSize(read, 1<<20)
	cmd.Stdout, cmd.Stderr = write, c.stderr
	if c.stdin, err = cmd.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	write.Close()
	if !slices.Contains(args, "--input-format") {
		c.stdin.Close() // the prompt is an argument
	}
	go func() { c.ended <- cmd.Wait() }()
	p.t.Cleanup(func() {
		c.stdin.Close()
		c.stdout.Close()
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
		}
	})
	return c
}

// send writes to the process. One that has ended does not take everything.
func (c *worker) send(text string) { _, _ = io.WriteString(c.stdin, text) }

// prompt is a line that asks for work.
const prompt = `{"type":"user","message":{"role":"user","content":"go"}}` + "\n"

// expect reads lines until one holds all the words.
func (c *worker) expect(words ...string) string {
	c.t.Helper()
	_ = c.stdout.SetReadDeadline(time.Now().Add(patienceOfTests))
	for {
		line, err := c.lines.ReadString('\n')
		if containsAll(line, words) {
			return line
		}
		if err != nil {
			c.t.Fatalf("no line with %q: %v\n%s", words, err, c.stderr)
		}
	}
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// rest reads what the process prints until it ends.
func (c *worker) rest() string {
	c.t.Helper()
	_ = c.stdout.SetReadDeadline(time.Now().Add(patienceOfTests))
	text, err := io.ReadAll(c.lines)
	if err != nil {
		c.t.Fatalf("the output does not end: %v\n%s", err, c.stderr)
	}
	return string(text)
}

// end waits for the end of the process and returns its exit status, -1 for a signal.
func (c *worker) end() int {
	c.t.Helper()
	var err error
	select {
	case err = <-c.ended:
	case <-time.After(patienceOfTests):
		_ = c.cmd.Process.Signal(syscall.SIGQUIT) // it says where it hangs
		<-c.ended
		c.t.Fatalf("the process does not end:\n%.4000s", c.stderr)
	}
	if strings.Contains(c.stderr.String(), "DATA RACE") {
		c.t.Errorf("%s", c.stderr)
	}
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		return failed.ExitCode()
	case err != nil:
		c.t.Fatal(err)
	}
	return 0
}

// signal sends a signal.
func (c *worker) signal(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}

// tether is a pipe with a name that a command holds open as long as it or anything it
// has started is alive.
type tether struct {
	t     *testing.T
	path  string
	group int // of the processes that hold it
	file  *os.File
	text  *bufio.Reader
}

func (p *place) tether() *tether {
	p.t.Helper()
	path := filepath.Join(p.dir, "tether")
	if err := makePipe(path); err != nil {
		p.t.Fatal(err)
	}
	return &tether{t: p.t, path: path}
}

// holding is a command that holds the pipe, starts something that does so too, and
// does not end by itself.
const holding = hold + `; sleep 1000 & sleep 1000; touch ran`

const hold = `exec 9>tether; echo $$ >&9`

// held waits until the command runs.
func (h *tether) held() {
	h.t.Helper()
	opened := make(chan error, 1)
	go func() {
		var err error
		h.file, err = os.Open(h.path) // it waits for somebody who writes
		opened <- err
	}()
	select {
	case err := <-opened:
		if err != nil {
			h.t.Fatal(err)
		}
	case <-time.After(patienceOfTests):
		h.t.Fatal("the command was not started")
	}
	h.t.Cleanup(func() {
		h.cut()
		h.file.Close()
	})
	h.text = bufio.NewReader(h.file)
	_ = h.file.SetReadDeadline(time.Now().Add(patienceOfTests))
	line, err := h.text.ReadString('\n')
	if err == nil {
		h.group, err = strconv.Atoi(strings.TrimSpace(line))
	}
	if err != nil || h.group <= 1 {
		h.group = 0
		h.t.Fatalf("the command says %q, %v", line, err)
	}
}

// loose waits until nobody holds the pipe any more: all that was started has ended.
func (h *tether) loose() {
	h.t.Helper()
	_ = h.file.SetReadDeadline(time.Now().Add(patienceOfTests))
	if rest, err := io.ReadAll(h.text); err != nil || len(rest) > 0 {
		h.t.Errorf("a command outlives the agent: %q, %v", rest, err)
		h.cut()
	}
	h.group = 0
}

// cut ends what still holds the pipe.
func (h *tether) cut() {
	if h.group > 1 {
		_ = kill(-h.group, syscall.SIGKILL)
	}
}

// gate is a pipe with a name that a command reads; the function lets it go on.
func (p *place) gate(name string) (open func()) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := makePipe(path); err != nil {
		p.t.Fatal(err)
	}
	return func() {
		p.t.Helper()
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			p.t.Fatal(err)
		}
		f.Close()
	}
}
