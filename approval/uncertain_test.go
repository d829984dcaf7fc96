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

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// The connection breaks when a change is kept already, or just before: what is said about it is
// what has happened.
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
		for _, arrives := range []bool{true, false} {
			kept := 0
			for i := range 3 {
				one, err := s.Park(t.Context(), Parking{Call: deploy(fmt.Sprint(name, arrives, i)), By: "hook"})
				must(t, err)
				way.arrives.Store(arrives)
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
					t.Errorf("%s, arrives %t: %v, and it is %s", name, arrives, err, now.State)
				case !uncertain || !strings.Contains(err.Error(), "nobody knows whether the last change was kept"):
					t.Errorf("%s, arrives %t: %v", name, arrives, err)
				}
			}
			if arrives && kept != 3 || !arrives && kept != 0 {
				t.Errorf("%s, arrives %t: %d were kept", name, arrives, kept)
			}
		}
	}
	if way.broke.Load() != 18 {
		t.Errorf("it broke %d times", way.broke.Load())
	}
}

// brokenWay is a way to a server that breaks once at the end of a transaction.
type brokenWay struct {
	armed   atomic.Bool
	arrives atomic.Bool // the end is passed on, and only the answer is not
	broke   atomic.Int64
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
		defer client.Close()
		text := make([]byte, 64<<10)
		for {
			n, err := server.Read(text)
			if lost.Load() {
				answered <- struct{}{}
				return
			}
			if err != nil {
				return
			}
			if _, err := client.Write(text[:n]); err != nil {
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
			return
		}
		if _, err := server.Write(text[:n]); err != nil {
			return
		}
	}
}
