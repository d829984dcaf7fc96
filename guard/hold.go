package guard

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// Holder keeps a call for people to answer, and waits for the answer.
type Holder interface {
	// Hold returns the answer, or that there is none yet when the time to wait is over. It
	// hands an answer over once. The error is [ErrNobody] where the call needs somebody
	// who serves the inbox, and nobody does.
	Hold(Held) (Answer, error)
}

// ErrNobody is the error when nobody serves the inbox.
var ErrNobody = errors.New("nobody serves the inbox")

// Held is a call that needs a person.
type Held struct {
	// Asker is the agent that makes the call, Session its own name of its session.
	Asker, Session string
	Tool           string
	Input          []byte // JSON
	Cwd            string
	// Why is the question, Policy the version of the settings that ask it.
	Why, Policy string
	Risk        permission.Risk
	Kin         string
	// Places are the files of all calls that the agent would make with it, with all links
	// followed, sorted.
	Places []string
	// Edits says whether the agent can be given another input than its own.
	Edits dialect.Edits
	// Terms are what has to be so before a yes counts.
	Terms permission.Terms
	// Lasts is how long the call may be answered; zero means for ever.
	Lasts time.Duration
	// Wait is how long the agent waits now.
	Wait time.Duration
	// OnlyServed: without somebody who serves the inbox the call is not held.
	OnlyServed bool
}

// Answer is what people have said about a held call.
type Answer struct {
	Ticket string
	// Behavior is Allow or Deny, and Ask as long as nobody has answered. Anything else
	// counts as Deny.
	Behavior permission.Behavior
	By       string
	Reason   string
	// Input is the one that was approved in place of the agent's own; nil means that one.
	Input []byte
	// Places are the files that the yes is for, with all links followed, and Risk the risk
	// that the person was shown; zero means the one that the call was held with.
	Places []string
	Risk   permission.Risk
}

// grace is how long a holder may take beyond the time it waits.
const grace = 2 * time.Second

// heldFor is how long a held call may be answered where settings do not say: an agent
// that makes it again after a night finds its ticket.
const heldFor = 24 * time.Hour

// defaultWait is how long calls of an agent are held. With the time for the decision it
// must be shorter than what the agent gives its hooks: by default, or as `assent init`
// sets it up.
func defaultWait(agent dialect.Agent) time.Duration {
	switch agent {
	case dialect.Claude, dialect.Codex: // 10 minutes by default
		return 50 * time.Second
	case dialect.Gemini, dialect.Cursor, dialect.Copilot: // 30 seconds
		return 15 * time.Second
	}
	return 0
}

// longestWait is how long settings may let the calls of an agent wait. They hold for all
// agents alike, and one that gives its hooks less time would run the call when that has
// passed. Whoever sets up the hook of an agent knows that time, and may say more there.
func longestWait(agent dialect.Agent) time.Duration {
	switch agent {
	case dialect.Claude, dialect.Codex:
		return 9 * time.Minute
	case dialect.Gemini, dialect.Cursor, dialect.Copilot:
	}
	return defaultWait(agent)
}

// waiting is how long the question about a call is put to people, zero for not at all, and
// whether the settings ask for it, so that it is held also while nobody serves the inbox.
func (g *guard) waiting(event *dialect.Event, terms settings.Guard) (wait time.Duration, asked bool) {
	always := terms.Inbox == settings.AlwaysInbox
	switch {
	case g.Hold != nil && g.HoldFor > 0:
		return g.HoldFor, true
	case g.Hold == nil, event.Kind != dialect.ToolCall, event.CanAsk() && !always:
		return 0, false
	case g.WaitGiven:
		return g.Wait, g.Wait > 0
	case terms.WaitSet:
		return min(terms.Wait, longestWait(event.Agent)), terms.Wait > 0
	case g.limited: // the person has said how long an answer may take
		return 0, false
	}
	return defaultWait(event.Agent), always
}

// ask puts a question to people, if it is to be put to them.
func (g *guard) ask(event *dialect.Event, d *decided) (dialect.Outcome, error) {
	wait, asked := g.waiting(event, d.terms)
	if wait == 0 {
		return d.outcome, nil
	}
	held, whole, ok := d.held(event)
	if !ok {
		return d.outcome, nil
	}
	held.Wait, held.OnlyServed = wait, !asked
	g.phase.Store(holding)
	g.extend(wait + grace)
	answer, err := g.Hold.Hold(held)
	g.phase.Store(deciding)
	g.extend(g.Deadline)
	switch {
	case errors.Is(err, ErrNobody):
		d.outcome.Hint = d.worst.hint(", answer such calls in the inbox (`assent serve`)")
		return d.outcome, nil
	case err != nil:
		return dialect.Outcome{}, fmt.Errorf("it needs a person, and could not be put to one: %w", err)
	}
	if d.who = answer.By; answer.Behavior == permission.Ask {
		d.who = ""
	}
	if answer.Risk == 0 {
		answer.Risk = held.Risk
	}
	return g.told(event, d, whole, answer)
}

// held is the call of an event for people. ok is false where it cannot be said what
// exactly would run, where, and for whom: then nobody could approve it.
func (d *decided) held(event *dialect.Event) (held Held, whole dialect.Whole, ok bool) {
	whole, ok = event.Whole()
	if !ok || event.Session == "" || len(d.where.dirs) != 1 {
		return held, whole, false
	}
	dir, err := d.worst.judge.runsIn(whole.Dir, d.where.dirs[0])
	if err != nil {
		return held, whole, false
	}
	held = Held{
		Asker: event.Agent.String(), Session: event.Session, Tool: whole.Tool, Input: whole.Input, Cwd: dir,
		Why: d.outcome.Reason, Policy: d.worst.judge.settings.Version(), Risk: d.worst.risk, Kin: whole.Tool, Places: permission.SortedPlaces(d.worst.places), Edits: event.Edits(whole), Lasts: d.lasts,
	}
	if v := d.worst; v.valid != nil && v.call.Tool == whole.Tool {
		held.Kin = permission.Kin(v.valid)
	}
	if d.worst.refuses(whole, dir) {
		held.Risk, held.Kin = permission.HighRisk, whole.Tool
	}
	if held.Lasts == 0 {
		held.Lasts = heldFor
	}
	terms, expires := d.needs(held.Risk)
	if held.Terms = terms; expires > 0 {
		held.Lasts = min(held.Lasts, expires)
	}
	return held, whole, true
}

// refuses: the tool is known, and does not take the whole input. The rules have judged the part
// that is understood; what the agent makes of the rest nobody can say.
func (v verdict) refuses(whole dialect.Whole, dir string) bool {
	if v.engine == nil {
		return false
	}
	_, err := v.engine.Validate(v.judge.context, permission.Request{Tool: whole.Tool, Input: whole.Input, Cwd: dir})
	_, invalid := errors.AsType[*permission.InvalidError](err)
	return invalid
}

// told is the outcome of an answer. The rules are asked once more: a person may have
// taken their time, and a rule that denies the call holds.
func (g *guard) told(event *dialect.Event, d *decided, whole dialect.Whole, a Answer) (dialect.Outcome, error) {
	by := fmt.Sprintf("%s (ticket %s)", a.By, a.Ticket)
	no := func(format string, args ...any) (dialect.Outcome, error) {
		return dialect.Outcome{Behavior: permission.Deny, Reason: fmt.Sprintf(format, args...)}, nil
	}
	switch a.Behavior {
	case permission.Ask:
		return no("%s. Pending, ticket %s: a person has to approve it (in the inbox, or with `assent approve %s`); then try exactly this call again. Do not try another way around it", trimmed(d.outcome.Reason), a.Ticket, a.Ticket)
	case permission.Allow:
	default:
		return no("denied by %s%s", by, behind(a.Reason))
	}
	judged := *event
	if a.Input != nil {
		if event.Edits(whole) != dialect.Taken {
			return no("%s has approved another input than that of the call, and %v has no way to be given one: the call as it is was not approved", by, event.Agent)
		}
		changed, err := event.With(g.data, a.Input)
		if err != nil {
			return dialect.Outcome{}, fmt.Errorf("the input that %s has approved: %w", by, err)
		}
		judged = changed
	}
	again, err := g.decide(&judged)
	switch {
	case err != nil:
		return dialect.Outcome{}, err
	case again.worst.strictness() > 2:
		return again.outcome, nil
	}
	if was, is := permission.OtherPlaces(a.Places, again.worst.places); is != "" {
		return no("%s has approved it for %s, and it leads to %s now: the call was not approved for that", by, files(was), is)
	}
	if again.worst.risk > a.Risk {
		return no("%s has approved it as one of %v risk, and its risk is %v now: the call was not approved as that", by, a.Risk, again.worst.risk)
	}
	if a.Input != nil && again.asksForMore(d) {
		return no("%s has approved another input than that of the call, and the settings here ask for more before that runs than for the call itself: it was not approved for that (approve the call as it is, or let the agent make the other one)", by)
	}
	if a.Input != nil {
		by += ", with another input than the agent's"
	}
	return dialect.Outcome{Behavior: permission.Allow, Reason: "approved by " + by + behind(a.Reason), Input: a.Input}, nil
}

// asksForMore: a yes to a call needs more than one to the call for which it was given. Whoever
// has taken that yes knows the settings of its own place, and those of the guard only as
// far as they ask for something of the call that was held.
func (d *decided) asksForMore(held *decided) bool {
	if d.worst.strictness() < 2 { // it needs nobody
		return false
	}
	before, _ := held.needs(held.worst.risk)
	now, _ := d.needs(d.worst.risk)
	return now.Need() > before.Need() || now.Reason && !before.Reason || now.NotRequester && !before.NotRequester
}

// files names files as a sentence does.
func files(names string) string {
	if strings.HasPrefix(names, "/") && !strings.Contains(names, ", ") {
		return "the file " + names
	}
	return names
}

func behind(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func trimmed(sentence string) string {
	if n := len(sentence); n > 0 && sentence[n-1] == '.' {
		return sentence[:n-1]
	}
	return sentence
}
