package policy

import (
	"cmp"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// Part is a simple command of a shell call and what stands for or against it.
type Part struct {
	Text string   `json:"text"`
	Span [2]int   `json:"span"`
	Via  []string `json:"via,omitempty"`
	// Outcome is allow for a part that is fine, ask or deny for one that is not, and
	// passthrough for one that is judged together with what runs it.
	Outcome string   `json:"outcome"`
	Why     string   `json:"why"`
	Rule    *RuleRef `json:"rule,omitempty"`
	// Decided: the decision rests on this part.
	Decided bool `json:"decided,omitzero"`
}

// parts explains every part of a shell call. The part that decided is what the
// decision says it is; the others are looked up in the same rules.
func (j *Judgement) parts() []Part {
	if j.Call == nil || j.Call.Script() == nil {
		return nil
	}
	v := partView{Judgement: j, script: j.Call.Script(), rules: rule.Compile(j.env.context.Rules(), rule.Anchors{})}
	var all []Part
	for i := range v.script.Commands {
		c := &v.script.Commands[i]
		if c.Link == shell.Guess && !j.decided(c) {
			continue
		}
		all = append(all, v.part(i))
	}
	return all
}

type partView struct {
	*Judgement
	script *shell.Script
	// rules are those of all sources, nearest first.
	rules *rule.Set
}

func (v *partView) part(i int) Part {
	c := &v.script.Commands[i]
	p := Part{Text: PartText(c.Text()), Span: pair(c.Span), Via: allWellFormed(c.Via)}
	var f partFinding
	switch {
	case v.decided(c):
		d := &v.Decision
		reason := v.reason()
		f = partFinding{d.Behavior, alone(reason).String(), reason.Rule}
		p.Decided = true
	case v.Decision.Behavior == permission.Allow:
		f = v.fine(i)
	default:
		f = v.look(i)
	}
	p.Outcome, p.Why, p.Rule = f.outcome.String(), PartText(f.why), refer(f.rule)
	return p
}

// alone is a reason without the part and the file it is about.
func alone(r permission.Reason) permission.Reason {
	r.Part, r.Path = nil, ""
	return r
}

type partFinding struct {
	outcome permission.Behavior
	why     string
	rule    *rule.Rule
}

// look says what stands for or against a part of a call that is not allowed.
func (v *partView) look(i int) partFinding {
	if f, found := v.restricted(i); found {
		return f
	}
	c := &v.script.Commands[i]
	if c.Link != shell.Direct && c.Link != shell.Transparent {
		return partFinding{permission.Pass, "judged together with what runs it", nil}
	}
	if v.script.Inner(i) >= 0 && c.Taint == "" {
		return partFinding{permission.Pass, "judged by the command it runs", nil}
	}
	return v.granted(i)
}

// restricted looks for deny and ask rules, also behind a directory before the
// name of the program.
func (v *partView) restricted(i int) (partFinding, bool) {
	texts := []string{v.script.Commands[i].Text()}
	name, _, _ := strings.Cut(texts[0], " ")
	if slash := strings.LastIndexByte(name, '/'); slash >= 0 {
		texts = append(texts, texts[0][slash+1:])
	}
	best := partFinding{}
	for _, b := range []rule.Behavior{rule.Deny, rule.Ask} {
		for _, text := range texts {
			r, match := v.rules.Bash(b, text)
			switch {
			case match == rule.Yes:
				return partFinding{outcomeOf(r), permission.Reason{Kind: permission.ByRule, Rule: r}.String(), r}, true
			case match == rule.Maybe && best.rule == nil:
				reason := permission.Reason{Kind: permission.ByMaybeRule, Rule: r, Detail: "part of the command is only known when it runs"}
				best = partFinding{permission.Ask, reason.String(), r}
			}
		}
	}
	return best, best.rule != nil
}

func outcomeOf(r *rule.Rule) permission.Behavior {
	if r.Behavior == rule.Deny {
		return permission.Deny
	}
	return permission.Ask
}

// granted says whether an allow rule covers a part or it only reads.
func (v *partView) granted(i int) partFinding {
	c := &v.script.Commands[i]
	if c.Taint != "" {
		return partFinding{permission.Ask, c.Taint, nil}
	}
	doubt := v.script.PartReadOnly(i)
	if writes := doubt.Text != "" && v.script.WordsReadOnly(i).Text == ""; writes && v.allowRule(c) != nil {
		return partFinding{permission.Ask, doubt.Text, nil}
	}
	if r := v.allowRule(c); r != nil {
		return partFinding{permission.Allow, permission.Reason{Kind: permission.ByRule, Rule: r}.String(), r}
	}
	if doubt.Text == "" {
		return partFinding{permission.Allow, "it only reads", nil}
	}
	return partFinding{permission.Ask, "no rule allows it and it is not known to only read (" + cmp.Or(c.Unlisted, doubt.Text) + ")", nil}
}

func (v *partView) allowRule(c *shell.Command) *rule.Rule {
	if r := v.rules.Tool(v.Call.Name).Allow; r != nil {
		return r
	}
	if r := v.rules.Parameters(v.Call.Name, v.Request.Input).Allow; r != nil {
		return r
	}
	if c.Opaque == shell.OpaqueShell || c.Unlisted != "" || len(c.Words) == 0 {
		return nil
	}
	r, _ := v.rules.Bash(rule.Allow, c.Text())
	return r
}

// fine says why a part of an allowed call is fine.
func (v *partView) fine(i int) partFinding {
	d := &v.Decision
	if d.Reason.Kind == permission.ByMode || d.Reason.Kind == permission.ByHook {
		return partFinding{permission.Allow, d.Reason.String(), nil}
	}
	switch f := v.look(i); f.outcome {
	case permission.Allow, permission.Pass:
		return f
	case permission.Ask, permission.Deny, permission.Defer:
	}
	return partFinding{permission.Allow, "a rule allows the files it writes", nil}
}
