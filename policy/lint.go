package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// Severity says how bad a finding is.
type Severity uint8

// The severities. Info is worth knowing and no reason to fail.
const (
	Info Severity = iota + 1
	Warning
	Error
)

func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return "none"
}

// MarshalText is the severity in JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is something about the settings that does not mean what it seems to.
type Finding struct {
	Severity Severity `json:"severity"`
	// Code names the kind of finding, for filters: "shadowed", "single-slash".
	Code string `json:"code"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitzero"`
	Rule string `json:"rule,omitempty"`
	Text string `json:"text"`
	// Fix is what to do about it.
	Fix string `json:"fix,omitempty"`
}

// Place is where it stands: "FILE:LINE".
func (f Finding) Place() string {
	switch {
	case f.File != "":
		return fileLine(f.File, f.Line)
	case f.Rule != "":
		return "command line"
	}
	return "settings"
}

// LintOptions is what lint has to know besides the settings.
type LintOptions struct {
	// Tools are the names of the tools that exist.
	Tools []string
	// Schema is the schema of the input of tools that are not built in, by their names.
	Schema map[string][]byte
	// Exists reports whether a path exists; nil means that none does.
	Exists func(path string) bool
	// ReadFile reads a settings file again, to look for keys that nobody reads; nil
	// means that they are not looked for. The path is that of [settings.File].
	ReadFile func(path string) ([]byte, error)
	// Script reads the program of a hook, relative to the project; nil means that
	// programs are not looked at.
	Script func(path string) (Script, error)
}

// Lint looks for rules that are dead, misread or broader than they look, and for
// what else the settings have to say. Findings come in the order of the files.
func Lint(s *settings.Settings, o LintOptions) []Finding {
	l := newLinter(s, o)
	l.reports(s.Reports)
	l.keys(s.Files)
	for i := range l.rules {
		r := &l.rules[i]
		l.unseen(r)
		if r.Quarantined {
			continue // reported with its syntax error
		}
		l.tool(r)
		l.writeOnly(r)
		if l.parameter(r) {
			continue
		}
		l.paths(r)
		l.bash(r)
		l.regex(r)
	}
	l.shadows()
	l.hooks(s)
	l.escalations(s)
	slices.SortStableFunc(l.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(l.order[a.File], l.order[b.File]), cmp.Compare(a.Line, b.Line))
	})
	for i := range l.found {
		f := &l.found[i]
		f.File, f.Rule, f.Text, f.Fix = WellFormed(f.File), WellFormed(f.Rule), WellFormed(f.Text), WellFormed(f.Fix)
	}
	return l.found
}

// linter collects the findings of one set of settings.
type linter struct {
	LintOptions
	rules   []rule.Rule // those in force and those held back
	anchors Roots
	order   map[string]int    // of the files
	seen    map[rule.Rule]int // identity to line
	broadly map[string]string // what the words before a star allow
	found   []Finding
}

func newLinter(s *settings.Settings, o LintOptions) *linter {
	config := s.Config()
	l := &linter{LintOptions: o, order: map[string]int{}, seen: map[rule.Rule]int{}, broadly: map[string]string{}, anchors: RootsOf(config)}
	l.rules = append(config.Rules, s.HeldBack.Rules...)
	for i, f := range s.Files {
		l.order[f.Path] = i + 1
	}
	if l.Exists == nil {
		l.Exists = func(string) bool { return false }
	}
	return l
}

func (l *linter) add(s Severity, code string, r *rule.Rule, text, fix string) {
	l.found = append(l.found, Finding{
		Severity: s, Code: code, File: r.Origin.File, Line: r.Origin.Line, Rule: r.Text,
		Text: r.List.String() + " rule " + named(r.Text) + " " + text, Fix: fix,
	})
}

// named is the text of a rule inside a sentence; one that is empty must be seen,
// too.
func named(text string) string {
	if strings.TrimSpace(text) == "" {
		return `"` + Visible(text) + `"`
	}
	return Visible(text)
}
