package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// maxQuestions is how often somebody is asked about one call: once about what the
// model wrote and once about what the answer made of it.
const maxQuestions = 2

// matter is a call on its way through the pipeline.
type matter struct {
	call
	// input is what enters the pipeline: the model's, or what an answer made of it.
	input strictjson.Raw
	// snapshot is the permissions the call was judged by, judged what came of it.
	snapshot *permission.Context
	judged   hook.Judgement
	// resolution is how the question about it was answered; zero when none was asked.
	resolution permission.Resolution
	// asking are the PermissionRequest hooks that were asked and have not ended yet.
	asking sync.WaitGroup
	// answering are their runs; complete when asking is done.
	answering []hook.Run
	// deferred: a hook wants the call decided elsewhere.
	deferred bool
	// parked is the call as it was parked, if the session goes on with one; word is what
	// was said about it since.
	parked *session.PendingCall
	word   Word
	// approved: a person has said yes to exactly this input.
	approved bool
	// edited: the answer brought another input.
	edited bool
	// announced: a hook wants the model to know what runs.
	announced bool
	started   time.Time
	// runs and changes are those of all hooks on the way.
	runs    []hook.Run
	changes []hook.Change
	context []string
	halt    bool
}

// runCall takes one call from what the model wrote to its result.
func (r *run) runCall(ctx context.Context, c call) outcome {
	switch {
	case stopped(ctx) || r.cut:
		return r.refuse(&matter{call: c, started: time.Now()}, verdictInterrupted)
	case c.Garbled != "":
		return r.error(&matter{call: c, started: time.Now()}, garbled(c.Garbled))
	}
	m := &matter{call: c, started: time.Now()}
	m.input = withoutAnswers(c)
	r.judge(ctx, m)
	return r.settle(ctx, m, 0)
}

// judge puts the call through validation, hooks and rules.
func (r *run) judge(ctx context.Context, m *matter) {
	m.snapshot = r.context()
	request := permission.Request{Tool: m.Name, Input: m.input, AgentID: r.base().AgentID}
	p := hook.Pipeline{Engine: r.engine, Hooks: r.runner.Load()}
	m.judged = p.Judge(ctx, m.snapshot, request, r.base(), m.ID)
	if m.judged.Err == nil {
		r.report(p.Hooks, hook.PreToolUseInput{ToolName: m.Name}, m.judged.Verdict)
	}
	m.runs = append(m.runs, m.judged.Verdict.Runs...)
	m.changes = append(m.changes, m.judged.Verdict.Changes...)
	m.context = append(m.context, m.judged.Verdict.Context...)
	m.halt = m.halt || m.judged.Verdict.Halt
	r.tellHalt(m.judged.Verdict)
	m.announced = m.announced || m.judged.Verdict.Announce
}

// settle acts on the judgement: run, refuse, or ask.
func (r *run) settle(ctx context.Context, m *matter, questions int) outcome {
	if errors.Is(m.judged.Err, permission.ErrNoSuchTool) {
		return r.error(m, m.judged.Err.Error()+r.tools.switches.why(m.Name))
	}
	if stopped(ctx) {
		return r.cutOff(m)
	}
	if m.parked != nil {
		if o, over := r.settleParked(ctx, m); over {
			return o
		}
	}
	switch m.judged.Decision.Behavior {
	case permission.Allow:
		return r.execute(ctx, m)
	case permission.Deny:
		return r.refuse(m, m.reasons())
	case permission.Ask, permission.Pass:
		return r.question(ctx, m, questions)
	case permission.Defer:
		return r.park(ctx, m, questions)
	}
	return r.refuse(m, "The decision about this call cannot be understood.") // a new word is no permission
}

// question asks whoever may answer and acts on the answer.
func (r *run) question(ctx context.Context, m *matter, questions int) outcome {
	if m.approved && !asksAgain(m.judged.Decision) {
		return r.execute(ctx, m)
	}
	if questions >= maxQuestions {
		return r.refuse(m, "Not run: the answers about this call led to another question each time.")
	}
	m.resolution = r.resolve(ctx, m)
	r.heed(m)
	answer := m.resolution.Answer
	allowed := answer.Behavior == permission.Allow && !stopped(ctx)
	m.snapshot = r.context() // the answer took its time; what it brings along is for the calls to come
	if !stopped(ctx) {
		r.applyAll(answer.Updates, allowed)
	}
	switch {
	case stopped(ctx):
		return r.cutOff(m)
	case m.parked != nil && m.unheard() != "":
		return r.stay(m, suspended, m.unheard())
	case r.nobodyAnswered(m):
		return outcome{waits: m.parked}
	case !allowed:
		return r.appeal(ctx, m, r.denied(m, answer))
	}
	return r.allowed(ctx, m, questions)
}

// asksAgain: the question is not about "nothing allows it", which a person's answer
// about this very input has settled, but about something a person must look at.
func asksAgain(d permission.Decision) bool {
	switch d.Reason.Kind {
	case permission.ByNoRule, permission.ByOutside, permission.ByTool, permission.ByUnreadable:
		return d.NeedsPerson
	default:
		return true
	}
}

// denied is a question that was answered with no, or not at all.
func (r *run) denied(m *matter, answer permission.Answer) outcome {
	text := answer.Message
	var invalid *permission.InvalidError
	if errors.As(m.judged.Err, &invalid) { // refused or not, the model has to mend it; it is no denial
		return r.error(m, joined(invalid.Error(), answerText(m.resolution, text)))
	}
	if m.resolution.Winner == "" {
		text = joined(m.reasons(), orElse(m.unheard(), text), m.aloneNext(), m.tooLate())
	}
	if text == "" {
		text = "The call was denied."
	}
	o := r.refuse(m, text)
	o.cut = answer.Interrupt
	if o.cut && r.descent != nil { // whoever says stop to a sub-agent says it to the session
		r.root().Interrupt()
	}
	return o
}

// unheard says why a question has no answer although somebody was asked: the host is gone, for
// instance. It is empty when nobody could be asked.
func (m *matter) unheard() string {
	if m.resolution.Winner != "" {
		return ""
	}
	for _, l := range m.resolution.Losers {
		if l.Err != nil && (l.Trust == permission.TrustPerson || errors.Is(l.Err, hook.ErrGone)) {
			return "nobody answered: " + l.Err.Error()
		}
	}
	return ""
}

// answerText is what somebody said; nothing when nobody did.
func answerText(r permission.Resolution, text string) string {
	if r.Winner == "" {
		return ""
	}
	return text
}

// allowed is a question that was answered with yes: the input of the answer is what is
// judged and what runs.
func (r *run) allowed(ctx context.Context, m *matter, questions int) outcome {
	given := strictjson.Raw(m.resolution.Answer.UpdatedInput)
	changed := given != nil && !sameJSON(given, m.judged.Input)
	m.edited = m.edited || changed
	if m.judged.Err != nil { // an invalid input: the answer may have mended it
		if !changed {
			return r.error(m, m.judged.Err.Error())
		}
		m.input, m.approved = given, true
		r.judge(ctx, m)
		if m.judged.Err != nil {
			return r.error(m, m.judged.Err.Error())
		}
		return r.settle(ctx, m, questions+1)
	}
	if !changed {
		given = m.judged.Input
	}
	return r.rejudge(ctx, m, given, questions)
}

// rejudge looks once more at a call that was allowed, by the rules as they stood when the
// answer came: it may have taken its time, and may have changed the input. What is denied
// by then does not run, and what a classifier may not answer any more is asked again. The
// PreToolUse hooks have had their say.
func (r *run) rejudge(ctx context.Context, m *matter, given strictjson.Raw, questions int) outcome {
	next, err := r.engine.Validate(m.snapshot, permission.Request{Tool: m.Name, Input: given, AgentID: r.base().AgentID})
	if err != nil {
		return r.error(m, "The answer changed the input, and the new one is invalid: "+err.Error())
	}
	next.Hook = m.judged.Call.Hook
	m.judged.Decision = r.engine.Decide(m.snapshot, next)
	m.judged.Input, m.judged.Call = given, next
	byClassifier := m.resolution.Trust == permission.TrustClassifier
	switch {
	case m.judged.Decision.Behavior == permission.Deny:
		return r.refuse(m, m.reasons())
	case byClassifier && m.judged.Decision.Behavior != permission.Allow && !m.judged.Decision.Classify:
		return r.settle(ctx, m, questions+1)
	case m.judged.Decision.NeedsPerson && !r.byPerson(m):
		return r.refuse(m, "Not run: the answer changed the input to something that needs a person. "+m.judged.Decision.Message())
	}
	return r.execute(ctx, m)
}

// byPerson: the answer is that of a person. For a question to a person a hook's answer
// counts as well, if it holds what was asked for.
func (r *run) byPerson(m *matter) bool {
	return m.resolution.Trust == permission.TrustPerson || m.judged.Call.Kind == permission.Person && m.resolution.Answer.Answered
}

// reasons is why the call is refused, with every reason that hooks gave.
func (m *matter) reasons() string {
	denials := m.judged.Verdict.Denials
	switch {
	case m.judged.Decision.Behavior != permission.Deny || len(denials) == 0:
		return m.judged.Decision.Message()
	case len(denials) == 1:
		return denials[0]
	}
	var b strings.Builder
	for i, text := range denials {
		fmt.Fprintf(&b, "%d. %s\n", i+1, text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func joined(texts ...string) string {
	var list []string
	for _, t := range texts {
		if t != "" {
			list = append(list, t)
		}
	}
	return strings.Join(list, "; ")
}
