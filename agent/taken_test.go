package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
)

// leased is a transcript that another machine may take.
type leased struct {
	*session.Transcript
	looks *atomic.Int32
	still func(ctx context.Context, look int) error
}

func (l leased) StillOurs(ctx context.Context) error { return l.still(ctx, int(l.looks.Add(1))) }

// leasing lets the transcript of a world be taken, as the look with a number says.
func leasing(looks *atomic.Int32, still func(ctx context.Context, look int) error) func(*agent.Config) {
	return func(c *agent.Config) { c.Transcript = leased{c.Transcript.(*session.Transcript), looks, still} }
}

// from refuses every look from one on.
func from(first int, err error) func(context.Context, int) error {
	return func(_ context.Context, look int) error {
		if look >= first {
			return err
		}
		return nil
	}
}

var errTaken = &session.Taken{ID: "s1"}

// Each call asks whether the session is still this process's, just before it starts: a worker may have
// been asleep since the last one. One that must not start has not run, the record says so behind
// that of its decision, and the session ends.
func TestD8_NoCallStartsInASessionThatWasTaken(t *testing.T) {
	three := []reply{{calls: []model.Block{use("t1", "Bash", push), use("t2", "Bash", push), use("t3", "Bash", push)}}, {text: "next"}}
	below := []reply{{calls: []model.Block{use("t1", "Task", subtask)}}, {calls: []model.Block{use("s1", "Bash", push)}}, {text: "below"}, {text: "next"}}
	beside := []reply{{calls: []model.Block{use("r1", "Read", read1), use("r2", "Read", read2)}}, {text: "next"}}
	for name, test := range map[string]struct {
		turns    []reply
		still    func(context.Context, int) error
		ran      int
		requests int
		audit    string // empty where it depends on who is first
	}{
		"before the first":  {three, from(1, errTaken), 0, 1, "t1 allow, t1 error"},
		"between two":       {three, from(2, errTaken), 1, 1, "t1 allow, t2 allow, t2 error"},
		"nobody can say":    {three, from(3, errors.New("the database does not answer")), 2, 1, "t1 allow, t2 allow, t3 allow, t3 error"},
		"of a sub-agent":    {below, from(2, errTaken), 0, 2, "t1 allow, s1 allow, s1 error"},
		"beside each other": {beside, from(1, errTaken), 0, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var looks atomic.Int32
			w := newWorld(t, config{mode: permission.BypassPermissions, turns: test.turns, change: leasing(&looks, test.still)})
			result := w.prompt("go")
			if ran := w.tools.list(); len(ran) != test.ran || len(w.model.requests) != test.requests {
				t.Errorf("ran %v, the model was asked %d times", ran, len(w.model.requests))
			}
			if !result.IsError || w.agent.Broken() == nil || !strings.Contains(strings.Join(result.Errors, " "), test.still(nil, 9).Error()) {
				t.Errorf("%+v, broken: %v", result, w.agent.Broken())
			}
			var records []string
			for _, r := range w.audit.records {
				records = append(records, r.ToolUseID+" "+r.Decision)
			}
			if got := strings.Join(records, ", "); got != test.audit && test.audit != "" {
				t.Errorf("on record is %s", got)
			}
		})
	}
}

// A parked call that must not start waits on, as nobody has begun it. Where the session was taken
// when it had begun already, whoever took it has found that, and nothing is said about how it did.
func TestD8_NoParkedCallStartsInASessionThatWasTaken(t *testing.T) {
	for name, test := range map[string]struct {
		look    int
		claimed bool
	}{
		"before it is claimed": {1, false},
		"when it has begun":    {2, true},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}}
			var looks atomic.Int32
			first := parkedBatch(t, 1, nil)
			w := first.again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "finished"}}, change: func(c *agent.Config) {
				inBatches(c)
				leasing(&looks, from(test.look, errTaken))(c)
			}})
			result := w.agent.Resume(t.Context())
			if ran := w.tools.list(); len(ran) != 0 || !result.IsError || w.agent.Broken() == nil || !w.agent.Pending() {
				t.Errorf("ran %v, %+v", ran, result)
			}
			var kinds []session.Kind
			for r, err := range w.transcript.Records() {
				if err != nil {
					t.Fatal(err)
				}
				kinds = append(kinds, r.Kind)
			}
			if slices.Contains(kinds, session.Began) != test.claimed || slices.Contains(kinds, session.Settled) {
				t.Errorf("on record is %v", kinds)
			}
		})
	}
}

// Whoever ends the work while nobody can say whose the session is need not wait: the call has not
// run, and nothing else is wrong.
func TestD8_WhoIsInterruptedDoesNotWaitForTheDatabase(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var looks atomic.Int32
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "next"}}, change: leasing(&looks, func(ctx context.Context, _ int) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	})})
	w.agent.Prompt(ctx, agent.TextPrompt("go"))
	if ran := w.tools.list(); len(ran) != 0 || w.agent.Broken() != nil {
		t.Errorf("ran %v, broken: %v", ran, w.agent.Broken())
	}
}

// A tool that takes its time before it does anything can ask once more.
func TestD8_AToolAsksBeforeItBegins(t *testing.T) {
	var looks atomic.Int32
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "next"}}, change: leasing(&looks, from(2, errTaken))})
	var told error
	w.tools.run = func(ctx context.Context, job tool.Job) tool.Result {
		told = job.Begins(ctx)
		return tool.Fail("not done")
	}
	w.prompt("go")
	if !errors.Is(told, errTaken) {
		t.Errorf("%v", told)
	}
}
