//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/session"
)

const serveToken = "token-of-a-test-0123456789-0123456789"

// A server with its workers is killed again and again, at every moment that matters and at
// any other, while a person answers through its API. No call runs twice, and none is lost.
func TestD8_AServerThatIsKilledLosesNothing(t *testing.T) {
	t.Parallel()
	serverLosesNothing(t, 14, newServeCrash)
}

// The same holds for a server whose sessions lie in a database with a clock that steps.
func TestD8_AServerOverAnUnsteadyDatabaseLosesNothing(t *testing.T) {
	t.Parallel()
	serverLosesNothing(t, 7, newSteppingServeCrash)
}

func serverLosesNothing(t *testing.T, lives int, with func(t *testing.T, seed uint64) *serveCrash) {
	t.Helper()
	seed := uint64(8)
	if os.Getenv("ASSENT_SOAK") != "" {
		lives, seed = 1000, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	c := with(t, seed)
	var person sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	person.Go(func() { c.answerAll(ctx) })
	for n := range lives {
		if c.database != nil {
			c.database.Step(t, clockSteps[n%len(clockSteps)])
		}
		c.live(n)
	}
	c.end()
	stop()
	person.Wait()
	c.judge()
	t.Log(c)
	if c.twice > 0 || c.lost > 0 {
		t.Error("a call ran twice, or was lost")
	}
	if c.unknown.Load() == 0 || c.fell == 0 || c.done < lives {
		t.Error("the kills came at the wrong moments: nothing was put at risk")
	}
}

// serveCrash is a state directory whose server dies often.
type serveCrash struct {
	*place
	t      *testing.T
	store  *approval.Store
	random *rand.Rand
	// database has the sessions and tickets; nil where they are on disk. joined names it to the programs.
	database *testpostgres.Server
	joined   []string
	depot    *depot.Depot
	address  atomic.Pointer[string]
	rounds   []*crashRound
	unknown  atomic.Int32

	fell, random0, done, twice, lost int
}

func (c *serveCrash) String() string {
	return fmt.Sprintf("%d calls, %d servers killed at a named moment and %d at random; %d ran, %d times the outcome was unknown; %d ran twice, %d lost",
		len(c.rounds), c.fell, c.random0, c.done, c.unknown.Load(), c.twice, c.lost)
}

func newServeCrashPlace(t *testing.T, seed uint64) *serveCrash {
	t.Helper()
	c := &serveCrash{place: newPlace(t), t: t, random: rand.New(rand.NewPCG(seed, 0))}
	c.write("end.yaml", "turns: []\nafterwards: Done.\n")
	token := c.write("token", serveToken)
	if err := os.Chmod(token, 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

func newSteppingServeCrash(t *testing.T, seed uint64) *serveCrash {
	t.Helper()
	c := newServeCrashPlace(t, seed)
	c.database = testpostgres.StartStepping(t, testpostgres.Quick)
	address := c.database.Database(t)
	c.joined = []string{databaseVariable + "=" + address}
	j := joining{given: address}
	s, err := j.join(t.Context(), filepath.Join(filepath.Dir(c.home), "watcher"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	c.store, c.depot = s.tickets, s.depot
	return c
}

func newServeCrash(t *testing.T, seed uint64) *serveCrash {
	t.Helper()
	c := newServeCrashPlace(t, seed)
	var err error
	if c.store, err = approval.Open(filepath.Join(c.home, ".assent")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.store.Close() })
	return c
}

// serverProcess is one life of a server.
type serverProcess struct {
	cmd    *exec.Cmd
	ended  chan struct{}
	stderr *lockedText
}

// serve starts a server, and waits until it answers or has died.
func (c *serveCrash) serve(env ...string) *serverProcess {
	c.t.Helper()
	cmd := exec.Command("assent", "serve", "--listen", "127.0.0.1:0", "--token-file", filepath.Join(c.dir, "token"), "--", "--model", "script:"+filepath.Join(c.dir, "end.yaml"))
	s := &serverProcess{cmd: cmd, ended: make(chan struct{}), stderr: &lockedText{}}
	cmd.Dir, cmd.Env, cmd.Stderr = c.dir, c.env(append(env, c.joined...)...), s.stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	link, _ := bufio.NewReader(out).ReadString('\n')
	if link = strings.TrimSpace(link); link != "" {
		c.address.Store(&link)
	}
	go func() {
		_ = cmd.Wait()
		if strings.Contains(s.stderr.String(), "DATA RACE") {
			c.t.Error(s.stderr)
		}
		close(s.ended)
	}()
	return s
}

// live is one life of a server: calls are parked, and it dies.
func (c *serveCrash) live(n int) {
	points := resumePoints()
	point := points[n%len(points)]
	if n%4 == 3 {
		point = "at random"
	}
	for range 1 + c.random.IntN(3) {
		c.park(point)
	}
	once := filepath.Join(c.dir, fmt.Sprintf("once-%d", n))
	if point != "at random" {
		s := c.serve(crashVariable+"="+point, crashOnceVariable+"="+once)
		select {
		case <-s.ended:
			c.fell++
		case <-time.After(2 * patienceOfTests):
			c.t.Errorf("%s: nobody came to that moment\n%s", point, s.stderr)
			c.kill(s)
		}
		return
	}
	s := c.serve()
	select {
	case <-s.ended:
		c.t.Errorf("it has ended by itself\n%s", s.stderr)
	case <-time.After(time.Duration(c.random.IntN(400_000)) * time.Microsecond):
	}
	c.kill(s)
	c.random0++
}

func (c *serveCrash) kill(s *serverProcess) {
	_ = s.cmd.Process.Signal(syscall.SIGKILL)
	<-s.ended
}

// resumePoints are the moments at which a session goes on.
func resumePoints() (points []string) {
	for _, name := range crashpoint.Names() {
		if strings.HasPrefix(name, "resume:") {
			points = append(points, name)
		}
	}
	return points
}

// end lets a last server do what is left, and ends it as a person would.
func (c *serveCrash) end() { c.endWhen((*crashRound).finished) }

// endWhen is end for calls of which more is to be true than that their tickets are done.
func (c *serveCrash) endWhen(enough func(*crashRound) bool) {
	s := c.serve()
	deadline := time.After(4*patienceOfTests + time.Duration(len(c.rounds))*time.Second) // each death leaves more to do
	for _, r := range c.rounds {
		for !enough(r) || r.state() != approval.Done {
			select {
			case <-deadline:
				state, left := r.state(), r.left()
				_ = s.cmd.Process.Signal(syscall.SIGQUIT) // with all that it is at
				<-s.ended
				c.t.Errorf("%s: the ticket of session %s is %s, %s\n%s", r.point, r.id, state, left, s.stderr)
				return
			case <-s.ended:
				c.t.Errorf("it has ended by itself\n%s", s.stderr)
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	<-s.ended
	if status := s.cmd.ProcessState.ExitCode(); status != 0 {
		c.t.Errorf("exit status %d\n%s", status, s.stderr)
	}
	if strings.Contains(s.stderr.String(), serveToken) {
		c.t.Error("the log tells the token")
	}
}

func (c *serveCrash) judge() {
	for _, r := range c.rounds {
		switch times := r.times(); {
		case times > 1:
			c.twice++
		case times == 0 || r.state() != approval.Done || !r.finished():
			c.lost++
		default:
			c.done++
		}
	}
}

// park parks one call in a session of its own.
func (c *serveCrash) park(point string) *crashRound {
	c.t.Helper()
	r := &crashRound{place: c.place, t: c.t, store: c.store, depot: c.depot, worker: "assent", id: session.NewID(), point: point, effects: fmt.Sprintf("effects-%d.", len(c.rounds))}
	c.rounds = append(c.rounds, r)
	c.lay(c.store, r.id, "Bash", map[string]string{"command": "echo ran >> " + r.effects}, c.joined...)
	return r
}

// answerAll is a person who approves what waits and finds out what became of the rest,
// through whichever server is there. What does not work is tried again.
func (c *serveCrash) answerAll(ctx context.Context) {
	for ctx.Err() == nil {
		if address := c.address.Load(); address != nil {
			if web, err := client.New(*address, serveToken); err == nil {
				c.answerOnce(ctx, web)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (c *serveCrash) answerOnce(ctx context.Context, web *client.Client) {
	list, err := web.List(ctx, client.Query{States: []string{"pending", "unknown"}, Limit: 200})
	if err != nil {
		return
	}
	for _, item := range list.Tickets {
		d, err := web.Detail(ctx, item.ID)
		if err != nil {
			return
		}
		switch d.State {
		case "pending":
			_, _ = web.Approve(ctx, item.ID, client.Yes{Digest: item.Digest}) // at worst once more
		case "unknown":
			c.findOut(ctx, web, d)
		}
	}
}

// findOut looks whether a call ran, after everybody has gone who could still run it.
func (c *serveCrash) findOut(ctx context.Context, web *client.Client, d client.Detail) {
	command := strictjson.Raw(d.Input).String()
	name := command[strings.Index(command, "effects-"):strings.LastIndex(command, ".")]
	if alive(name + ".") {
		return
	}
	text, _ := os.ReadFile(filepath.Join(c.dir, name+"."))
	if _, err := web.Resolve(ctx, d.ID, client.Finding{Ran: len(text) > 0}); err == nil {
		c.unknown.Add(1)
	}
}

// alive: a process has the words in its command line. Where nobody can tell, none has.
func alive(words string) bool {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), words) {
			return true
		}
	}
	return false
}
