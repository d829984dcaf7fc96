//go:build unix

package main

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// network is one between a machine and the database, which swallows everything while it is cut.
type network struct {
	address string // by which the database is reached
	mu      sync.RWMutex
}

// cut swallows what is sent from now on, and mend lets it through again.
func (n *network) cut()  { n.mu.Lock() }
func (n *network) mend() { n.mu.Unlock() }

// networkTo makes a network to a database that listens at a socket.
func networkTo(t *testing.T, address string) *network {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	const socket = ".s.PGSQL.5432"
	dir, err := os.MkdirTemp("", "network") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	q := at.Query()
	far := filepath.Join(q.Get("host"), socket)
	door, err := net.Listen("unix", filepath.Join(dir, socket))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = door.Close() })
	q.Set("host", dir)
	at.RawQuery = q.Encode()
	n := &network{address: at.String()}
	go func() {
		for {
			near, err := door.Accept()
			if err != nil { // the test is over
				return
			}
			go n.join(near, far)
		}
	}()
	return n
}

// join lets through what two sides send, until one of them has gone.
func (n *network) join(near net.Conn, address string) {
	defer near.Close()
	far, err := net.Dial("unix", address)
	if err != nil {
		return
	}
	defer far.Close()
	go n.carry(far, near)
	n.carry(near, far)
}

func (n *network) carry(from, to net.Conn) {
	defer to.Close()
	for data := make([]byte, 64<<10); ; {
		size, err := from.Read(data)
		if err != nil {
			return
		}
		n.mu.RLock()
		_, err = to.Write(data[:size])
		n.mu.RUnlock()
		if err != nil {
			return
		}
	}
}

// settleIn gives a machine settings of its own: a hook of it runs before each command.
func (c *workerCrash) settleIn(machine string, hook string) {
	c.t.Helper()
	dir := filepath.Join(filepath.Dir(c.home), machine, ".claude")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		c.t.Fatal(err)
	}
	path := c.write(machine+".sh", hook+"\necho '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\"}}'\n")
	text := `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"sh ` + path + `"}]}]}}`
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// A worker is cut off from the database while a hook of a call runs, which allows the call. Another one
// has taken the session and ended it before the hook has: the call does not start.
func TestD8_AWorkerThatWasCutOffStartsNoCall(t *testing.T) {
	t.Parallel()
	c := newWorkerCrash(t, 1)
	for script, command := range map[string]string{"one.yaml": "echo one >> after", "two.yaml": "echo two >> after"} {
		c.write(script, "turns:\n  - call: {Bash: {command: "+command+"}}\nafterwards: Done.\n")
	}
	c.settleIn("machine0", "if grep -q 'one >> after'; then touch asked; until test -e gate; do sleep 0.05; done; touch answered; fi")
	c.settleIn("machine1", "")
	r := c.park()
	between, direct := networkTo(t, c.address), c.address
	c.address = between.address
	first := c.workAs(0, "one.yaml", nil)
	defer first.kill()
	c.address = direct
	c.until("the first one is ready", patienceOfTests, func() bool { return strings.Contains(first.stderr.String(), "is ready") }, first)
	c.approve(r)
	c.until("its hook runs", patienceOfTests, func() bool { return c.place.has("asked") }, first)
	between.cut()
	second := c.workAs(1, "two.yaml", nil)
	defer second.kill()
	c.until("another one has gone on with it", takeover+patienceOfTests, func() bool { return c.has(r, "Done.") }, second)
	c.write("gate", "")
	c.until("its hook has allowed the call", patienceOfTests, func() bool { return c.place.has("answered") }, first)
	between.mend()
	c.until("the first one has noticed", patienceOfTests, func() bool { return strings.Contains(first.stderr.String(), "taken over by another machine") }, first)
	text, err := os.ReadFile(filepath.Join(c.dir, "after"))
	if err != nil || string(text) != "two\n" {
		t.Errorf("%q, %v\n%s", text, err, first.stderr)
	}
}

// A platform that kills what does not end in the time that was promised must not have to, also where the
// database does not answer any more.
func TestD8_ADrainEndsInTimeWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	c := newWorkerCrash(t, 1)
	r := c.parkThen("; exec sleep 100")
	between := networkTo(t, c.address)
	c.address = between.address
	first := c.workAs(0, "end.yaml", []string{"--drain", "10ms"})
	defer first.kill()
	c.until("it is ready", patienceOfTests, func() bool { return strings.Contains(first.stderr.String(), "is ready") }, first)
	c.approve(r)
	c.until("the call runs", patienceOfTests, func() bool { return c.times(r) == 1 }, first)
	between.cut()
	defer between.mend()
	began := time.Now()
	if err := first.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-first.ended:
	case <-time.After(patienceOfTests):
	}
	if took := time.Since(began); took > 10*time.Second || !strings.Contains(first.stderr.String(), "the worker has drained") {
		t.Errorf("it took %s\n%s", took, first.stderr)
	}
}
