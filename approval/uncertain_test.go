package approval

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// The connection breaks when a change is kept already, or just before, and the server may say that
// it is stopped: what is said about the change is what has happened.
func TestD8_AConnectionThatBreaksAtTheCommit(t *testing.T) {
	address, way := throughProxy(t, testpostgres.Database(t))
	db, err := database.Connect(t.Context(), address)
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	s, err := On(t.Context(), db)
	must(t, err)
	for name, change := range map[string]func(Ticket) error{
		"approve": func(one Ticket) error {
			_, err := s.Approve(t.Context(), one.ID, one.Digest, "ann", "go ahead", nil)
			return err
		},
		"deny": func(one Ticket) error { _, err := s.Deny(t.Context(), one.ID, one.Digest, "ann", "no"); return err },
		"claim": func(one Ticket) error {
			if _, err := s.Approve(t.Context(), one.ID, one.Digest, "ann", "", nil); err != nil {
				return err
			}
			way.arm()
			_, err := s.Claim(t.Context(), one.ID, one.Call, nil, "process 1 on vm")
			return err
		},
	} {
		for _, c := range []struct{ arrives, says bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
			kept := 0
			for i := range 3 {
				one, err := s.Park(t.Context(), Parking{Call: deploy(fmt.Sprint(name, c, i)), By: "hook"})
				must(t, err)
				way.arrives.Store(c.arrives)
				way.says.Store(c.says)
				if name != "claim" {
					way.arm()
				}
				err = change(one)
				now, found := s.Find(t.Context(), one.ID)
				must(t, found)
				_, uncertain := errors.AsType[*database.Uncertain](err)
				want := map[string]State{"approve": Approved, "deny": Denied, "claim": Running}[name]
				switch {
				case err == nil && now.State == want:
					kept++
				case err == nil || now.State == want:
					t.Errorf("%s, %+v: %v, and it is %s", name, c, err, now.State)
				case !uncertain || !strings.Contains(err.Error(), "nobody knows whether the last change was kept"):
					t.Errorf("%s, %+v: %v", name, c, err)
				}
			}
			if c.arrives && kept != 3 || !c.arrives && kept != 0 {
				t.Errorf("%s, %+v: %d were kept", name, c, kept)
			}
		}
	}
	if way.broke.Load() != 36 {
		t.Errorf("it broke %d times", way.broke.Load())
	}
}

// What a guard is told of an answer is what has become of it when the connection breaks at the commit: a
// yes that was handed over and is not heard of would be lost. That of another guard is not its own.
func TestD8_AConnectionThatBreaksWhenAGuardIsAnswered(t *testing.T) {
	const guard, other = "the guard of codex, 1", "the guard of codex, 2"
	direct := testpostgres.Database(t)
	address, way := throughProxy(t, direct)
	stores := map[string]*counter{}
	for who, address := range map[string]string{guard: address, other: direct} {
		db, err := database.Connect(t.Context(), address)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		s, err := On(t.Context(), db)
		must(t, err)
		stores[who] = &counter{Store: s, t: t}
	}
	s := stores[guard]
	for name, c := range map[string]struct {
		deny, lapsed bool
		became       State
	}{
		"a yes":                 {became: Handed},
		"a no":                  {deny: true, became: Refused},
		"a yes that has lapsed": {lapsed: true, became: Pending},
	} {
		for _, how := range []struct{ arrives, says, overtaken bool }{{true, false, false}, {true, true, false}, {false, false, false}, {false, true, false}, {false, false, true}} {
			what := fmt.Sprintf("%s, %+v", name, how)
			held := s.hold(what, "codex")
			say, was := s.yes, Approved
			if c.deny {
				was = Denied
				say = func(held Ticket, by string) (Ticket, error) {
					return s.Deny(t.Context(), held.ID, held.Digest, by, "no")
				}
			}
			_, err := say(held, "ben")
			must(t, err)
			for _, one := range stores {
				if one.minding(); c.lapsed {
					one.minding("ben")
				}
			}
			way.arrives.Store(how.arrives)
			way.says.Store(how.says)
			overtake := func() {
				_, _ = stores[other].Hand(t.Context(), held.ID, other) // what comes of it is looked at below
			}
			if way.meanwhile.Store(nil); how.overtaken {
				way.meanwhile.Store(&overtake)
			}
			way.arm()
			_, err = s.Hand(t.Context(), held.ID, guard)
			_, uncertain := errors.AsType[*database.Uncertain](err)
			_, again := errors.AsType[*WaitsAgain](err)
			if how.arrives && (uncertain || again != c.lapsed || !again && err != nil) || !how.arrives && !uncertain {
				t.Errorf("%s: %v", what, err)
			}
			want := was
			if how.arrives || how.overtaken {
				want = c.became
			}
			if now := s.find(held.ID); now.State != want {
				t.Errorf("%s: it is %s, want %s", what, now.State, want)
			}
		}
	}
	if way.broke.Load() != 15 {
		t.Errorf("it broke %d times", way.broke.Load())
	}
}

// brokenWay is a way to a server that breaks once at the end of a transaction.
type brokenWay struct {
	armed   atomic.Bool
	arrives atomic.Bool // the end is passed on, and only the answer is not
	says    atomic.Bool // the server says that it ends the connection
	broke   atomic.Int64
	// meanwhile is what happens before the program notices; nil for nothing.
	meanwhile atomic.Pointer[func()]
}

func (w *brokenWay) arm() { w.armed.Store(true) }

// throughProxy is the address of a server behind a way that can break.
func throughProxy(t *testing.T, address string) (string, *brokenWay) {
	t.Helper()
	to, err := url.Parse(address)
	must(t, err)
	query := to.Query()
	const name = ".s.PGSQL.5432"
	socket, dir := filepath.Join(query.Get("host"), name), t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(dir, name))
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	way := &brokenWay{}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go way.pass(conn, socket)
		}
	}()
	query.Set("host", dir)
	query.Set("default_query_exec_mode", "exec") // so that every text can be read on its way
	to.RawQuery = query.Encode()
	return to.String(), way
}

func (w *brokenWay) pass(client net.Conn, socket string) {
	defer client.Close()
	server, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer server.Close()
	var lost atomic.Bool
	answered := make(chan struct{}, 1)
	go func() {
		text := make([]byte, 64<<10)
		for {
			n, err := server.Read(text)
			if lost.Load() {
				answered <- struct{}{}
				return
			}
			if err == nil {
				_, err = client.Write(text[:n])
			}
			if err != nil {
				_ = client.Close()
				return
			}
		}
	}()
	text := make([]byte, 64<<10)
	for {
		n, err := client.Read(text)
		if err != nil {
			return
		}
		if bytes.Contains(text[:n], []byte("commit\x00")) && w.armed.CompareAndSwap(true, false) {
			w.broke.Add(1)
			lost.Store(true)
			if w.arrives.Load() {
				_, _ = server.Write(text[:n])
				<-answered
			}
			if do := w.meanwhile.Load(); do != nil {
				_ = server.Close() // what was not kept is in nobody's way
				(*do)()
			}
			if w.says.Load() {
				stopped, _ := (&pgproto3.ErrorResponse{Severity: "FATAL", Code: "57P01", Message: "terminating connection"}).Encode(nil) // it is short enough
				_, _ = client.Write(stopped)
			}
			return
		}
		if _, err := server.Write(text[:n]); err != nil {
			return
		}
	}
}
