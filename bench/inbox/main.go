//go:build ignore

// Command inbox measures the inbox and prints what it has found as JSON, in nanoseconds:
//
//	inbox start DIRECTORY NUMBER    from an approval to the start of the tool
//	inbox cycles DIRECTORY NUMBER   approve, claim and finish, in turn with commits of one row
//	inbox page DIRECTORY NUMBER     the first page of so many tickets
//	inbox follow DIRECTORY NUMBER   a change, until so many clients have been told
//
// It is built from the directory above this module, by the names of its files: the database
// is a dependency of the program, and should not become one of the other comparisons.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/internal/heap"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/settings/oslinks"
	"github.com/assent-dev/assent/tool"
)

func main() {
	heap.Roomy() // as the server does
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "inbox:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: inbox start|cycles|page|follow DIRECTORY NUMBER")
	}
	n, err := strconv.Atoi(args[2])
	if err != nil || n < 1 {
		return errors.New("the number must be above 0")
	}
	measures := map[string]func(*place, int) (map[string]int64, error){"start": start, "cycles": cycles, "page": page, "follow": follow}
	measure, ok := measures[args[0]]
	if !ok {
		return fmt.Errorf("there is no measure %q", args[0])
	}
	p, err := open(args[1])
	if err != nil {
		return err
	}
	found, err := measure(p, n)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

// place is a state directory, a project, and the tickets.
type place struct {
	home, state, project string
	tickets              *approval.Store
	sessions             *session.Store
	// after: a server.
	server  *inbox.Server
	address string
	client  *http.Client
}

func open(dir string) (*place, error) {
	p := &place{home: filepath.Join(dir, "home"), state: filepath.Join(dir, "state"), project: filepath.Join(dir, "project")}
	for _, name := range []string{p.home, p.project} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return nil, err
		}
	}
	var err error
	if p.tickets, err = approval.Open(p.state); err != nil {
		return nil, err
	}
	p.sessions = session.NewStore(filepath.Join(p.state, "sessions"))
	if err := p.tickets.Share(8); err != nil {
		return nil, err
	}
	return p, p.ring(nil)
}

// ring sets a bell with every change, as the program does, and makes the tables for them. With a
// server they are heard.
func (p *place) ring(server *inbox.Server) error {
	c := herald.Config{Tickets: p.tickets}
	if server != nil {
		c.TakeUp = server.TakeUp
	}
	h, err := herald.New(context.Background(), c)
	if err != nil {
		return err
	}
	if server == nil {
		herald.Ring(p.tickets)
		return nil
	}
	go func() { _ = h.Work(context.Background()) }()
	return nil
}

const token = "0123456789-0123456789-0123456789-0123456789"

// serve starts a server on loopback. Without a way to go on sessions stay where they are.
func (p *place) serve(resume func(context.Context, string, []permission.Update) error) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.address = "http://" + listener.Addr().String()
	p.server, err = inbox.New(inbox.Config{
		Dir: p.state, Tickets: p.tickets, Sessions: p.sessions, Checker: p.rules, Token: token, Hosts: []string{listener.Addr().String()},
		Who: "bench", Version: "bench", Resume: resume,
	})
	if err != nil {
		return err
	}
	if resume != nil {
		p.server.Employ(4)
	}
	if err := p.ring(p.server); err != nil {
		return err
	}
	p.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	go func() { _ = p.server.Run(context.Background()) }()
	go func() { _ = p.server.HTTP().Serve(listener) }()
	return p.until(func() bool { _, err := p.ask("GET", "/readyz", ""); return err == nil })
}

func (p *place) rules(cwd string) (*policy.Checker, error) {
	set, err := tool.NewSet(tool.Builtin()...)
	return &policy.Checker{Tools: set, Links: oslinks.Links{}, Settings: p.settings(cwd)}, err
}

func (p *place) settings(cwd string) settings.Options {
	return settings.Options{Dir: cwd, Home: p.home, StateDir: p.state, ManagedFiles: []string{}}
}

// ask makes a request and reads the answer.
func (p *place) ask(method, path, body string) ([]byte, error) {
	r, err := http.NewRequest(method, p.address+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := p.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, text)
	}
	return text, err
}

// until waits until something is so.
func (p *place) until(so func() bool) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if so() {
			return nil
		}
	}
	return errors.New("it takes too long")
}

// call is one that waits.
func (p *place) call(id string, n int) approval.Call {
	input := fmt.Sprintf(`{"command":"echo %d > done-%d"}`, n, n)
	return approval.Call{Session: id, ToolUseID: fmt.Sprint("toolu_", n), Tool: "Bash", Input: []byte(input), Cwd: p.project}
}

func at(all []time.Duration, share float64) int64 {
	slices.Sort(all)
	return all[min(int(float64(len(all))*share), len(all)-1)].Nanoseconds()
}
