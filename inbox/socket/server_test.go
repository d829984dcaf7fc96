//go:build unix

package socket

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("ASK_AS_SOMEBODY_ELSE"); dir != "" { // see TestT1_ProcessesOfOthersAreRefused
		_, err := line.Ask(context.Background(), dir, deploy())
		fmt.Print(err)
		os.Exit(0)
	}
	if dir := os.Getenv("SERVE_AS_SOMEBODY_ELSE"); dir != "" {
		l, err := net.Listen("unix", filepath.Join(dir, line.SocketName))
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("ready")
		conn, err := l.Accept()
		if err == nil {
			_, _ = conn.Write([]byte(`{"ticket":"t","state":"allow","by":"mallory"}` + "\n"))
			_, _ = bufio.NewReader(conn).ReadString('\n')
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestA2_AGuardGetsTheAnswer(t *testing.T) {
	w := newWorld(t).serve()
	got := w.ask(deploy())
	ticket := w.held(1)[0]
	if ticket.Asker != "codex" || ticket.Session != "s1" || ticket.Why != "a rule asks" || ticket.Risk.String() != "medium" || ticket.Kin != "Bash(deploy)" || ticket.Expires.IsZero() {
		t.Errorf("%+v", ticket)
	}
	w.approve(ticket)
	if a := <-got; a.err != nil || a.State != line.Allowed || a.Ticket != ticket.ID || a.By != "ana" || a.Reason != "fine" || a.Input != nil {
		t.Errorf("%+v", a)
	}

	got = w.ask(deploy())
	ticket = w.held(1)[0]
	if _, err := w.store.Deny(t.Context(), ticket.ID, ticket.Digest, "bob", "not today"); err != nil {
		t.Fatal(err)
	}
	if a := <-got; a.err != nil || a.State != line.Denied || a.By != "bob" || a.Reason != "not today" {
		t.Errorf("%+v", a)
	}

	first := w.askNow(deploy())
	if again := w.askNow(deploy()); first.err != nil || first.State != line.Pending || again.Ticket != first.Ticket || again.State != line.Pending {
		t.Errorf("%+v, %+v", first, again)
	}
}

// What people say comes to all who wait, and each yes to one.
func TestA2_ManyGuardsWait(t *testing.T) {
	w := newWorld(t).serve()
	const many = 60
	var all []<-chan answer
	for i := range many {
		h := deploy()
		h.Session = fmt.Sprintf("s%d", i)
		all = append(all, w.ask(h))
	}
	for _, ticket := range w.held(many) {
		w.approve(ticket)
	}
	for i, got := range all {
		if a := <-got; a.err != nil || a.State != line.Allowed {
			t.Errorf("%d: %+v", i, a)
		}
	}
}

// A yes is for one run of exactly that call.
func TestT5_AYesIsUsedOnceForExactlyThatCall(t *testing.T) {
	w := newWorld(t).serve()
	first := w.askNow(deploy())
	w.approve(w.held(1)[0])
	for name, change := range map[string]func(*line.Hold){
		"another input":     func(h *line.Hold) { h.Input = strictjson.Raw(`{"command":"deploy --all"}`) },
		"another tool":      func(h *line.Hold) { h.Tool = "Write" },
		"another session":   func(h *line.Hold) { h.Session = "s2" },
		"another directory": func(h *line.Hold) { h.Cwd = "/srv/other" },
		"another agent":     func(h *line.Hold) { h.Asker = "cursor" },
	} {
		h := deploy()
		change(&h)
		if a := w.askNow(h); a.err != nil || a.State != line.Pending || a.Ticket == first.Ticket {
			t.Errorf("%s: %+v", name, a)
		}
	}
	spelt := deploy()
	spelt.Input = strictjson.Raw(`{ "command" : "deplo\u0079" }`) // the same in another spelling
	if a := w.askNow(spelt); a.err != nil || a.State != line.Allowed || a.Ticket != first.Ticket {
		t.Errorf("%+v", a)
	}
	if a := w.askNow(deploy()); a.err != nil || a.State != line.Pending || a.Ticket == first.Ticket {
		t.Errorf("used twice: %+v", a)
	}
}

// The same call is made many times at once: one of them gets the yes.
func TestT5_OneOfManyGetsTheYes(t *testing.T) {
	w := newWorld(t).serve()
	var all []<-chan answer
	for range 20 {
		h := deploy()
		h.WaitMS = 1500
		all = append(all, w.ask(h))
	}
	w.approve(w.held(1)[0])
	allowed := 0
	for _, got := range all {
		switch a := <-got; {
		case a.err != nil:
			t.Error(a.err)
		case a.State == line.Allowed:
			allowed++
		}
	}
	if allowed != 1 {
		t.Errorf("%d of 20 got one yes", allowed)
	}
}

// Whoever has gone gets no yes, so that it is still there when the call is made again.
func TestT5_AYesIsNotLostOnWhoeverHasGone(t *testing.T) {
	w := newWorld(t).serve()
	conn, err := net.Dial("unix", w.socket())
	if err != nil {
		t.Fatal(err)
	}
	text, err := line.Request(deploy())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write(text); err != nil {
		t.Fatal(err)
	}
	ticket := w.held(1)[0]
	if err := conn.(*net.UnixConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if reply, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(reply, `"pending"`) { // it has noticed
		t.Fatal(reply, err)
	}
	w.approve(ticket)
	if a := w.askNow(deploy()); a.State != line.Allowed || a.Ticket != ticket.ID {
		t.Errorf("%+v", a)
	}
}

// However many connections say nothing, or calls one session makes: the guards of others wait for their answers.
func TestT16_NoProcessLocksGuardsOut(t *testing.T) {
	w := newWorld(t).serve(func(s *Server) {
		s.silent, s.waiting = room.New[*net.UnixConn](4), room.New[context.CancelFunc](4)
	})
	got := w.ask(deploy())
	ticket := w.held(1)[0]
	for range 6 { // they make room for each other and for the guards
		conn, err := net.Dial("unix", w.socket())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	var flood []<-chan answer
	for i := range 6 { // one after the other: the oldest ones of this session go
		h := deploy()
		h.Session, h.Input = "s2", strictjson.Raw(fmt.Sprintf(`{"command":"deploy %d"}`, i))
		flood = append(flood, w.ask(h))
		w.held(i + 2)
	}
	for i := range 3 { // three of the six are left, beside the one of the other session
		if a := <-flood[i]; a.err != nil || a.State != line.Pending {
			t.Errorf("the call %d: %+v", i, a)
		}
	}
	w.approve(ticket)
	if a := <-got; a.err != nil || a.State != line.Allowed {
		t.Errorf("%+v", a)
	}
}

// The tickets that guards get have no way to answer, and no line leads to one.
func TestT1_TheSocketCannotAnswer(t *testing.T) {
	var methods []string
	for i := range reflect.TypeFor[Tickets]().NumMethod() {
		methods = append(methods, reflect.TypeFor[Tickets]().Method(i).Name)
	}
	if !slices.Equal(methods, []string{"Find", "Hand", "Hold"}) {
		t.Errorf("guards can %v", methods)
	}
	w := newWorld(t).serve()
	id := w.askNow(deploy()).Ticket
	ticket := w.held(1)[0]
	request, _ := line.Request(deploy())
	hold := strings.TrimSuffix(strings.TrimSpace(string(request)), "}}")
	for _, text := range []string{
		`{"approve":{"id":"` + id + `","digest":"` + ticket.Digest + `"}}`,
		`{"approve":"` + id + `"}`, `{"answer":{"id":"` + id + `","behavior":"allow"}}`, `{"method":"approve","params":["` + id + `"]}`,
		`{"hand":"` + id + `"}`, `{"resolve":{"id":"` + id + `","ran":true}}`, `{"ticket":"` + id + `","state":"allow","by":"me"}`,
		hold + `,"answer":"allow"}}`, hold + `,"outcome":"allow"}}`, hold + `,"state":"approved"}}`, hold + `}, "approve":"` + id + `"}`,
		hold + `,"wait_ms":0}}`, `{"Hold":{}}`, `{"hold":null}`, `{}`, `null`, `[]`, `"approve ` + id + `"`, `approve ` + id, ``, "\x00", "\xff",
		hold + `}}` + "\n" + `{"approve":"` + id + `"}`,
		"POST /api/v1/tickets/" + id + "/approve HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		conn, err := net.Dial("unix", w.socket())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(text + "\n")); err != nil {
			t.Fatal(err)
		}
		reply, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || strings.Contains(reply, `"allow"`) || !strings.Contains(reply, `"error"`) && !strings.Contains(reply, `"pending"`) {
			t.Errorf("%q: %q, %v", text, reply, err)
		}
		_ = conn.Close()
		if state := w.state(id); state != approval.Pending {
			t.Fatalf("%q made it %s", text, state)
		}
	}
}

// Nobody makes the time that passes a yes.
func TestT1_TimeIsNoYes(t *testing.T) {
	w := newWorld(t).serve()
	h := deploy()
	h.LastsMS, h.WaitMS = 1, time.Minute.Milliseconds()
	if a := <-w.ask(h); a.err != nil || a.State != line.Denied || a.Reason != "nobody has answered in time" {
		t.Errorf("%+v", a)
	}
}

func TestT1_TheSocketIsForOneUser(t *testing.T) {
	w := newWorld(t).serve()
	info, err := os.Stat(w.socket())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	w.stop()
	if exists(w.socket()) {
		t.Error("the socket is left")
	}
	server, err := Listen(w.dir, w.keeper)
	if err != nil {
		t.Fatal(err)
	}
	server.sameUser = func(int) error { return &line.Stranger{UID: 4711} }
	go func() { _ = server.Run(t.Context()) }()
	if a := w.askNow(deploy()); a.err == nil || !strings.Contains(a.err.Error(), "another user (uid 4711)") {
		t.Errorf("%+v", a)
	}
	if list, err := w.store.List(t.Context(), approval.Query{}); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// somebodyElse is the test program as another user, in a directory that is open to all.
func somebodyElse(t *testing.T, variable string) (dir string, cmd *exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else: a user namespace maps every user of it to this one")
	}
	dir, err := os.MkdirTemp("/tmp", "assent-socket-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	self, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "self"), self, 0o755)
	}
	if err := errors.Join(err, os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(filepath.Join(dir, "self"))
	cmd.Env = []string{variable + "=" + dir}
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return dir, cmd
}

// Also where the permissions of files would let another user in, nobody listens to it, and
// nobody believes it.
func TestT1_ProcessesOfOthersAreRefused(t *testing.T) {
	t.Run("who asks", func(t *testing.T) {
		dir, cmd := somebodyElse(t, "ASK_AS_SOMEBODY_ELSE")
		w := newWorld(t)
		w.dir = dir
		w.serve()
		if err := os.Chmod(w.socket(), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "another user") {
			t.Errorf("%s, %v", out, err)
		}
		if list, err := w.store.List(t.Context(), approval.Query{}); err != nil || len(list) != 0 {
			t.Errorf("%v, %v", list, err)
		}
	})
	t.Run("who answers", func(t *testing.T) {
		dir, cmd := somebodyElse(t, "SERVE_AS_SOMEBODY_ELSE")
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, err := bufio.NewReader(out).ReadString('\n'); text != "ready\n" {
			t.Fatal(text, err)
		}
		if reply, err := line.Ask(t.Context(), dir, deploy()); err == nil || !strings.Contains(err.Error(), "another user (uid 65534)") {
			t.Errorf("%+v, %v", reply, err)
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// An answer that may still be taken back is not handed over.
func TestA3_AnAnswerThatMayBeTakenBackWaits(t *testing.T) {
	w := newWorld(t)
	w.serve()
	w.askNow(deploy())
	ticket := w.held(1)[0]
	say := func(a approval.Answer) approval.Ticket {
		t.Helper()
		said, err := w.store.Say(t.Context(), ticket.ID, ticket.Digest, a)
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	said := say(approval.Answer{Behavior: permission.Allow, By: "ann", Settles: time.Now().Add(time.Hour)})
	if a := w.askNow(deploy()); a.State != line.Pending || w.state(ticket.ID) != approval.Approved {
		t.Errorf("%+v", a)
	}
	if _, err := w.store.Retract(t.Context(), ticket.ID, said.Said(), "ann"); err != nil {
		t.Fatal(err)
	}
	settles := time.Now().Add(200 * time.Millisecond)
	say(approval.Answer{Behavior: permission.Allow, By: "bob", Settles: settles})
	if a := <-w.ask(deploy()); a.State != line.Allowed || a.By != "bob" || time.Now().Before(settles) {
		t.Errorf("%+v", a)
	}
}

// A server that ends and stays away lets nobody through, and the call waits on.
func TestT11_AServerThatEndsLetsNothingThrough(t *testing.T) {
	t.Parallel()
	w := newWorld(t).serve()
	got := w.ask(deploy())
	ticket := w.held(1)[0]
	w.stop()
	if a := <-got; !errors.Is(a.err, line.ErrGone) || w.state(ticket.ID) != approval.Pending {
		t.Errorf("%+v", a)
	}
	if a := w.askNow(deploy()); !errors.Is(a.err, line.ErrNoServer) {
		t.Errorf("%+v", a)
	}
}

// dying is a server that dies while a guard waits: it closes the connection, with what it
// has said so far.
func (w *world) dying(said string) (died <-chan struct{}) {
	w.Helper()
	l, err := net.Listen("unix", w.socket())
	if err != nil {
		w.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = bufio.NewReader(conn).ReadString('\n')
		_ = l.Close()
		_, _ = conn.Write([]byte(said))
		_ = conn.Close()
	}()
	return done
}

// A server that dies and comes back goes on where it was; one that stays away is an error.
func TestT11_AServerThatDies(t *testing.T) {
	t.Run("and comes back", func(t *testing.T) {
		w := newWorld(t)
		died := w.dying("")
		got := w.ask(deploy())
		<-died
		w.serve()
		w.approve(w.held(1)[0])
		if a := <-got; a.err != nil || a.State != line.Allowed {
			t.Errorf("%+v", a)
		}
	})
	t.Run("in peace, and comes back", func(t *testing.T) {
		w := newWorld(t).serve()
		got := w.ask(deploy())
		ticket := w.held(1)[0]
		w.stop()
		w.serve()
		w.approve(ticket)
		if a := <-got; a.err != nil || a.State != line.Allowed || a.Ticket != ticket.ID {
			t.Errorf("%+v", a)
		}
	})
	for name, said := range map[string]string{
		"and stays away":           "",
		"in the middle of a yes":   `{"ticket":"abc","state":"allow"`,
		"before the end of a line": `{"ticket":"abc","state":"allow","by":"ana"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.dying(said)
			if a := <-w.ask(deploy()); a.err == nil || !strings.Contains(a.err.Error(), "has gone") {
				t.Errorf("%+v", a)
			}
		})
	}
}

// What is no answer lets nothing through.
func TestT11_WhatIsNoAnswer(t *testing.T) {
	for _, said := range []string{
		"\n", "allow\n", "{}\n", `{"state":"allow"}` + "\n", `{"ticket":"abc","state":"ALLOW"}` + "\n", `{"ticket":"abc"}` + "\n",
		`{"ticket":"abc","state":"deny","state":"allow"}` + "\n", `{"ticket":"abc","State":"allow"}` + "\n", `{"ticket":"abc","state":"allow","more":1}` + "\n",
		`{"ticket":"abc","state":"allow","error":"the disk is full"}` + "\n", `{"ticket":"abc","state":"pending","input":{}}` + "\n",
		`{"ticket":"abc","state":"allow"}` + "\n" + `{"ticket":"abc","state":"deny"}` + "\n",
	} {
		w := newWorld(t)
		w.dying(said)
		if a := <-w.ask(deploy()); a.err == nil || a.State == line.Allowed {
			t.Errorf("%q: %+v", said, a)
		}
	}
}

func TestT11_AServerThatSaysNothing(t *testing.T) {
	w := newWorld(t)
	l, err := net.Listen("unix", w.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a := w.askNow(deploy()); a.err == nil || !strings.Contains(a.err.Error(), "does not answer") {
		t.Errorf("%+v", a)
	}
}

func TestT11_TicketsThatFail(t *testing.T) {
	w := newWorld(t)
	w.keeper.tickets = broken{w.store}
	w.serve()
	if a := w.askNow(deploy()); a.err == nil || a.err.Error() != "the disk is full" {
		t.Errorf("%+v", a)
	}
}

func TestASocketWithALongName(t *testing.T) {
	w := newWorld(t)
	w.dir = filepath.Join(w.dir, strings.Repeat("long/", 30))
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w.serve()
	if a := w.askNow(deploy()); a.err != nil || a.State != line.Pending {
		t.Errorf("%+v", a)
	}
	w.stop()
	if exists(w.socket()) {
		t.Error("the socket is left")
	}
}

func TestWhatIsLeftOfAServerIsReplaced(t *testing.T) {
	w := newWorld(t)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: w.socket(), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	if a := w.askNow(deploy()); !errors.Is(a.err, line.ErrNoServer) {
		t.Errorf("%+v", a)
	}
	w.serve()
	if a := w.askNow(deploy()); a.err != nil {
		t.Error(a.err)
	}
	w.stop()
	if err := os.WriteFile(w.socket(), []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(w.dir, w.keeper); err == nil || !strings.Contains(err.Error(), "in the way") {
		t.Error(err)
	}
}

// Whoever stops waiting leaves the call in the inbox, and the yes for the next time.
func TestT5_WhoeverStopsWaitingLeavesTheCall(t *testing.T) {
	w := newWorld(t).serve()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := line.Ask(ctx, w.dir, deploy())
		ended <- err
	}()
	ticket := w.held(1)[0]
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if state := w.state(ticket.ID); state != approval.Pending {
		t.Error(state)
	}
}
