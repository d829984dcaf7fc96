package agent_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// thinker is a classifier that does what a test wants and notes what it was asked.
type thinker struct {
	mu    sync.Mutex
	asked []classify.Question
	think func(ctx context.Context, q classify.Question) (classify.Verdict, error)
}

func (*thinker) Name() string { return "thinker" }

func (c *thinker) Classify(ctx context.Context, q classify.Question) (classify.Verdict, error) {
	c.mu.Lock()
	c.asked = append(c.asked, q)
	c.mu.Unlock()
	return c.think(ctx, q)
}

// times is how often it was asked.
func (c *thinker) times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.asked)
}

// disturbed is how often a person was asked, who may still be thinking.
func disturbed(p *person) int {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

// after is a classifier that takes its time.
func after(d time.Duration, outcome classify.Outcome) *thinker {
	return &thinker{think: func(ctx context.Context, _ classify.Question) (classify.Verdict, error) {
		select {
		case <-time.After(d):
			return classify.Verdict{Outcome: outcome, Reasons: []string{"it was thought over"}}, nil
		case <-ctx.Done():
			return classify.Verdict{}, ctx.Err()
		}
	}}
}

// slowly is a person who takes their time.
func slowly(d time.Duration, behavior permission.Behavior) *person {
	return &person{answer: func(ctx context.Context, _ agent.Question) (permission.Answer, error) {
		select {
		case <-time.After(d):
			return permission.Answer{Behavior: behavior}, nil
		case <-ctx.Done():
			return permission.Answer{}, ctx.Err()
		}
	}}
}

func judgedBy(c classify.Classifier) func(*agent.Config) {
	return func(config *agent.Config) { config.Classifier = c }
}

func oneCall(name, input string) []reply {
	return []reply{{calls: []model.Block{use("t1", name, input)}}, {text: "ok"}}
}

func (w *world) warnings() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var texts []string
	for _, m := range w.messages {
		if n, ok := m.(*wire.Informational); ok && n.Level == "warning" {
			texts = append(texts, n.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// TestS12_TheHeadStartOfTheClassifier: a verdict within 150 ms spares the person the
// question; after that they are asked, and whoever answers first has decided.
func TestS12_TheHeadStartOfTheClassifier(t *testing.T) {
	const never = time.Hour
	for name, tt := range map[string]struct {
		classifier *thinker
		person     *person
		asked      int
		trust      string
		ran        int
	}{
		"in time":            {after(140*time.Millisecond, classify.Approve), slowly(0, permission.Deny), 0, "classifier", 1},
		"late, person first": {after(time.Second, classify.Approve), slowly(100*time.Millisecond, permission.Deny), 1, "person", 0},
		"late, but first":    {after(time.Second, classify.Refuse), slowly(never, permission.Allow), 1, "classifier", 0},
		"too late":           {after(3*time.Second, classify.Approve), slowly(5*time.Second, permission.Deny), 1, "person", 0},
		"no opinion":         {after(0, classify.NoOpinion), slowly(time.Second, permission.Allow), 1, "person", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, config{mode: permission.Auto, asker: tt.person, turns: oneCall("Bash", push), change: judgedBy(tt.classifier)})
				w.prompt("go")
				if disturbed(tt.person) != tt.asked || len(w.tools.list()) != tt.ran || w.audit.records[0].Trust != tt.trust {
					t.Errorf("asked %d times, ran %v, decided by %q", disturbed(tt.person), w.tools.list(), w.audit.records[0].Trust)
				}
				if late := strings.Contains(w.warnings(), "did not answer in time"); late != (name == "too late") {
					t.Errorf("told %q", w.warnings())
				}
				w.agent.Close(t.Context(), "other")
			})
		})
	}
}

// TestP6_TheClassifierAndAHookRace: the first answer counts, whoever gives it.
func TestP6_TheClassifierAndAHookRace(t *testing.T) {
	for name, tt := range map[string]struct {
		hook, classifier time.Duration
		answer           func() hook.Output
		verdict          classify.Outcome
		trust            string
		ran              int
	}{
		"the hook refuses first":       {10 * time.Millisecond, time.Second, func() hook.Output { return hook.AnswerDeny("the hook says no") }, classify.Approve, "hook", 0},
		"the hook allows first":        {10 * time.Millisecond, time.Second, hook.AnswerAllow, classify.Refuse, "hook", 1},
		"the classifier refuses first": {time.Second, 10 * time.Millisecond, hook.AnswerAllow, classify.Refuse, "classifier", 0},
		"the classifier allows first":  {time.Second, 10 * time.Millisecond, func() hook.Output { return hook.AnswerDeny("too late") }, classify.Approve, "classifier", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told := 0
				hooks := []hook.Entry{
					function(hook.PermissionRequest, func() hook.Output { time.Sleep(tt.hook); return tt.answer() }),
					function(hook.PermissionDenied, func() hook.Output { told++; return hook.Output{} }),
				}
				w := newWorld(t, config{mode: permission.Auto, hooks: hooks, turns: oneCall("Bash", push), change: judgedBy(after(tt.classifier, tt.verdict))})
				w.prompt("go")
				if r := w.audit.records[0]; r.Trust != tt.trust || len(w.tools.list()) != tt.ran || len(r.Losers) != 1 {
					t.Errorf("decided by %q, lost %q, ran %v", r.Trust, r.Losers, w.tools.list())
				}
				if refused := tt.trust == "classifier" && tt.ran == 0; (told == 1) != refused {
					t.Errorf("PermissionDenied hooks were told %d times", told)
				}
				w.agent.Close(t.Context(), "other")
			})
		})
	}
}

// TestS9_AnInterruptWhileTheClassifierThinks: the call does not run, and nothing waits
// for the verdict.
func TestS9_AnInterruptWhileTheClassifierThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := after(time.Second, classify.Approve)
		w := newWorld(t, config{mode: permission.Auto, turns: oneCall("Bash", push), change: judgedBy(c)})
		time.AfterFunc(100*time.Millisecond, w.agent.Interrupt)
		start := time.Now()
		w.prompt("go")
		if took := time.Since(start); took > 200*time.Millisecond || len(w.tools.list()) != 0 || w.warnings() != "" {
			t.Errorf("after %v, ran %v, told %q", took, w.tools.list(), w.warnings())
		}
		w.agent.Close(t.Context(), "other")
	})
}

// TestS9_TheModeChangesWhileTheClassifierThinks: it judges in auto mode only. Who has
// left that mode is asked, or the call is denied.
func TestS9_TheModeChangesWhileTheClassifierThinks(t *testing.T) {
	for name, tt := range map[string]struct {
		mode    permission.Mode
		verdict classify.Outcome
		asker   *person
		asked   int
		ran     int
	}{
		"to default, approved": {permission.Default, classify.Approve, slowly(time.Hour, permission.Allow), 1, 0},
		"to default, refused":  {permission.Default, classify.Refuse, slowly(time.Second, permission.Allow), 1, 1},
		"to default, nobody":   {permission.Default, classify.Approve, nil, 0, 0},
		"to plan":              {permission.Plan, classify.Approve, nil, 0, 0},
		"to dontAsk":           {permission.DontAsk, classify.Approve, nil, 0, 0},
		"to bypass":            {permission.BypassPermissions, classify.Approve, nil, 0, 1},
		"still auto":           {permission.Auto, classify.Approve, nil, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := config{mode: permission.Auto, turns: oneCall("Bash", `{"command":"make"}`), change: judgedBy(after(100*time.Millisecond, tt.verdict))}
				if tt.asker != nil {
					c.asker = tt.asker
				}
				w := newWorld(t, c)
				time.AfterFunc(50*time.Millisecond, func() {
					if err := w.agent.SetMode(tt.mode); err != nil {
						t.Error(err)
					}
				})
				time.AfterFunc(time.Minute, w.agent.Interrupt)
				w.prompt("go")
				asked := disturbed(tt.asker)
				if got := w.tools.list(); len(got) != tt.ran || asked != tt.asked {
					t.Errorf("ran %v, asked %d times, told %q", got, asked, said(w.results()["t1"]))
				}
				w.agent.Close(t.Context(), "other")
			})
		})
	}
}

// TestS9_ChangedInputsAreJudgedAnew: what a hook makes of a call is judged again, and
// what needs a person then is not the classifier's business, nor the hook's.
func TestS9_ChangedInputsAreJudgedAnew(t *testing.T) {
	changes := func(input string) hook.Entry {
		return function(hook.PreToolUse, func() hook.Output {
			out := hook.Allow()
			out.Specific.UpdatedInput = []byte(input)
			return out
		})
	}
	answers := func(input string) hook.Entry {
		return function(hook.PermissionRequest, func() hook.Output {
			time.Sleep(10 * time.Millisecond) // in the time of the test: the classifier has been asked by then
			out := hook.AnswerAllow()
			out.Specific.Decision.UpdatedInput = []byte(input)
			return out
		})
	}
	for name, tt := range map[string]struct {
		hook   hook.Entry
		judged int
		ran    int
	}{
		"before, to a protected path": {changes(`{"command":"touch .git/x"}`), 0, 0},
		"before, to the danger floor": {changes(`{"command":"rm -rf ~"}`), 0, 0},
		"before, to another command":  {changes(`{"command":"make"}`), 0, 1},
		"answer, to a protected path": {answers(`{"command":"touch .git/x"}`), 1, 0},
		"answer, to the danger floor": {answers(`{"command":"rm -rf ~"}`), 1, 0},
		"answer, to another command":  {answers(`{"command":"make"}`), 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := after(time.Second, classify.Approve)
				w := newWorld(t, config{mode: permission.Auto, hooks: []hook.Entry{tt.hook}, turns: oneCall("Bash", `{"command":"touch x"}`), change: judgedBy(c)})
				w.prompt("go")
				if c.times() != tt.judged || len(w.tools.list()) != tt.ran {
					t.Errorf("judged %d times, ran %v: %s", c.times(), w.tools.list(), said(w.results()["t1"]))
				}
				w.agent.Close(t.Context(), "other")
			})
		})
	}
}

// TestS9_AFailureIsTold: a classifier that breaks lets nothing through, and somebody
// learns why the question came.
func TestS9_AFailureIsTold(t *testing.T) {
	for name, asker := range map[string]*person{"nobody": nil, "a person": says(permission.Allow)} {
		t.Run(name, func(t *testing.T) {
			c := &thinker{think: func(context.Context, classify.Question) (classify.Verdict, error) {
				return classify.Verdict{Outcome: classify.Approve}, errors.New("the server is on fire")
			}}
			cfg := config{mode: permission.Auto, turns: oneCall("Bash", push), change: judgedBy(c)}
			if asker != nil {
				cfg.asker = asker
			}
			w := newWorld(t, cfg)
			w.prompt("go")
			if !strings.Contains(w.warnings(), "The thinker gave no answer: the server is on fire") {
				t.Errorf("told %q", w.warnings())
			}
			if ran := len(w.tools.list()); ran != 0 && asker == nil || ran != 1 && asker != nil {
				t.Errorf("ran %v", w.tools.list())
			}
		})
	}
}

// Who is asked and comes too late learns who was faster, and what they said; who is asked
// when the work ends learns why.
func TestTheOneWhoIsAskedLearnsWhoWasFaster(t *testing.T) {
	causes, open := make(chan error, 1), make(chan struct{}, 2)
	p := &person{answer: func(ctx context.Context, _ agent.Question) (permission.Answer, error) {
		open <- struct{}{}
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return permission.Answer{}, ctx.Err()
	}}
	denies := hook.Entry{Event: hook.PermissionRequest, Handler: hook.Function{Label: "h", Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		<-open
		return hook.AnswerDeny("no"), nil
	}}}
	w := newWorld(t, config{asker: p, hooks: []hook.Entry{denies}, turns: pushes(1, 1)})
	w.prompt("go")
	var faster *agent.Overtaken
	if cause := <-causes; !errors.As(cause, &faster) || faster.By != "hook" || faster.Behavior != permission.Deny || faster.Error() != "denied by the hook" {
		t.Errorf("%v", cause)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped")
	waits := &person{answer: func(ctx context.Context, q agent.Question) (permission.Answer, error) {
		cancel(stop)
		return p.answer(ctx, q)
	}}
	w = newWorld(t, config{asker: waits, turns: pushes(1, 1)})
	w.agent.Prompt(ctx, agent.TextPrompt("go"))
	if cause := <-causes; !errors.Is(cause, stop) {
		t.Errorf("%v", cause)
	}
}
