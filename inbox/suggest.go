package inbox

import (
	"fmt"
	"path/filepath"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// suggestion is what "always allow" would add to the rules, tried out on calls of the past.
type suggestion struct {
	Updates []updateView `json:"updates"`
	// Covers is how many calls of the past in the same directory it would have allowed, and
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
	// Destination is where it would stand unless somebody chooses another place: session,
	// local, project or user. File is that file, none for the session.
	Destination string `json:"destination"`
	File        string `json:"file,omitempty"`
	// Scopes are the places that can be chosen.
	Scopes []string `json:"scopes"`
}

// suggest is the rule that would have let a call run; nil when only a person can. akin are
// calls of the past.
func (s *Server) suggest(j judged, t approval.Ticket, akin []approval.Ticket) (*suggestion, error) {
	if j.judgement == nil {
		return nil, nil
	}
	updates := j.judgement.Reply().Suggestions // those that can be said in JSON
	if len(updates) == 0 {
		return nil, nil
	}
	checker, err := s.checker(t.Cwd)
	if err != nil {
		return nil, nil // without rules there is nothing to add to
	}
	sug := &suggestion{Updates: viewsOf(updates, checker.Settings), Examples: []item{}}
	with, err := trial(checker, updates)
	if err != nil {
		return nil, err
	}
	sug.tryOn(akin, t.Cwd, with, query(j.call, j.mode).Mode)
	return sug, nil
}

// tryOn counts the calls of the past that the updates would have allowed.
func (sug *suggestion) tryOn(past []approval.Ticket, cwd string, with *trialRules, mode permission.Mode) {
	const shown = 5
	for _, t := range past {
		if t.Cwd != cwd || !with.allow(t.Call, mode) {
			continue
		}
		sug.Covers++
		if t.Answer != nil && t.Answer.Behavior == permission.Deny {
			sug.Denied++
		}
		if len(sug.Examples) < shown {
			sug.Examples = append(sug.Examples, itemOf(t))
		}
	}
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
	if t.mode != 0 {
		mode = t.mode
	}
	j, err := t.checker.Judge(policy.Query{Tool: call.Tool, Input: call.Input, Mode: mode})
	return err == nil && j.Decision.Behavior == permission.Allow
}

func viewsOf(updates []permission.Update, o settings.Options) []updateView {
	all := make([]updateView, 0, len(updates))
	for _, u := range updates {
		v := updateView{Type: string(u.Type), Rules: append([]string{}, u.Rules...), Directories: u.Directories, Destination: scopeOf(u.Destination), Scopes: scopesOf(u), File: fileOf(u.Destination, o)}
		if u.Mode != 0 {
			v.Mode = u.Mode.String()
		}
		all = append(all, v)
	}
	return all
}

// fileOf is where the rules of a source stand; empty when in no file.
func fileOf(source rule.Source, o settings.Options) string {
	switch source {
	case rule.LocalSettings:
		return policy.WellFormed(filepath.Join(o.Dir, ".claude", "settings.local.json"))
	case rule.ProjectSettings:
		return policy.WellFormed(filepath.Join(o.Dir, ".claude", "settings.json"))
	case rule.UserSettings:
		return policy.WellFormed(filepath.Join(o.Home, ".claude", "settings.json"))
	default:
		return ""
	}
}
