package settings

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/assent-dev/assent/permission"
)

// maxApprovers is how many people settings may ask for: more would be a slip of the hand that
// nobody could ever satisfy.
const maxApprovers = 20

// maxEscalations is how often others may be told of one call.
const maxEscalations = 20

// soonest is how long nobody must have answered before others are told: earlier, they would be
// told of every call.
const soonest = time.Minute

// approvalsKey is the one key under "assent" most of which only restricts, and needs no trust.
const approvalsKey = "approvals"

// approvalSetting is what one file asks for before a yes counts: for every call, and for those
// of a risk.
type approvalSetting struct {
	any, low, medium, high approvalClass
	// grants is what needs trust.
	grants []entry
}

// approvalClass is what is asked for of the calls of one class.
type approvalClass struct {
	terms   permission.Terms
	expires time.Duration // zero when it says nothing
	told    []entry       // whom escalations name, for who looks whether they are there
}

// and is what both ask for.
func (c approvalClass) and(other approvalClass) approvalClass {
	both := approvalClass{terms: c.terms.And(other.terms), expires: c.expires}
	if other.expires > 0 && (both.expires == 0 || other.expires < both.expires) {
		both.expires = other.expires
	}
	return both
}

// restricting is what asks for more of a yes, and does nothing else.
func (c approvalClass) restricting() approvalClass {
	c.terms.Escalate, c.expires = nil, 0
	return c
}

// of is what holds for a risk. One about which nobody has thought counts as high.
func (a *approvalSetting) of(risk permission.Risk) approvalClass {
	switch risk {
	case permission.LowRisk:
		return a.any.and(a.low)
	case permission.MediumRisk:
		return a.any.and(a.medium)
	case permission.HighRisk:
	}
	return a.any.and(a.high)
}

// approvals reads assent.approvals: what has to be so before a person's yes counts.
func (r *reader) approvals(m member) approvalSetting {
	const hint = `write {"any": {"reason": true}, "high": {"approvers": 2}}, or some of any, low, medium and high`
	var a approvalSetting
	if m.value.Kind != '{' {
		r.fail(m.value, "approvals says nothing about calls", hint)
		return a
	}
	for _, m := range r.object(m.value, "approvals", []string{"any", "low", "medium", "high"}) {
		a.grants = append(a.grants, r.approvalGrants(m)...)
		switch m.name {
		case "any":
			a.any = r.approvalClass(m)
		case "low":
			a.low = r.approvalClass(m)
		case "medium":
			a.medium = r.approvalClass(m)
		case "high":
			a.high = r.approvalClass(m)
		default:
			r.fail(m.value, "approvals has "+visible(m.name)+", which is no class of calls", hint)
		}
	}
	r.tellsInTime(m, "approvals.low", a.low.terms.Escalate, a.any.expires)
	r.tellsInTime(m, "approvals.medium", a.medium.terms.Escalate, a.any.expires)
	r.tellsInTime(m, "approvals.high", a.high.terms.Escalate, a.any.expires)
	return a
}

// tellsInTime refuses escalations that would come when the call is over: nobody would ever be told.
func (r *reader) tellsInTime(m member, name string, all []permission.Escalation, expires time.Duration) {
	for _, e := range all {
		if expires > 0 && e.After >= expires {
			r.fail(m.value, fmt.Sprintf("%s tells others after %v, and the call is over after %v", name, e.After, expires), "tell them before the end")
		}
	}
}

func (r *reader) approvalClass(m member) approvalClass {
	const hint = `write {"approvers": 2, "reason": true, "notRequester": true, "expires": "4h", "escalate": [{"after": "30m", "notify": ["phone"]}]}, or some of it`
	var c approvalClass
	if m.value.Kind != '{' {
		r.fail(m.value, "approvals."+m.name+" says nothing about approvals", hint)
		return c
	}
	for _, m := range r.object(m.value, "approvals."+m.name, []string{"approvers", "reason", "notRequester", "expires", "escalate"}) {
		switch m.name {
		case "approvers":
			c.terms.Approvers = r.approvers(m)
		case "reason":
			c.terms.Reason = r.toggle(m).set()
		case "notRequester":
			c.terms.NotRequester = r.toggle(m).set()
		case "expires":
			c.expires = r.span(m)
		case "escalate":
			c.terms.Escalate, c.told = r.escalations(m)
		default:
			r.fail(m.value, "approvals has "+visible(m.name)+", which nobody knows", hint)
		}
	}
	r.tellsInTime(m, "approvals."+m.name, c.terms.Escalate, c.expires)
	return c
}

// approvalGrants is what of a class counts only where the file is trusted: who is told, and when the
// time of a call ends.
func (r *reader) approvalGrants(m member) (all []entry) {
	for _, key := range m.value.Members() {
		if name := key.Name.Text(); name == "expires" || name == "escalate" {
			all = append(all, entry{"approvals." + m.name + " " + name + " " + canonical(key.Value), r.line(key.Name)})
		}
	}
	return all
}

func (r *reader) approvers(m member) int {
	n, err := strconv.Atoi(m.value.Raw())
	if m.value.Kind != '0' || err != nil || n < 1 || n > maxApprovers {
		r.fail(m.value, "approvers is no number of people", fmt.Sprintf("write a whole number from 1 to %d", maxApprovers))
		return 0
	}
	return n
}

// span reads how long something lasts.
func (r *reader) span(m member) time.Duration {
	text := r.string(m).text
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		r.fail(m.value, visible(text)+" is no time to wait", "write it like 90m or 72h")
		return 0
	}
	return d
}

func (r *reader) escalations(m member) (all []permission.Escalation, told []entry) {
	const hint = `write [{"after": "30m", "notify": ["phone"]}]`
	if m.value.Kind != '[' {
		r.fail(m.value, "escalate must be a list", hint)
		return nil, nil
	}
	for n := range m.value.Elements() {
		if len(all) == maxEscalations {
			r.fail(n, fmt.Sprintf("escalate has more than %d steps", maxEscalations), "leave some out")
			return nil, nil
		}
		var e permission.Escalation
		for _, m := range r.object(n, "every element of escalate", []string{"after", "notify"}) {
			switch m.name {
			case "after":
				if e.After = r.span(m); e.After > 0 && e.After < soonest {
					r.fail(m.value, visible(m.value.Text())+" is too soon to tell others", "write at least 1m")
				}
			case "notify":
				names := r.notified(m)
				for _, one := range names {
					e.Notify = append(e.Notify, one.text)
				}
				told = append(told, names...)
			default:
				r.fail(m.value, "escalate has "+visible(m.name)+", which nobody knows", hint)
			}
		}
		if e.After == 0 || len(e.Notify) == 0 {
			r.fail(n, "escalate does not say after which time whom to tell", hint)
			return nil, nil
		}
		all = append(all, e)
	}
	return all, told
}

// notified reads the names of those who are told, each once.
func (r *reader) notified(m member) []entry {
	var all []entry
	for _, e := range r.strings(m) {
		if e.text == "" {
			r.fail(m.value, "notify names nobody", "write the names of targets of notifications, like phone")
		}
		if !slices.ContainsFunc(all, func(other entry) bool { return other.text == e.text }) {
			all = append(all, e)
		}
	}
	return all
}

// Approvals is what has to be so before a person's yes to a call of a risk counts, and how long
// such a call may wait; zero means that nobody limits it. What several files say adds up, and of
// two the stricter holds. Every file may ask for more of a yes, also that of a workspace which
// nobody has trusted. Such a one says neither who is told, which sends messages to people, nor how
// long a call waits, which could deny each at once.
func (s *Settings) Approvals(risk permission.Risk) (terms permission.Terms, expires time.Duration) {
	var all approvalClass
	for i := range s.texts {
		t := &s.texts[i]
		if !t.selected || !t.exists || t.said == nil {
			continue
		}
		class := t.said.approvals.of(risk)
		if fromWorkspace(t.source) && s.trust.Status != Trusted {
			class = class.restricting()
		}
		all = all.and(class)
	}
	return all.terms, all.expires
}
