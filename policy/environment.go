package policy

import (
	"maps"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// environment is what decides over calls in one place: rules, mode, directories,
// and what an untrusted workspace would add to them. It does not change.
type environment struct {
	config  permission.Config
	context *permission.Context

	held  settings.HeldBack
	trust settings.TrustState
	// dir is the workspace as somebody names it, for `assent trust`.
	dir string
	// files says where rules of a source are written; empty when the rules come from
	// a request.
	files map[rule.Source]string
	// classifier is who judges in auto mode, as settings say.
	classifier settings.ClassifierChoice
	// notes are what a person should know besides the decision.
	notes []string
	// approvals is what a person's yes needs by the risk of a call, and how long that may wait;
	// nil when the rules come from a request.
	approvals func(permission.Risk) (permission.Terms, time.Duration)
}

// place is where a call is made.
type place struct {
	cwd, home string          // absolute
	mode      permission.Mode // zero: the settings' own, else default
}

// newEnvironment is the environment of given permissions, beside which the command
// line holds, and what the administrator restricts.
func newEnvironment(p Permissions, at place, line *commandLine, l limits) (*environment, error) {
	rules, notes := p.rules()
	config := permission.Config{
		Mode: at.mode, ModeLimit: l.mode, Limits: l.Limits,
		Cwd: at.cwd, Home: at.home, Rules: slices.Concat(rules, line.rules, l.rules),
		Directories: slices.Concat(
			directories(p.AdditionalDirectories, at, rule.ProjectSettings), directories(line.directories, at, rule.CLIArg)),
	}
	e := &environment{config: config, notes: notes, trust: settings.TrustState{Status: settings.Trusted}}
	return e.compile()
}

// fromSettings is the environment of settings on disk, with further rules of the
// command line.
func fromSettings(s *settings.Settings, dir string, more []rule.Rule) (*environment, error) {
	e := &environment{
		config: s.Config(), held: s.HeldBack, trust: s.TrustState(), dir: dir,
		files: map[rule.Source]string{}, classifier: s.Classifier(), notes: hookNotes(s), approvals: s.Approvals,
	}
	e.config.Rules = append(e.config.Rules, more...)
	for _, f := range s.Files {
		if e.files[f.Source] == "" {
			e.files[f.Source] = f.Path
		}
	}
	return e.compile()
}

func (e *environment) compile() (*environment, error) {
	context, err := permission.NewContext(e.config)
	if err != nil {
		return nil, err
	}
	e.context = context
	return e, nil
}

// hookNotes tells about hooks that have a say before the rules and are not run
// here.
func hookNotes(s *settings.Settings) []string {
	var notes []string
	for _, f := range s.Files {
		var events map[string]strictjson.Raw
		if len(f.Hooks.JSON) == 0 || strictjson.Unmarshal(f.Hooks.JSON, &events) != nil {
			continue
		}
		if slices.Contains(slices.Collect(maps.Keys(events)), "PreToolUse") {
			notes = append(notes, "the PreToolUse hooks of "+fileLine(f.Path, f.Hooks.Line)+" run before the rules and are not part of this answer")
		}
	}
	return notes
}
