package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/inbox/socket/line"
)

// Two users of the operating system that nobody else is: the keeper runs the server and answers,
// and the stranger is an agent.
const keeperID, strangerID = 61000, 61001

// household is a machine that the two share. Every directory is open to everybody, but those
// that assent has closed itself.
type household struct {
	*place
	bin, strangers string // directories: the program, and the home of the stranger
}

func newHousehold(t *testing.T) *household {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can run processes as other users")
	}
	top, err := os.MkdirTemp("", "users") // those of the testing package are closed
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	h := &household{place: &place{t: t, dir: filepath.Join(top, "proj"), home: filepath.Join(top, "keeper")}, bin: filepath.Join(top, "bin"), strangers: filepath.Join(top, "stranger")}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(top, 0o755))
	for dir, owner := range map[string]int{h.dir: keeperID, h.home: keeperID, h.bin: 0, h.strangers: strangerID} {
		must(os.Mkdir(dir, 0o755))
		must(os.Chown(dir, owner, owner))
	}
	program, err := os.Executable()
	must(err)
	text, err := os.ReadFile(program)
	must(err)
	must(os.WriteFile(filepath.Join(h.bin, "assent"), text, 0o755))
	must(os.Link(filepath.Join(h.bin, "assent"), filepath.Join(h.bin, "stranger.test")))
	return h
}

// as is a command of one of the users.
func (h *household) as(id uint32, name string, args ...string) *exec.Cmd {
	home := h.home
	if id == strangerID {
		home = h.strangers
	}
	cmd := exec.Command(filepath.Join(h.bin, name), args...)
	cmd.Dir, cmd.Env = h.dir, []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "GORACE=" + noSleep}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// serve starts a server of the keeper with a token, and is its process, its address and its log.
func (h *household) serve(token string) (server *exec.Cmd, address string, log *lockedText) {
	h.t.Helper()
	file := filepath.Join(h.home, "token")
	if err := errors.Join(os.WriteFile(file, []byte(token), 0o600), os.Chown(file, keeperID, keeperID)); err != nil {
		h.t.Fatal(err)
	}
	server, log = h.as(keeperID, "assent", "serve", "--no-resume", "--listen", "127.0.0.1:0", "--token-file", file), &lockedText{}
	server.Stderr = log
	out, err := server.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		h.t.Fatalf("%v\n%s", err, log)
	}
	return server, strings.TrimSuffix(strings.TrimSpace(link), "/"), log
}

// park lets the keeper's agent park a call, and is the session of it.
func (h *household) park(id string) {
	h.t.Helper()
	script := h.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo ran >> effects}}\nafterwards: Done.\n")
	out, err := h.as(keeperID, "assent", append([]string{"-p", "--session-id", id, "--model", script, "deploy"}, h.deferring()...)...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("%v: %s", err, out)
	}
}

func someToken(t *testing.T) string {
	t.Helper()
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(secret)
}

// An agent that is another user of the operating system than the server and the person who
// answers tries everything that one can try from there. Nothing works, and what reaches the
// server is in its log.
func TestT1_AnAgentOfAnotherUser(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	const first, second = "55555555-5555-4555-8555-555555555555", "66666666-6666-4666-8666-666666666666"
	h.park(first)
	h.park(second)

	// Yesterday somebody has answered, and the stranger has seen all of that request.
	old := someToken(t)
	server, address, _ := h.serve(old)
	yesterday, err := client.New(address, old)
	if err != nil {
		t.Fatal(err)
	}
	find := func(c *client.Client, id string) client.Item {
		t.Helper()
		list, err := c.List(t.Context(), client.Query{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(list.Tickets, func(i client.Item) bool { return i.Session == id })
		if at < 0 {
			t.Fatalf("no ticket of %s in %+v", id, list)
		}
		return list.Tickets[at]
	}
	answered := find(yesterday, first)
	if _, err := yesterday.Approve(t.Context(), answered.ID, client.Yes{Digest: answered.Digest}); err != nil {
		t.Fatal(err)
	}
	_ = server.Process.Signal(syscall.SIGTERM)
	_ = server.Wait()

	// Today there is another token, and another call waits.
	token := someToken(t)
	server, address, log := h.serve(token)
	today, err := client.New(address, token)
	if err != nil {
		t.Fatal(err)
	}
	waits := find(today, second)
	attack := func(id uint32) (held, broken []string) {
		t.Helper()
		cmd := h.as(id, "stranger.test", "-test.run=^TestStrangerAtWork$")
		cmd.Env = append(cmd.Env, strangerVariable+"="+strings.Join([]string{
			address, waits.ID, waits.Digest, answered.ID, old, h.home, strconv.Itoa(server.Process.Pid), filepath.Join(h.bin, "assent"),
		}, "\n"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for said := range strings.Lines(string(out)) {
			if name, ok := strings.CutPrefix(said, "held: "); ok {
				held = append(held, strings.TrimSpace(name))
			}
			if name, ok := strings.CutPrefix(said, "broken: "); ok {
				broken = append(broken, strings.TrimSpace(name))
			}
		}
		return held, broken
	}
	held, broken := attack(strangerID)
	if len(broken) > 0 || len(held) != len((&stranger{}).attacks()) {
		t.Errorf("%d attempts held, and these did not: %q", len(held), broken)
	}
	t.Logf("%s", strings.Join(held, "\n"))
	after, err := today.Detail(t.Context(), waits.ID)
	if err != nil || after.State != string(approval.Pending) || len(after.History) != 1 {
		t.Errorf("%+v, %v", after, err)
	}
	if h.has("effects") {
		t.Error("it ran")
	}
	if text := log.String(); !strings.Contains(text, "requests were turned away") || strings.Contains(text, token) {
		t.Error(text)
	}
	if words, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", server.Process.Pid)); err != nil || bytes.Contains(words, []byte(token)) {
		t.Errorf("everybody sees %q, %v", words, err)
	}

	// What keeps the stranger out is being another user: the same attempts of the keeper work.
	_, broken = attack(keeperID)
	for _, name := range []string{"the token file is read", "the token file is written", "the state directory is listed", "the tickets are read", "a transcript is read", "the socket is reached", "the environment is read", "the memory is read", "a signal", "assent approve"} {
		if !slices.Contains(broken, name) {
			t.Errorf("the attempt %q proves nothing: the keeper cannot do it either", name)
		}
	}
}

// strangerVariable tells a process that it is the stranger, and what it knows.
const strangerVariable = "ASSENT_TEST_STRANGER"

// TestStrangerAtWork is no test: it is the process of the stranger.
func TestStrangerAtWork(t *testing.T) {
	known := strings.Split(os.Getenv(strangerVariable), "\n")
	if len(known) != 8 {
		t.Skip("this is the process of another test")
	}
	pid, err := strconv.Atoi(known[6])
	if err != nil {
		t.Fatal(err)
	}
	s := &stranger{address: known[0], ticket: known[1], digest: known[2], answered: known[3], oldToken: known[4], home: known[5], pid: pid, program: known[7]}
	for _, a := range s.attacks() {
		if err := a.try(); err != nil {
			fmt.Printf("held: %s: %s\n", a.name, strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Printf("broken: %s\n", a.name)
		}
	}
}

// stranger is what an agent of another user knows.
type stranger struct {
	address, ticket, digest, answered, oldToken, home, program string
	pid                                                        int
}

// attempt is one that must end with an error.
type attempt struct {
	name string
	try  func() error
}

func (s *stranger) attacks() []attempt {
	state, token, own := filepath.Join(s.home, ".assent"), filepath.Join(s.home, "token"), filepath.Join(os.Getenv("HOME"), "mine")
	about := func(name string) string { return fmt.Sprintf("/proc/%d/%s", s.pid, name) }
	read := func(path string) func() error { return func() error { _, err := os.ReadFile(path); return err } }
	list := func(path string) func() error { return func() error { _, err := os.ReadDir(path); return err } }
	write := func(path string) func() error {
		return func() error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			return f.Close()
		}
	}
	approve := "/api/v1/tickets/" + s.ticket + "/approve"
	yes := `{"digest":"` + s.digest + `"}`
	return []attempt{
		{"the list without a token", s.ask(http.MethodGet, "/api/v1/tickets", "", "")},
		{"the changes without a token", s.ask(http.MethodGet, "/api/v1/events", "", "")},
		{"an answer without a token", s.ask(http.MethodPost, approve, "", yes)},
		{"an answer with an empty token", s.ask(http.MethodPost, approve, "Bearer ", yes)},
		{"an answer with a guessed token", s.ask(http.MethodPost, approve, "Bearer "+strings.Repeat("0", 64), yes)},
		{"the request of yesterday once more", s.ask(http.MethodPost, "/api/v1/tickets/"+s.answered+"/approve", "Bearer "+s.oldToken, yes)},
		{"the request of yesterday for another call", s.ask(http.MethodPost, approve, "Bearer "+s.oldToken, yes)},
		{"the token file is read", read(token)},
		{"the token file is written", write(token)},
		{"the token file is replaced", func() error { return errors.Join(os.WriteFile(own, []byte("x"), 0o600), os.Rename(own, token)) }},
		{"the state directory is listed", list(state)},
		{"the tickets are read", read(filepath.Join(state, "state.db"))},
		{"the tickets are written", write(filepath.Join(state, "state.db"))},
		{"something is put beside the tickets", func() error { return os.WriteFile(filepath.Join(state, "state.db-journal"), nil, 0o600) }},
		{"a transcript is read", list(filepath.Join(state, "sessions"))},
		{"the socket is reached", func() error { return dialed(net.Dial("unix", filepath.Join(state, line.SocketName))) }},
		{"the environment is read", read(about("environ"))},
		{"the memory is opened", write(about("mem"))},
		{"the open files are listed", list(about("fd"))},
		{"the process is traced", func() error { return traced(s.pid) }},
		{"the memory is read", func() error { return peeked(s.pid) }},
		{"a signal", func() error { return syscall.Kill(s.pid, 0) }}, // which is checked, and not sent
		{"assent approve at the server", s.assent("approve", s.ticket, "--server", s.address)},
		{"assent approve at the server with an old token", s.assent("approve", s.ticket, "--server", s.address, "--token-file", s.tokenOfYesterday())},
		{"going on with the session", s.assent("-p", "--resume", "66666666-6666-4666-8666-666666666666")},
		{"assent sessions resolve", s.assent("sessions", "resolve", s.ticket, "--not-run")},
		{"another server", s.assent("serve", "--listen", "127.0.0.1:0")},
		{"assent approve", s.assent("approve", s.ticket)},
	}
}

func dialed(c net.Conn, err error) error {
	if err == nil {
		err = c.Close()
	}
	return err
}

// ask makes a request.
func (s *stranger) ask(method, path, authorization, body string) func() error {
	return func() error {
		ctx, stop := context.WithTimeout(context.Background(), patienceOfTests)
		defer stop()
		r, err := http.NewRequestWithContext(ctx, method, s.address+path, strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New(resp.Status)
		}
		return nil
	}
}

// assent runs a command.
func (s *stranger) assent(args ...string) func() error {
	return func() error {
		ctx, stop := context.WithTimeout(context.Background(), patienceOfTests)
		defer stop()
		cmd := exec.CommandContext(ctx, s.program, args...)
		cmd.Env = append(os.Environ(), "ASSENT_HOME="+filepath.Join(s.home, ".assent"), strangerVariable+"=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %.300s", err, out)
		}
		return nil
	}
}

func (s *stranger) tokenOfYesterday() string {
	path := filepath.Join(os.Getenv("HOME"), "yesterday")
	_ = os.WriteFile(path, []byte(s.oldToken), 0o600) // without it the attempt ends as it must, and for another reason
	return path
}

// traced attaches to a process as a debugger does.
func traced(pid int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.PtraceAttach(pid); err != nil {
		return err
	}
	var status syscall.WaitStatus
	_, err := syscall.Wait4(pid, &status, syscall.WALL, nil)
	return errors.Join(err, syscall.PtraceDetach(pid))
}

// peeked reads a word of the memory of a process, wherever that may be: who may look is told that
// nothing is there.
func peeked(pid int) error {
	word := make([]byte, 8)
	_, err := unix.ProcessVMReadv(pid, []unix.Iovec{{Base: &word[0], Len: 8}}, []unix.RemoteIovec{{Base: 1 << 22, Len: 8}}, 0)
	if errors.Is(err, unix.EFAULT) {
		return nil
	}
	return err
}
