package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// crashVariable names the moment at which a process of the test kills itself. Of several
// that have a file in common, named by crashOnceVariable, only the first does that.
const (
	crashVariable     = "ASSENT_TEST_CRASH"
	crashOnceVariable = "ASSENT_TEST_CRASH_ONCE"
)

// crashing is a program that dies where the test wants it to. If that is where a call is given back,
// somebody ends the work when it was claimed, and nothing goes on before the program knows.
func crashing(program func()) func() {
	return func() {
		if point := os.Getenv(crashVariable); point != "" {
			told := make(chan struct{})
			ends := strings.HasPrefix(point, "release: ")
			crashpoint.Set(func(name string) {
				switch {
				case ends && name == "resume: begun":
					_ = kill(os.Getpid(), syscall.SIGTERM)
					<-told
				case ends && name == "stop: told":
					close(told)
				}
				if name == point && mayDie(os.Getenv(crashOnceVariable)) {
					_ = kill(os.Getpid(), syscall.SIGKILL)
					select {} // until it arrives
				}
			})
		}
		program()
	}
}

// mayDie: no other process has died before this one, if a file says who has.
func mayDie(once string) bool {
	if once == "" {
		return true
	}
	f, err := os.OpenFile(once, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// A parked call is approved, and up to eight processes go on with the session at once. One
// of them is killed while it runs the call: at every moment that matters, and at any other.
// Then others go on.
// The call never runs twice, and is never lost: either it ran, or a person is told that
// nobody knows, and what the person finds out is what happens next.
func TestD8_AParkedCallRunsOnce(t *testing.T) {
	rounds, seed := 24, uint64(11)
	if os.Getenv("ASSENT_SOAK") != "" {
		rounds, seed = 1000, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	report := crashRounds(t, rounds, seed, "assent")
	t.Logf("%s", report)
	if report.twice > 0 || report.lost > 0 {
		t.Error("a call ran twice, or was lost")
	}
	if report.slowest > mostUnknown {
		t.Errorf("after %v somebody could see that the outcome is unknown, at most %v are promised", report.slowest, mostUnknown)
	}
	if report.unknown == 0 || report.done == 0 || report.fell == 0 {
		t.Error("the kills came at the wrong moments: nothing was put at risk")
	}
}

// mostUnknown is how long after the next start people see that nobody knows how a call
// ended.
const mostUnknown = 15 * time.Second

// A worker that runs what is not known to have ended once more, as job queues do, must
// not pass the same test.
func TestD8_ANaiveWorkerRunsCallsTwice(t *testing.T) {
	report := crashRounds(t, 24, 11, "assent-naive")
	t.Logf("%s", report)
	if report.twice == 0 {
		t.Error("the test does not notice that a call ran twice")
	}
}

// crashReport counts how rounds ended.
type crashReport struct {
	mu                               sync.Mutex
	rounds, notParked, done, unknown int
	twice, lost                      int
	fell                             int // killed at a named moment, among several that went on
	kills                            map[string]int
	// slowest is how long it took at most until a ticket said that the outcome is unknown,
	// from the start of the next process on.
	slowest time.Duration
}

func (r *crashReport) String() string {
	return fmt.Sprintf("%d rounds: %d not parked yet, %d killed among several, %d ran, %d times the outcome was unknown; after %v at most; %d ran twice, %d lost; kills: %v",
		r.rounds, r.notParked, r.fell, r.done, r.unknown, r.slowest, r.twice, r.lost, r.kills)
}

func crashRounds(t *testing.T, rounds int, seed uint64, worker string) *crashReport {
	t.Helper()
	p := crashPlace(t)
	report := &crashReport{kills: map[string]int{}}
	points := append(crashpoint.Names(), "at random")
	limit := make(chan struct{}, 3)
	var all sync.WaitGroup
	for n := range rounds {
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			c := &crashRound{
				place: p.place, t: t, store: p.store, worker: worker, random: rand.New(rand.NewPCG(seed, uint64(n))),
				id: session.NewID(), point: points[n%len(points)], effects: fmt.Sprintf("effects-%d", n),
			}
			c.run(report)
		})
	}
	all.Wait()
	return report
}

// crashSite is where sessions park their calls, and the tickets of those.
type crashSite struct {
	*place
	store *approval.Store
}

func crashPlace(t *testing.T) *crashSite {
	t.Helper()
	p := &crashSite{place: newPlace(t)}
	hook := p.write("defer.sh", "#!/bin/sh\necho '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"defer\"}}'\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	p.write("settings.json", p.deferring(""))
	p.write("end.yaml", "turns: []\nafterwards: Done.\n")
	var err error
	if p.store, err = approval.Open(filepath.Join(p.home, ".assent")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.store.Close() })
	return p
}

// deferring is settings with the hook that parks every call, and more.
func (p *crashSite) deferring(more string) string {
	return `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"` + filepath.Join(p.dir, "defer.sh") + `"}]}]}` + more + `}`
}

// crashRound is one session with one call.
type crashRound struct {
	*place
	settings string // the file; empty means settings.json
	t        *testing.T
	store    *approval.Store
	depot    *depot.Depot // which has the session; nil where it is on disk
	worker   string
	random   *rand.Rand
	id       string
	point    string
	// effects is the file to which the call adds a line each time it runs.
	effects string

	mu   sync.Mutex
	said []string // by those who went on
}

func (c *crashRound) run(report *crashReport) {
	script := c.write(c.effects+".yaml", fmt.Sprintf("turns:\n  - call: {Bash: {command: 'echo ran >> %s'}}\nafterwards: Done.\n", c.effects))
	c.start(c.crashEnv("park"), "--session-id", c.id, "--model", "script:"+script, "go")
	report.count(func() { report.rounds++; report.kills[c.point]++ })
	ticket := c.parked()
	if ticket == nil { // it died before anybody was told
		report.count(func() { report.notParked++ })
		if n := c.times(); n > 0 {
			c.t.Errorf("%s: it ran %d times before anybody was asked", c.point, n)
		}
		return
	}
	c.approve(*ticket)
	c.together(1+c.random.IntN(8), c.crashEnv("resume"))
	switch at := strings.HasPrefix(c.point, "resume:"); {
	case at && c.fell():
		report.count(func() { report.fell++ })
	case at && c.worker == "assent": // whoever got hold of the session had to come by
		c.t.Errorf("%s: nobody came to that moment, but said: %q", c.point, c.said)
	}
	next := time.Now()
	c.together(1+c.random.IntN(3), nil)
	c.judge(report, next)
}

// together lets several processes go on with the session at once. Whichever of them comes
// to the moment of the round dies there; a death at random is that of the first.
func (c *crashRound) together(n int, env []string) {
	var all sync.WaitGroup
	for i := range n {
		one := env
		if c.point == "at random" && i > 0 {
			one = nil
		}
		all.Go(func() { c.resume(one) })
	}
	all.Wait()
}

// once is the file that says that a process of the round has died at its moment.
func (c *crashRound) once() string { return filepath.Join(c.dir, c.effects+".once") }

// fell: a process has died at the moment of the round.
func (c *crashRound) fell() bool {
	_, err := os.Stat(c.once())
	return err == nil
}

// judge looks at what has become of the call. next is when somebody looked first after the
// death.
func (c *crashRound) judge(report *crashReport, next time.Time) {
	state := c.state()
	if state == approval.Unknown {
		took := c.since(next, approval.Unknown)
		report.count(func() { report.unknown++; report.slowest = max(report.slowest, took) })
		c.findOut()
		state = c.state()
	}
	times, finished := c.times(), c.finished()
	report.count(func() {
		switch {
		case times > 1:
			report.twice++
		case times == 0 || state != approval.Done || !finished:
			report.lost++
			c.t.Logf("%s: the ticket is %s, the call ran %d times, the session has finished: %v; those who went on said: %q", c.point, state, times, finished, c.said)
		default:
			report.done++
		}
	})
}

func (r *crashReport) count(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// crashEnv lets a process die if the round wants it to die in that phase.
func (c *crashRound) crashEnv(phase string) []string {
	if strings.HasPrefix(c.point, phase+":") {
		return []string{crashVariable + "=" + c.point, crashOnceVariable + "=" + c.once()}
	}
	if c.point == "at random" && phase == "resume" {
		return []string{crashVariable + "=" + c.point}
	}
	return nil
}

// start runs the agent to its end, or to its death.
func (c *crashRound) start(env []string, args ...string) string {
	settings := cmp.Or(c.settings, filepath.Join(c.dir, "settings.json"))
	return c.process("assent", env, append([]string{"-p", "--settings", settings}, args...)...)
}

// process runs a program. A death at random comes within the first tenths of a second.
func (c *crashRound) process(program string, env []string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patienceOfTests)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = c.dir, c.env(env...)
	if len(env) > 0 && strings.HasSuffix(env[0], "at random") {
		killed, kill := context.WithTimeout(ctx, time.Duration(c.random.IntN(400_000))*time.Microsecond)
		defer kill()
		cmd = exec.CommandContext(killed, program, args...)
		cmd.Dir, cmd.Env = c.dir, c.env()
	}
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		c.t.Errorf("%s: %s hangs: %v\n%s", c.point, program, err, out)
	}
	if strings.Contains(string(out), "DATA RACE") {
		c.t.Errorf("%s", out)
	}
	return string(out)
}

// resume goes on with the session, as the worker under test does it.
func (c *crashRound) resume(env []string) {
	if c.worker == "assent" {
		out := c.start(env, "--resume", c.id, "--model", "script:"+filepath.Join(c.dir, "end.yaml"))
		c.mu.Lock()
		defer c.mu.Unlock()
		c.said = append(c.said, out)
		return
	}
	c.process(c.worker, env, filepath.Join(c.home, ".assent"), c.id)
}

// parked is the ticket of the call, made from the transcript if the process died before
// it could make one; nil when the call is not parked.
func (c *crashRound) parked() *approval.Ticket {
	before, err := session.NewStore(filepath.Join(c.home, ".assent", "sessions")).Load(c.id)
	if err != nil {
		c.t.Errorf("%s: %v", c.point, err)
		return nil
	}
	if before.Pending == nil {
		return nil
	}
	call := before.Pending.Calls[0]
	ticket, err := c.store.Park(context.Background(), approval.Parking{
		Call: approval.Call{Session: c.id, ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input, Cwd: call.Cwd}, At: call.Since, By: "test",
	})
	if err != nil {
		c.t.Errorf("%s: %v", c.point, err)
	}
	return &ticket
}

func (c *crashRound) approve(ticket approval.Ticket) {
	if _, err := c.store.Approve(context.Background(), ticket.ID, ticket.Digest, "ann", "", nil); err != nil {
		c.t.Errorf("%s: %v", c.point, err)
	}
}

func (c *crashRound) ticket() approval.Ticket {
	list, err := c.store.List(context.Background(), approval.Query{Session: c.id})
	if err != nil || len(list) != 1 {
		c.t.Errorf("%s: %v, %v", c.point, list, err)
		return approval.Ticket{}
	}
	return list[0]
}

func (c *crashRound) state() approval.State { return c.ticket().State }

// since is how long after a moment the ticket has come to a state.
func (c *crashRound) since(moment time.Time, state approval.State) time.Duration {
	history, err := c.store.History(context.Background(), c.ticket().ID)
	if err != nil {
		c.t.Error(err)
	}
	for _, e := range slices.Backward(history) {
		if e.To == state {
			return e.At.Sub(moment)
		}
	}
	c.t.Errorf("%s: the ticket has never been %s", c.point, state)
	return 0
}

// times is how often the call ran.
func (c *crashRound) times() int {
	text, err := os.ReadFile(filepath.Join(c.dir, c.effects))
	if err != nil && !os.IsNotExist(err) {
		c.t.Error(err)
	}
	return strings.Count(string(text), "ran\n")
}

// findOut is a person who looks whether the call ran, says so, and approves it again if
// it did not.
func (c *crashRound) findOut() {
	word := "--not-run"
	if c.times() > 0 {
		word = "--ran"
	}
	out := c.process("assent", nil, "sessions", "resolve", c.id, word)
	if c.state() == approval.Unknown {
		c.t.Errorf("%s: %s", c.point, out)
		return
	}
	if word == "--not-run" {
		c.approve(c.ticket())
	}
	c.resume(nil)
}

// finished: the model was told the result, and has said its last word.
func (c *crashRound) finished() bool {
	if c.depot != nil {
		return atItsEnd(c.t.Context(), c.depot, c.id)
	}
	after, err := session.NewStore(filepath.Join(c.home, ".assent", "sessions")).Load(c.id)
	if err != nil || after.Pending != nil || len(after.Messages) < 4 {
		return false
	}
	told, last := after.Messages[2], after.Messages[len(after.Messages)-1]
	return told.Content[0].Kind == model.ToolResult && last.Role == model.Assistant
}

// left is what the transcript says, and whether a crew knows that there is something to do.
func (c *crashRound) left() string {
	state := filepath.Join(c.home, ".assent")
	after, err := session.NewStore(filepath.Join(state, "sessions")).Load(c.id)
	noted, _ := filepath.Glob(filepath.Join(state, "inbox", "going", c.id))
	return fmt.Sprintf("its transcript has %d messages, waits: %t, cut: %t, %v; noted: %q", len(after.Messages), after.Pending != nil, after.Cut, err, noted)
}

// naiveWorker runs what was approved, and what an earlier worker has begun and not ended.
func naiveWorker() {
	if err := workNaively(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func workNaively(state, id string) error {
	ctx := context.Background()
	transcript, err := session.NewStore(filepath.Join(state, "sessions")).Resume(id)
	if err != nil {
		return err
	}
	defer transcript.Close()
	before, err := transcript.Conversation()
	if err != nil || before.Pending == nil {
		return err
	}
	store, err := approval.Open(state)
	if err != nil {
		return err
	}
	defer store.Close()
	call := before.Pending.Calls[0]
	ticket, err := store.OfCall(ctx, id, call.ToolUseID)
	if err != nil {
		return err
	}
	fence := ticket.Fence
	if ticket.State == approval.Approved {
		if fence, err = store.Claim(ctx, ticket.ID, ticket.Call, nil, "naive"); err != nil {
			return err
		}
	}
	crashpoint.Here("resume: claimed")
	crashpoint.Here("resume: begun")
	command := strings.TrimSuffix(strings.SplitN(call.Input.String(), `"command":"`, 2)[1], `"}`)
	if err := exec.Command("sh", "-c", command).Run(); err != nil {
		return err
	}
	crashpoint.Here("resume: ran")
	result := model.Block{Kind: model.ToolResult, ToolUseID: call.ToolUseID, Result: []model.Block{model.TextBlock("done")}}
	for _, m := range []model.Message{
		{Role: model.User, Content: []model.Block{result}}, {Role: model.Assistant, Content: []model.Block{model.TextBlock("Done.")}},
	} {
		if err := transcript.Append(session.Said, m); err != nil {
			return err
		}
		crashpoint.Here("resume: settled")
	}
	return store.Finish(ctx, ticket.ID, fence, true, "")
}

// atItsEnd reports whether a session in a database has come to its end.
func atItsEnd(ctx context.Context, d *depot.Depot, id string) bool {
	var copied paper
	if err := d.Bring(ctx, id, &copied, 0); err != nil {
		return false
	}
	lines := bytes.Split(bytes.TrimSpace(copied), []byte("\n"))
	last := lines[len(lines)-1]
	// Who dies between the last word of the model and the end has nothing left to do.
	return bytes.Contains(last, []byte(`"kind":"`+string(session.Ended)+`"`)) || bytes.Contains(last, []byte(`"role":"assistant"`))
}

// paper is a copy of a transcript that lies nowhere: whoever has a session open while others
// start commands of people would be taken for an agent that answers itself.
type paper []byte

func (p *paper) ReadAt(b []byte, at int64) (int, error) { return bytes.NewReader(*p).ReadAt(b, at) }

func (p *paper) WriteAt(b []byte, at int64) (int, error) {
	*p = append((*p)[:at], b...)
	return len(b), nil
}

func (p *paper) Truncate(size int64) error {
	*p = (*p)[:size]
	return nil
}
