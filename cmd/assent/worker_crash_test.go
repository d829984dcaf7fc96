//go:build unix

package main

import (
	"context"
	"errors"
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
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/session"
)

// Four workers go on with what a person approves, in one database. They are killed again and
// again, at every moment that matters and at any other, and so is the database, whose clock
// steps by up to an hour. No call runs twice, and none is lost: either it ran, or a person is
// told that nobody knows, and what the person finds out is what happens next.
func TestD8_WorkersThatAreKilledLoseNothing(t *testing.T) {
	t.Parallel()
	calls, seed := 16, uint64(5)
	if os.Getenv("ASSENT_SOAK") != "" {
		calls, seed = 1000, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	c := newWorkerCrash(t, seed)
	for range calls {
		c.park()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var group sync.WaitGroup
	group.Go(func() { c.answerAll(ctx) })
	c.chaos(ctx, 4, calls)
	c.settle(ctx)
	stop()
	group.Wait()
	c.judge()
	t.Logf("%s", c)
	if c.twice > 0 || c.lost > 0 || c.done != calls {
		t.Error("a call ran twice, or was lost")
	}
}

// workerCrash is workers that share a database.
type workerCrash struct {
	*place
	t       *testing.T
	server  *testpostgres.Server
	address string
	store   *approval.Store
	depot   *depot.Depot
	random  *rand.Rand
	rounds  []*workerRound
	unknown atomic.Int32

	kills, restarts, steps, done, twice, lost int
}

func (c *workerCrash) String() string {
	return fmt.Sprintf("%d calls, %d workers killed, the database %d times, its clock stepped %d times; %d ran, %d times the outcome was unknown; %d ran twice, %d lost",
		len(c.rounds), c.kills, c.restarts, c.steps, c.done, c.unknown.Load(), c.twice, c.lost)
}

// clockSteps are how far the clock of a database may suddenly be off.
var clockSteps = []time.Duration{time.Hour, -time.Hour, 0, -20 * time.Second, 5 * time.Second}

// workerRound is one call in a session of its own.
type workerRound struct{ id, ticket, effects string }

func newWorkerCrash(t *testing.T, seed uint64) *workerCrash {
	t.Helper()
	c := &workerCrash{place: newPlace(t), t: t, server: testpostgres.StartStepping(t, testpostgres.Quick), random: rand.New(rand.NewPCG(seed, 0))}
	c.write("end.yaml", "turns: []\nafterwards: Done.\n")
	c.address = c.server.Database(t)
	j := joining{given: c.address}
	s, err := j.join(t.Context(), filepath.Join(filepath.Dir(c.home), "watcher"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	c.store, c.depot = s.tickets, s.depot
	return c
}

// park parks one call in a session of its own.
func (c *workerCrash) park() *workerRound { return c.parkThen("") }

// parkThen is park for a call that does something more.
func (c *workerCrash) parkThen(more string) *workerRound {
	c.t.Helper()
	r := &workerRound{id: session.NewID(), effects: fmt.Sprintf("effects-%d.", len(c.rounds))}
	r.ticket = c.lay(c.store, r.id, "Bash", map[string]string{"command": "echo ran >> " + r.effects + more}, databaseVariable+"="+c.address).ID
	c.rounds = append(c.rounds, r)
	return r
}

// workerProcess is one life of a worker.
type workerProcess struct {
	cmd    *exec.Cmd
	ended  chan struct{}
	stderr *lockedText
}

// work starts a worker on a machine of its own.
func (c *workerCrash) work(machine int, env ...string) *workerProcess {
	return c.workAs(machine, "end.yaml", nil, env...)
}

// workAs starts a worker with a model and with flags.
func (c *workerCrash) workAs(machine int, script string, flags []string, env ...string) *workerProcess {
	home := filepath.Join(filepath.Dir(c.home), fmt.Sprint("machine", machine))
	if err := os.MkdirAll(home, 0o700); err != nil {
		c.t.Error(err)
	}
	args := append([]string{"worker", "--verbose"}, flags...)
	cmd := exec.Command("assent", append(args, "--", "--model", "script:"+filepath.Join(c.dir, script))...)
	w := &workerProcess{cmd: cmd, ended: make(chan struct{}), stderr: &lockedText{}}
	cmd.Dir, cmd.Stderr = c.dir, w.stderr
	cmd.Env = c.env(append(env, "HOME="+home, databaseVariable+"="+c.address)...)
	if err := cmd.Start(); err != nil {
		c.t.Error(err)
		close(w.ended)
		return w
	}
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		if strings.Contains(w.stderr.String(), "DATA RACE") {
			c.t.Error(w.stderr)
		}
		close(w.ended)
	}()
	return w
}

func (w *workerProcess) kill() {
	_ = w.cmd.Process.Signal(syscall.SIGKILL)
	<-w.ended
}

// chaos lets workers live and die, so often in all, and the database now and then.
func (c *workerCrash) chaos(ctx context.Context, machines, deaths int) {
	points := resumePoints()
	var mu sync.Mutex
	next := func() (n int, point string, patience time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		n = c.kills
		c.kills++
		if n%4 == 3 {
			return n, "", time.Duration(c.random.IntN(900)) * time.Millisecond
		}
		return n, points[n%len(points)], 3 * time.Second
	}
	var group sync.WaitGroup
	for machine := range machines {
		group.Go(func() {
			for ctx.Err() == nil {
				n, point, patience := next()
				if n >= deaths {
					mu.Lock()
					c.kills--
					mu.Unlock()
					return
				}
				var env []string
				if point != "" {
					env = []string{crashVariable + "=" + point}
				}
				w := c.work(machine, env...)
				select {
				case <-w.ended:
				case <-time.After(patience): // it has nothing to do, or not that
					w.kill()
				}
				if n%8 == 7 {
					mu.Lock()
					c.server.Step(c.t, clockSteps[c.steps%len(clockSteps)])
					c.steps++
					mu.Unlock()
				}
				if n > 0 && n%max(deaths/4, 1) == 0 {
					mu.Lock()
					c.server.Kill(c.t)
					c.server.Again(c.t)
					c.restarts++
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
}

// settle lets workers that nobody kills do what is left.
func (c *workerCrash) settle(ctx context.Context) {
	var all []*workerProcess
	for machine := range 4 {
		all = append(all, c.work(machine))
	}
	deadline := time.Now().Add(4*patienceOfTests + time.Duration(len(c.rounds))*time.Second)
	for _, r := range c.rounds {
		for !c.over(ctx, r) {
			if time.Now().After(deadline) {
				c.t.Errorf("session %s has not come to its end: %s\n%s", r.id, c.state(ctx, r), all[0].stderr)
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	for _, w := range all {
		_ = w.cmd.Process.Signal(syscall.SIGTERM)
		<-w.ended
		if status := w.cmd.ProcessState.ExitCode(); status != 0 {
			c.t.Errorf("exit status %d\n%s", status, w.stderr)
		}
	}
}

func (c *workerCrash) state(ctx context.Context, r *workerRound) approval.State {
	t, err := c.store.Find(ctx, r.ticket)
	if err != nil {
		return approval.State(err.Error())
	}
	return t.State
}

// over: the call is done, and its session has come to its end.
func (c *workerCrash) over(ctx context.Context, r *workerRound) bool {
	return c.state(ctx, r) == approval.Done && atItsEnd(ctx, c.depot, r.id)
}

func (c *workerCrash) times(r *workerRound) int {
	text, _ := os.ReadFile(filepath.Join(c.dir, r.effects)) // without one it did not run
	return strings.Count(string(text), "ran")
}

func (c *workerCrash) judge() {
	for _, r := range c.rounds {
		switch times := c.times(r); {
		case times > 1:
			c.twice++
		case times == 0 || !c.over(context.Background(), r):
			c.lost++
		default:
			c.done++
		}
	}
}

// answerAll is a person who approves what waits, and finds out what became of the rest.
func (c *workerCrash) answerAll(ctx context.Context) {
	for ctx.Err() == nil {
		list, err := c.store.List(ctx, approval.Query{States: []approval.State{approval.Pending, approval.Unknown}})
		if err != nil && ctx.Err() == nil {
			if _, away := errors.AsType[*database.Unusable](err); !away {
				c.t.Error(err)
			}
		}
		for _, t := range list {
			if t.State == approval.Pending {
				_, _ = c.store.Approve(ctx, t.ID, t.Digest, "ann", "", nil) // at worst once more
				continue
			}
			c.findOut(ctx, t)
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// findOut looks whether a call ran, after everybody has gone who could still run it.
func (c *workerCrash) findOut(ctx context.Context, t approval.Ticket) {
	for _, r := range c.rounds {
		if r.ticket != t.ID || alive(r.effects) {
			continue
		}
		if c.resolve(ctx, r, c.times(r) > 0) == nil {
			c.unknown.Add(1)
		}
	}
}

// resolve says what became of a call, as a person does.
func (c *workerCrash) resolve(ctx context.Context, r *workerRound, ran bool) error {
	found := "--not-run"
	if ran {
		found = "--ran"
	}
	cmd := exec.CommandContext(ctx, "assent", "sessions", "resolve", r.ticket, found)
	cmd.Dir, cmd.Env = c.dir, c.env(databaseVariable+"="+c.address)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// When a worker dies in the middle of a call another one takes its session over, within a
// quarter of a minute and whatever the clock of the database does: a person is told that nobody
// knows how the call did.
func TestD8_ADeadWorkersSessionIsTakenOver(t *testing.T) {
	for _, step := range clockSteps[:3] {
		t.Run(step.String(), func(t *testing.T) {
			t.Parallel()
			isTakenOver(t, step)
		})
	}
}

func isTakenOver(t *testing.T, step time.Duration) {
	c := newWorkerCrash(t, 1)
	r := c.park()
	first := c.work(0, crashVariable+"=resume: begun")
	_, err := c.store.Approve(t.Context(), r.ticket, mustFind(t, c.store, r.ticket).Digest, "ann", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-first.ended:
	case <-time.After(patienceOfTests):
		t.Fatalf("it does not take the session\n%s", first.stderr)
	}
	died := time.Now()
	c.server.Step(t, step)
	second := c.workAs(1, "end.yaml", []string{"--metrics", ":0"})
	defer second.kill()
	for c.state(t.Context(), r) != approval.Unknown {
		if time.Since(died) > 15*time.Second {
			t.Fatalf("after %s it is %s\n%s", time.Since(died), c.state(t.Context(), r), second.stderr)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Logf("taken over after %s", time.Since(died))
	if err := c.resolve(t.Context(), r, false); err != nil {
		t.Fatal(err)
	}
	if _, err := c.store.Approve(t.Context(), r.ticket, mustFind(t, c.store, r.ticket).Digest, "ann", "", nil); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patienceOfTests); !c.over(t.Context(), r); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not go on: %s\n%s", c.state(t.Context(), r), second.stderr)
		}
	}
	if n := c.times(r); n != 1 {
		t.Errorf("it ran %d times", n)
	}
	figureOf(t, second.stderr, "assent_sessions_interrupted_total 1")
}

func mustFind(t *testing.T, s *approval.Store, id string) approval.Ticket {
	t.Helper()
	found, err := s.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
