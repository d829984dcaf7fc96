package policy

import (
	"slices"
	"unicode/utf8"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// Reply is a decision as `assent check` prints it. The names of its keys are part
// of the interface.
type Reply struct {
	Decision   string      `json:"decision"`
	Reason     string      `json:"reason"`
	ReasonKind string      `json:"reason_kind"`
	Rule       string      `json:"rule,omitempty"`
	RuleSource *RuleSource `json:"rule_source,omitempty"`
	Stage      string      `json:"stage"`
	Mode       string      `json:"mode,omitempty"`
	Path       *PathReply  `json:"path,omitempty"`
	Parts      []PartReply `json:"parts,omitempty"`
	// NeedsPerson: no rule, hook or mode can allow it.
	NeedsPerson bool                `json:"needs_person,omitzero"`
	Suggestions []permission.Update `json:"suggestions,omitempty"`
	// Notes are what a person should know besides.
	Notes []string `json:"notes,omitempty"`
}

// RuleSource is where a rule was written.
type RuleSource struct {
	Source string `json:"source"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitzero"`
}

// PathReply is a file as it was named and as the kernel finds it.
type PathReply struct {
	Given   string `json:"given"`
	Real    string `json:"real,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// PartReply is one simple command of a shell call.
type PartReply struct {
	Text string `json:"text"`
	// Span is a byte range of the command.
	Span [2]int   `json:"span"`
	Via  []string `json:"via,omitempty"`
	// Decision is set on the part that decided.
	Decision string `json:"decision,omitempty"`
}

// Reply is the judgement in that form.
func (j *Judgement) Reply() Reply {
	d := &j.Decision
	r := Reply{
		Decision: d.Behavior.String(), Reason: PartText(d.Message()), ReasonKind: d.Reason.Kind.String(),
		Stage: d.Stage.String(), Mode: j.env.context.Mode().String(),
		NeedsPerson: d.NeedsPerson, Suggestions: sayable(j.Suggestions), Notes: allWellFormed(j.env.notes),
	}
	if reason := j.reason(); reason.Rule != nil {
		r.Rule = WellFormed(reason.Rule.Text)
		o := reason.Rule.Origin
		r.RuleSource = &RuleSource{Source: o.Source.String(), File: WellFormed(o.File), Line: o.Line}
	}
	if j.Call == nil {
		return r
	}
	if p := j.Call.Path(); p.Given != "" {
		named := pathReply(p)
		r.Path = &named
	}
	r.Parts = j.partReplies()
	return r
}

// pathReply shows a path; a name that is no text with escapes.
func pathReply(p permission.Path) PathReply {
	return PathReply{Given: WellFormed(p.Given), Real: WellFormed(p.Real), Problem: WellFormed(p.Problem)}
}

// sayable are the suggestions if all of them can be said in JSON: with a name that
// is not the one that was meant they would allow something else.
func sayable(updates []permission.Update) []permission.Update {
	for _, u := range updates {
		for _, text := range slices.Concat(u.Rules, u.Directories) {
			if !utf8.ValidString(text) {
				return nil
			}
		}
	}
	return updates
}

// reason is what the stage that decided said; a mode or a setting that turns questions into
// denials stands before it in the decision.
func (j *Judgement) reason() permission.Reason { return j.Decision.Question() }

func (j *Judgement) partReplies() []PartReply {
	script := j.Call.Script()
	if script == nil {
		return nil
	}
	var all []PartReply
	for i := range script.Commands {
		c := &script.Commands[i]
		if c.Link == shell.Guess && !j.decided(c) || len(c.Words) == 0 && len(c.Redirects) == 0 && len(c.Assigns) == 0 {
			continue
		}
		p := PartReply{Text: PartText(c.Text()), Span: pair(c.Span), Via: allWellFormed(c.Via)}
		if j.decided(c) {
			p.Decision = j.Decision.Behavior.String()
		}
		all = append(all, p)
	}
	return all
}

// decided reports whether a command is the part that the reason names.
func (j *Judgement) decided(c *shell.Command) bool {
	p := j.reason().Part
	return p != nil && p.Span == c.Span && p.Text == c.Text() && slices.Equal(p.Via, c.Via)
}
