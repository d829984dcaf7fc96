package inbox

import (
	"context"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// suggestion is what "always allow" would add to the rules, tried out on calls of the past.
type suggestion struct {
	Updates []updateView `json:"updates"`
	pastView
	// Session is the same for calls of the same session: a rule that lasts as long as that
	// covers no others.
	Session pastView `json:"session"`
}

// pastView is how rules would have done in the past.
type pastView struct {
	// Covers is how many calls of the past in the same directory they would have allowed, and
	// Denied how many of these a person has denied. Examples are some of them.
	Covers   int    `json:"covers"`
	Denied   int    `json:"denied"`
	Examples []item `json:"examples"`
}

// updateView is one change of the rules.
type updateView struct {
	Type        string   `json:"type"`
	Rules       []string `json:"rules"`
	Directories []string `json:"directories,omitempty"`
	Mode        string   `json:"mode,omitempty"`
	// Destination is where it would stand unless somebody chooses another place: the narrowest of
	// Scopes. File is that file, none for the session, and Files are those of all places that can be
	// chosen. Account is whose files these are: that as which this server runs.
	Destination string            `json:"destination"`
	File        string            `json:"file,omitempty"`
	Files       map[string]string `json:"files"`
	Account     string            `json:"account"`
	// Scopes are the places that can be chosen, the narrowest first: session, local, project, user. At those of Held it would do nothing, and
	// Why says why.
	Scopes []string `json:"scopes"`
	Held   []string `json:"held,omitempty"`
	Why    string   `json:"why,omitempty"`
	// Says is what it means, for people.
	Says string `json:"says"`
}

// addSuggestion says which rule could be added with a yes, or why none can. Whoever may add none is
// offered none.
func (s *Server) addSuggestion(ctx context.Context, d *detailView, m matter, j judged, akin []approval.Ticket) (err error) {
	if !m.answerable() {
		return nil
	}
	if visitorIn(ctx).program() {
		d.NoRule = noRuleByProgram
		return nil
	}
	if visitorIn(ctx).onlyDeputy() {
		d.NoRule = noRuleByDeputy
		return nil
	}
	if d.Suggestion, err = s.suggest(visitorIn(ctx), j, *m.Ticket, akin); err == nil && d.Suggestion == nil {
		d.NoRule = noRule(j, *m.Ticket)
	}
	return err
}

// noRuleByProgram is why no rule comes with the yes of a program: it would outlive the token.
const noRuleByProgram = "a program adds no rules"

// noRuleByDeputy is why none comes with that of a deputy: it would outlive his time.
const noRuleByDeputy = "a deputy adds no rules, which would hold for longer than he answers"

// suggest is the rule that would have let a call run; nil when only a person can. akin are
// calls of the past.
func (s *Server) suggest(v *visitor, j judged, t approval.Ticket, akin []approval.Ticket) (*suggestion, error) {
	updates := offered(v, j, t)
	if len(updates) == 0 {
		return nil, nil
	}
	checker, err := s.checker(t.Cwd)
	if err != nil {
		return nil, nil // without rules there is nothing to add to
	}
	sug := &suggestion{Updates: s.viewsOf(v, updates, j, t), pastView: pastView{Examples: []item{}}, Session: pastView{Examples: []item{}}}
	lasting := slices.DeleteFunc(slices.Clone(updates), func(u permission.Update) bool { return u.Type == permission.SetMode })
	if len(lasting) == 0 { // a mode is for what comes
		return sug, nil
	}
	with, err := trial(checker, lasting)
	if err != nil {
		return nil, err
	}
	sug.tryOn(akin, t, with, query(j.call, j.mode).Mode)
	return sug, nil
}

// tryOn counts the calls of the past that the updates would have allowed.
func (sug *suggestion) tryOn(past []approval.Ticket, asked approval.Ticket, with *trialRules, mode permission.Mode) {
	for _, t := range past {
		if t.Cwd != asked.Cwd || !with.allow(t.Call, mode) {
			continue
		}
		sug.take(t)
		if t.Session == asked.Session {
			sug.Session.take(t)
		}
	}
}

func (p *pastView) take(t approval.Ticket) {
	const shown = 5
	p.Covers++
	if t.Answer != nil && t.Answer.Behavior == permission.Deny {
		p.Denied++
	}
	if len(p.Examples) < shown {
		p.Examples = append(p.Examples, itemOf(t))
	}
}

// noRule is why there is no suggestion for a call, for whoever looks for one.
func noRule(j judged, t approval.Ticket) string {
	if j.judgement == nil {
		return policy.WellFormed("the rules cannot judge it here: " + j.problem.Error())
	}
	d := j.judgement.Decision
	why := policy.WellFormed(policy.PartText(d.Reason.String()))
	switch {
	case d.Behavior == permission.Allow && stoppedBy(t) == byHook:
		return "the rules let it run already; it was a hook that stopped it"
	case d.Behavior == permission.Allow:
		return "the rules let it run already"
	case d.Behavior == permission.Deny:
		return "the rules deny it: " + why
	case d.Reason.Kind == permission.ByRule:
		return "a rule wants such calls asked each time: " + why
	case d.Reason.Kind == permission.ByMaybeRule:
		return "nobody can say whether another rule is about it: " + why
	case d.NeedsPerson:
		return "only a person can let it run, each time: " + why
	case len(j.judgement.Suggestions) > 0:
		return "what would let calls like this run lasts as long as a session, and none goes on here"
	case j.judgement.Call != nil && j.judgement.Call.Hook.AskUnlessReads != "": // which comes before the rules
		return "rules do not let it run here: " + policy.WellFormed(j.judgement.Call.Hook.AskUnlessReads) + " (run `assent trust` in " + policy.WellFormed(t.Cwd) + " if you trust it)"
	}
	return "what it does is decided each time; no rule for calls like this would be safe"
}

// trialRules are the rules of today with some more.
type trialRules struct {
	checker *policy.Checker
	mode    permission.Mode
}

// trial adds updates to the rules of a checker, which nobody uses for anything else.
func trial(checker *policy.Checker, updates []permission.Update) (*trialRules, error) {
	t := &trialRules{checker: checker}
	for _, u := range updates {
		switch u.Type {
		case permission.AddRules:
			for _, text := range u.Rules {
				r, _, err := rule.Read(text, u.Behavior, rule.Origin{Source: rule.CLIArg})
				if err != nil {
					return nil, fmt.Errorf("the suggested rule cannot be read: %w", err)
				}
				checker.Rules = append(checker.Rules, r)
			}
		case permission.AddDirectories:
			checker.Settings.AddDirs = append(checker.Settings.AddDirs, u.Directories...)
		case permission.SetMode:
			t.mode = u.Mode
		case permission.ReplaceRules, permission.RemoveRules, permission.RemoveDirectories:
		}
	}
	return t, nil
}

func (t *trialRules) allow(call approval.Call, mode permission.Mode) bool {
	return t.objection(call, mode) == ""
}

// objection is why a call would not run without a question; empty when it would.
func (t *trialRules) objection(call approval.Call, mode permission.Mode) string {
	if t.mode != 0 {
		mode = t.mode
	}
	j, err := t.checker.Judge(policy.Query{Tool: call.Tool, Input: call.Input, Mode: mode})
	switch {
	case err != nil:
		return policy.WellFormed(err.Error())
	case j.Decision.Behavior == permission.Allow:
		return ""
	}
	return policy.WellFormed(policy.PartText(j.Decision.Reason.String()))
}

func (s *Server) viewsOf(visitor *visitor, updates []permission.Update, j judged, t approval.Ticket) []updateView {
	all := make([]updateView, 0, len(updates))
	for _, u := range updates {
		places := j.placesOf(visitor, u, t)
		narrowest := places[0] // there is one, else it is not offered
		v := updateView{Type: string(u.Type), Rules: append([]string{}, u.Rules...), Directories: u.Directories, Account: policy.WellFormed(s.Who), Destination: narrowest.scope, File: narrowest.file, Scopes: scopesOf(places), Files: map[string]string{}, Says: saysUpdate(u)}
		if u.Mode != 0 {
			v.Mode = u.Mode.String()
		}
		for _, p := range places {
			if p.file != "" {
				v.Files[p.scope] = p.file
			}
			if p.held != "" {
				v.Held, v.Why = append(v.Held, p.scope), p.held
			}
		}
		all = append(all, v)
	}
	return all
}

// saysUpdate is what a change of the rules means.
func saysUpdate(u permission.Update) string {
	switch u.Type {
	case permission.SetMode:
		if u.Mode == permission.AcceptEdits {
			return "every further change of files in the workspace, in this session, runs without asking"
		}
		return "this session goes on in the mode " + u.Mode.String()
	case permission.AddDirectories:
		return "the directory counts as a part of the workspace"
	case permission.AddRules, permission.ReplaceRules, permission.RemoveRules, permission.RemoveDirectories:
	}
	return "calls that the rule matches run without asking"
}

// fileOf is the file that is written for a source; empty when none is.
func fileOf(source rule.Source, o settings.Options) string {
	found, err := o.Place(source)
	if err != nil { // which is said when it is written
		return policy.WellFormed(o.File(source))
	}
	return policy.WellFormed(found.File)
}
