package hook

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assent-dev/assent/hook/match"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Config is what a [Runner] is made of.
type Config struct {
	// Entries in the order of the configuration.
	Entries []Entry
	// HeldBack are the matchers of PreToolUse hooks that do not run because nobody
	// has trusted the workspace; see [HeldBack]. The calls they are for ask, unless
	// they only read.
	HeldBack []Matcher
	// Dir is the project's directory, where commands run; empty means that of the
	// process.
	Dir string
	// Home is what "~" means in a condition; empty means that of the process.
	Home string
	// Env is added to the environment of commands: "NAME=value".
	Env []string
	// State is what the hooks of the session share; nil means nothing.
	State State
	// Engine judges conditions; nil means one that knows no links between files.
	Engine *permission.Engine
	// Began is told that a hook starts: what it is told, and the ID, Hook, Origin, Event,
	// Matcher and Started of its run, which is found by its ID in [Verdict.Runs] and by
	// Ended. It is called before the hook runs, one call at a time, and the hook waits
	// for it. A hook that does not run is not told of: its condition is not met, it has
	// had its one run, it is identical to another one or broken before it starts. Nil
	// means nobody.
	Began func(in Input, run Run)
	// Ended is told how a hook in the background ended, if that can be seen: a hook
	// that is configured to run there, and a command that goes on there. It is called
	// on another goroutine, once for each, one call at a time. Nil means nobody.
	Ended func(Run)
}

// Runner runs the hooks of one session. It is safe for concurrent use. Close it when
// the session ends. A nil Runner has no hooks.
type Runner struct {
	config     Config
	hooks      []*configured
	background *background
	starting   sync.Mutex // held while Began is called
	telling    sync.Mutex // held while Ended is called
	runs       atomic.Int64
}

// configured is an entry in use.
type configured struct {
	Entry
	name, key string
	once      turn // of an entry that runs once
}

// title names the hook and the place where a person can change it.
func (h *configured) title() string { return title(h.name, h.Origin) }

func title(name string, origin rule.Origin) string {
	if at := whereabouts(origin); at != "" {
		return name + " (" + at + ")"
	}
	return name
}

// NewRunner makes a runner. What is wrong with an entry becomes its Defect.
func NewRunner(config Config) *Runner {
	r := &Runner{config: config, background: newBackground()}
	if r.config.Engine == nil {
		r.config.Engine = permission.NewEngine(nil, nil)
	}
	if r.config.Dir == "" {
		r.config.Dir, _ = os.Getwd()
	}
	if r.config.Home == "" {
		r.config.Home, _ = os.UserHomeDir()
	}
	for _, e := range config.Entries {
		h := configure(e)
		shareTurn(r.hooks, h)
		r.hooks = append(r.hooks, h)
	}
	return r
}

func configure(e Entry) *configured {
	name, key, fault := identity(e.Handler)
	e.Defect = orElse(e.Defect, fault)
	e.RestrictOnly = e.RestrictOnly || e.Matcher.Broken()
	if e.If != nil {
		if _, err := ParseCondition(e.If.Text); err != nil {
			e.Defect = orElse(e.Defect, err.Error())
		}
	}
	return &configured{Entry: e, name: name, key: key, once: newTurn()}
}

// Run tells every hook that matches, all at once, waits for those that may decide,
// and merges what they say. It returns when the last of them has ended; the context
// ends them early, and a call that was to be judged is then denied.
func (r *Runner) Run(ctx context.Context, o Occasion) Verdict {
	return r.run(ctx, o, func(*Verdict) {})
}

// run is Run for a caller who looks at the verdict, and may find that a hook broke,
// before the hooks that run once have had their turn.
func (r *Runner) run(ctx context.Context, o Occasion, review func(*Verdict)) (verdict Verdict) {
	if !o.known() {
		return noOccasion()
	}
	if r == nil {
		return merge(o, nil)
	}
	var results []*result
	defer func() { finishTurns(results, verdict.Runs) }()
	r.pick(ctx, o, &results)
	if len(results) > 0 {
		r.tell(ctx, o, results)
	}
	verdict = merge(o, results)
	if o.Input.Event() == PreToolUse && slices.ContainsFunc(r.config.HeldBack, func(m Matcher) bool { return m.MatchTool(o.Input.Subject()) }) {
		verdict.Permission.AskUnlessReads = match.HeldBackReason
	}
	review(&verdict)
	return verdict
}

// Close waits for the hooks in the background, each at most for its own time, until
// the context ends; the rest is abandoned. No hook starts in the background after it.
func (r *Runner) Close(ctx context.Context) {
	if r != nil {
		r.background.close(ctx)
	}
}

// result is what becomes of one hook at one occasion.
type result struct {
	hook  *configured
	run   Run
	out   Output
	fault string // why it is broken; "" when it worked
	// doubt is why its allow does not count here; "" when it does.
	doubt string
	// blocked is the reason of a command that ended with exit status 2.
	blocked string
	// gone: whoever was to answer is.
	gone bool
	// turned: it has its turn of a hook that runs once.
	turned bool
	// limit is how long it may take.
	limit time.Duration
}

func (s *result) note(text string) { s.run.Notes = append(s.run.Notes, text) }

// pick finds the hooks for an occasion. Identical ones run once.
func (r *Runner) pick(ctx context.Context, o Occasion, picked *[]*result) {
	for _, h := range r.hooks {
		if h.Event != o.Input.Event() {
			continue
		}
		s := &result{hook: h, limit: h.timeout()}
		if !r.matches(s, o) {
			continue
		}
		if twin := identical(*picked, s); twin != nil {
			twin.limit = max(twin.limit, s.limit)
			twin.note("the same hook stands at " + orElse(whereabouts(h.Origin), "another place") + " as well; it runs once")
			continue
		}
		if h.Once && !s.takeTurn(ctx) {
			continue
		}
		s.run = Run{
			ID: int(r.runs.Add(1)), Hook: h.name, Origin: h.Origin, Event: h.Event, Matcher: h.Matcher.String(),
			Outcome: s.run.Outcome, Decision: permission.Pass,
		}
		*picked = append(*picked, s)
	}
}

// matches reports whether a hook is for an occasion. A fault of our own makes the
// hook broken, not absent.
func (r *Runner) matches(s *result, o Occasion) (yes bool) {
	defer func() {
		if p := recover(); p != nil {
			yes = true
			s.breaks(Broken, panicText(p))
		}
	}()
	h := s.hook
	if h.Event.HasSubject() && !h.RestrictOnly && !isFor(h.Matcher, o.Input) {
		return false
	}
	if h.RestrictOnly {
		s.doubt = "its matcher cannot be understood, so nobody knows which calls it is for"
	}
	if h.If == nil || h.Defect != "" {
		return true
	}
	if !h.Event.AboutTool() {
		return false
	}
	around := surroundings{engine: r.config.Engine, root: r.config.Dir, cwd: orElse(o.Cwd, r.config.Dir), home: r.config.Home}
	if !h.If.meets(o.Call, h.Origin, around) {
		return false
	}
	if s.doubt == "" && h.Event.permits() && !h.If.covers(o.Call, h.Origin, around) {
		s.doubt = fmt.Sprintf("an allow rule %s would not let all of this call run", quoted(h.If.Text))
	}
	return true
}

// isFor: the matcher is for what the event is about.
func isFor(m Matcher, in Input) bool {
	if in.Event().AboutTool() {
		return m.MatchTool(in.Subject())
	}
	return m.Match(in.Subject())
}

// identical finds a picked hook that does the same with the same consequences.
func identical(picked []*result, s *result) *result {
	h := s.hook
	if h.key == "" || h.Defect != "" {
		return nil
	}
	for _, p := range picked {
		other := p.hook
		if other.Defect == "" && other.sameConsequences(h) && (p.doubt == "") == (s.doubt == "") {
			return p
		}
	}
	return nil
}

// sameConsequences: both do the same, and what they say or fail to say means the same.
func (h *configured) sameConsequences(other *configured) bool {
	return other.key == h.key && other.Async == h.Async && other.OnFailure == h.OnFailure
}

// tell runs the hooks side by side.
func (r *Runner) tell(ctx context.Context, o Occasion, results []*result) {
	in, text, err := tellable(o.Input)
	call := Invocation{
		Input: in, JSON: text, ToolUseID: o.ToolUseID,
		Dir: r.config.Dir, Env: slices.Clip(r.config.Env), State: r.config.State,
	}
	var waiting sync.WaitGroup
	for _, s := range results {
		s.run.Started = time.Now()
		switch {
		case s.fault != "": // it is broken before it began
		case s.hook.Defect != "":
			s.breaks(Broken, s.hook.Defect)
		case err != nil:
			s.breaks(Broken, err.Error())
		case s.hook.Async:
			r.detach(s, call)
		default:
			r.tellBegan(s, call)
			waiting.Go(func() { r.ask(ctx, s, call) })
		}
	}
	waiting.Wait()
}

// ask runs one hook and reads its answer. goesOn is true when the hook has answered
// and goes on in the background; somebody looks after it then.
func (r *Runner) ask(ctx context.Context, s *result, call Invocation) (goesOn bool) {
	defer func() {
		if p := recover(); p != nil {
			s.breaks(Broken, panicText(p))
		}
		s.run.Took = time.Since(s.run.Started)
	}()
	reply, late := handle(ctx, s.hook.Handler, s.limit, call)
	if reply.Background != nil {
		defer func() { goesOn = r.lookAfter(s, reply) }()
	}
	if reply.Failure != nil && reply.Failure.Kind == TimedOut && ctx.Err() != nil {
		reply.Failure = &Failure{Kind: Cancelled} // the time that ran out was not the hook's
	}
	s.interpret(reply)
	if late && s.fault == "" && !s.objects() {
		s.note("its answer came after its time was up and does not count")
		s.fails(endOf(ctx))
	}
	return false
}

// endOf is why time was up: that of the hook, or nobody needs its answer any more.
func endOf(ctx context.Context) *Failure {
	if ctx.Err() != nil {
		return &Failure{Kind: Cancelled}
	}
	return tookTooLong()
}

// handle calls the handler with a time limit; late is true when the answer
// came after it. A handler that does not end when it should is left behind, so that it
// cannot hold up the agent.
func handle(ctx context.Context, h Handler, limit time.Duration, call Invocation) (_ Reply, late bool) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type answer struct {
		Reply
		late bool
	}
	var claim permission.ResolveOnce // by the reply or by whoever gave it up
	answered := make(chan answer, 1)
	go func() {
		reply := callHandler(limited, h, call)
		if claim.Claim() {
			answered <- answer{reply, limited.Err() != nil}
		} else if reply.Abandon != nil {
			shielded(reply.Abandon)
		}
	}()
	select {
	case a := <-answered:
		return a.Reply, a.late
	case <-limited.Done():
	}
	select {
	case a := <-answered:
		return a.Reply, a.late
	case <-time.After(patience):
	}
	if !claim.Claim() {
		a := <-answered
		return a.Reply, a.late
	}
	return Reply{Failure: contextEnded(limited), Notes: []string{"it did not end when it was told to and was left behind"}}, false
}

func callHandler(ctx context.Context, h Handler, call Invocation) (reply Reply) {
	defer func() {
		if p := recover(); p != nil {
			reply = Reply{Failure: &Failure{Kind: Crashed, Text: panicText(p)}}
		}
	}()
	return h.Handle(ctx, call)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
