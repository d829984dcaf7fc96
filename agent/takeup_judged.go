package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// settleParked acts on the judgement of a call that was parked, where it is another than
// that of a new call; over is false where it is not.
func (r *run) settleParked(ctx context.Context, m *matter) (o outcome, over bool) {
	switch d := m.judged.Decision; {
	case d.Behavior == permission.Deny && d.Reason.Kind == permission.ByBrokenHook:
		return r.stay(m, suspended, m.reasons()), true
	case m.word.Kind == Yes:
		return r.approved(ctx, m), true
	case m.word.Kind == Lapsed:
		if why := r.lapse(m); why != "" {
			return r.stay(m, suspended, why), true
		}
	}
	if m.judged.Verdict.Gone && m.judged.Decision.Behavior != permission.Deny {
		return r.stay(m, suspended, "the host whose hook has an answer to it is gone"), true
	}
	if plans(m.judged.Decision) {
		if r.followed && m.mayBeAnswered() == "" {
			return r.stay(m, suspended, "plan mode only reads (to let it run, go on with `--permission-mode default` and without a prompt)"), true
		}
		return r.stay(m, suspended, onlyPlans), true
	}
	return outcome{}, false
}

// onlyPlans is why a call waits on in plan mode.
const onlyPlans = "plan mode only reads, and the session cannot leave it while the call waits (go on with `--permission-mode default`)"

// plans: what keeps a call from running is that the session plans.
func plans(d permission.Decision) bool {
	return d.Behavior == permission.Deny && d.Reason.Kind == permission.ByMode && d.Reason.Mode == permission.Plan
}

// approved runs what a person has said yes to: exactly that, unless something denies it.
// What keeps it from running only now leaves the yes as it is.
func (r *run) approved(ctx context.Context, m *matter) outcome {
	if m.judged.Err == nil && !sameJSON(made(m), m.input) && !r.madeByHooks(ctx, m) {
		return r.stay(m, held, differs(m))
	}
	d := m.judged.Decision
	switch {
	case m.judged.Err != nil:
		return r.error(m, m.judged.Err.Error())
	case plans(d):
		return r.stay(m, suspended, onlyPlans)
	case d.Behavior == permission.Deny && d.Reason.Kind == permission.ByMode && d.Reason.Mode == permission.DontAsk: // nobody is asked: somebody has answered
	case d.Behavior == permission.Deny:
		return r.refuse(m, m.reasons())
	}
	if why := orElse(m.elsewhere(), m.riskier()); why != "" {
		return r.refuse(m, why)
	}
	m.resolution = m.word.resolution()
	return r.execute(ctx, m)
}

// elsewhere is why an approved call does not run: somebody has put a link into the path of
// its file since, so that the file is another one. Empty when it is the same.
func (m *matter) elsewhere() string {
	if m.judged.Call == nil {
		return ""
	}
	was, is := permission.OtherPlaces(m.word.Places, m.judged.Call.Places())
	switch given := m.judged.Call.Path().Given; {
	case is == "":
		return ""
	case len(m.word.Places) == 0:
		return fmt.Sprintf("Not run: it was approved for no file, and %s leads to %s. Make the call again to have that judged.", given, is)
	default:
		return fmt.Sprintf("Not run: it was approved for the file %s, and %s leads to %s now. Make the call again to have the new place judged.", was, given, is)
	}
}

// riskier is why an approved call does not run: its risk is high by now, because something
// that it touches has changed since, and whoever said yes was shown a lower one, for which no
// word has to be typed. A command names no file that it is about, so this is all that binds
// it there.
func (m *matter) riskier() string {
	if m.judged.Call == nil || m.word.Risk == 0 || m.word.Risk == permission.HighRisk {
		return ""
	}
	if permission.RiskOf(m.judged.Call, m.judged.Decision) < permission.HighRisk {
		return ""
	}
	return fmt.Sprintf("Not run: it was approved as a call of %v risk, and its risk is high now. Make the call again to have that judged.", m.word.Risk)
}

// made is what hooks make of the input, also where another one wants the call to wait: that
// one is there for the answer, which has come.
func made(m *matter) strictjson.Raw {
	if w := m.judged.Verdict.Withheld; w != nil {
		return w.Input
	}
	return m.judged.Input
}

// madeByHooks: the approved input is what hooks make of the parked one. They have had their
// say about it then, and what they would make of their own work does not matter.
func (r *run) madeByHooks(ctx context.Context, m *matter) bool {
	if m.word.Input == nil {
		return false
	}
	parked := &matter{call: m.call, parked: m.parked, input: withoutAnswers(m.call)}
	r.judge(ctx, parked)
	m.runs, m.halt = append(m.runs, parked.runs...), m.halt || parked.halt
	if parked.judged.Err != nil || !sameJSON(made(parked), m.input) {
		return false
	}
	if parked.judged.Verdict.Withheld != nil { // rules have judged what was approved, and not what it was made of
		return true
	}
	m.snapshot, m.judged = parked.snapshot, parked.judged
	m.changes, m.context, m.announced = parked.changes, parked.context, parked.announced
	return true
}

// OffersApproval is how the command begins that is offered where hooks have made another input of an
// approved one. That input stands behind it, whole: whoever shows it with a part masked leaves the
// command out.
const OffersApproval = " (approve it with that input: `assent approve "

// differs says what hooks have made of a call that a person has approved.
func differs(m *matter) string {
	const most = 1000
	was, is := string(spelling(m.input)), string(spelling(made(m)))
	ticket, input := orElse(m.word.Ticket, "ID"), "JSON"
	if len(is) <= most {
		input = "'" + strings.ReplaceAll(is, "'", `'\''`) + "'"
	}
	return fmt.Sprintf("a hook changes the input, which was approved as %s, to %s%s%s --input %s`)",
		clip(was, most), clip(is, most), OffersApproval, ticket, input)
}

// lapse lets the end of its time stand in for the hook that wanted a call to wait: rules
// hold, and what needs a person still does. What other hooks make of the input counts as if
// that hook had allowed the call. why says why it waits on, if it does.
func (r *run) lapse(m *matter) (why string) {
	if m.judged.Call == nil {
		return ""
	}
	if other := m.judged.Verdict.Withheld; other != nil {
		call, err := r.engine.Validate(m.snapshot, permission.Request{Tool: m.Name, Input: other.Input, AgentID: r.base().AgentID})
		if err != nil {
			return "the input that hooks make of it is invalid: " + err.Error()
		}
		call.Hook = m.judged.Call.Hook
		m.judged.Call, m.judged.Input = call, other.Input
		m.changes, m.announced = append(m.changes, other.Changes...), m.announced || other.Announce
	}
	switch verdict := &m.judged.Call.Hook; verdict.Behavior {
	case permission.Defer, permission.Pass, 0:
		verdict.Behavior, verdict.Reason = permission.Allow, "nobody answered in time, and settings let the call run then"
		m.judged.Decision = r.engine.Decide(m.snapshot, m.judged.Call)
		if m.judged.Decision.Behavior == permission.Allow {
			m.judged.Decision.Reason.Kind = permission.ByNobody
		}
	case permission.Allow, permission.Ask, permission.Deny:
	}
	return ""
}

// tooLate says why a call is refused whose time is over.
func (m *matter) tooLate() string {
	if m.word.Kind != Lapsed {
		return ""
	}
	return "nobody answered in time, which lets nothing run that somebody has to be asked about"
}

// nobodyAnswered: nobody could answer the question about a parked call, so it waits on.
// What needs a person although a hook or the end of its time has allowed it is refused
// instead.
func (r *run) nobodyAnswered(m *matter) bool {
	return m.parked != nil && m.resolution.Winner == "" && m.word.Kind != Lapsed && m.judged.Verdict.Permission.Behavior != permission.Allow
}
