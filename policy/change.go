package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// ChangeKind tells the changes apart that a person can make.
type ChangeKind uint8

// The kinds of change.
const (
	AddRule ChangeKind = iota + 1
	RemoveRule
	SetMode
	AddDirectory
	TrustWorkspace
)

func (k ChangeKind) String() string {
	switch k {
	case AddRule:
		return "addRule"
	case RemoveRule:
		return "removeRule"
	case SetMode:
		return "setMode"
	case AddDirectory:
		return "addDirectory"
	case TrustWorkspace:
		return "trustWorkspace"
	}
	return "none"
}

// Change is one thing that a person can do about a decision.
type Change struct {
	Kind ChangeKind
	// Rule is the rule to add or to remove; its origin says where.
	Rule      rule.Rule
	Mode      permission.Mode
	Directory string
	// Dir is the workspace to trust.
	Dir string
	// TrustAgain: the rule is added to a workspace that was trusted as it stood, so
	// that it must be trusted anew.
	TrustAgain bool
}

// String is the change as an instruction.
func (c Change) String() string { return instruct([]Change{c}) }

// alike counts the changes at the start of a list that are one instruction: rules
// for the same place.
func alike(changes []Change) int {
	n := 1
	for n < len(changes) && changes[0].Kind == AddRule && sameList(changes[0], changes[n]) {
		n++
	}
	return n
}

func sameList(a, b Change) bool {
	return a.Kind == b.Kind && a.Rule.Behavior == b.Rule.Behavior && a.Rule.Origin == b.Rule.Origin && a.TrustAgain == b.TrustAgain
}

// instruct words changes that are one instruction.
func instruct(changes []Change) string {
	c := changes[0]
	switch c.Kind {
	case AddRule:
		text := fmt.Sprintf("add %s %s%s", c.Rule.Behavior, ruleList(changes), destination(" to ", c.Rule.Origin))
		if c.TrustAgain {
			text += " and run `assent trust " + shellWord(c.Dir) + "`"
		}
		return text
	case RemoveRule:
		return fmt.Sprintf("remove %s rule %s%s", listed(c.Rule), named(c.Rule.Text), destination(" from ", c.Rule.Origin))
	case SetMode:
		return "run in mode " + c.Mode.String()
	case AddDirectory:
		return "add the working directory " + Visible(c.Directory) + " (--add-dir or additionalDirectories)"
	case TrustWorkspace:
		return "trust the workspace: assent trust " + shellWord(c.Dir)
	}
	return ""
}

func ruleList(changes []Change) string {
	texts := make([]string, len(changes))
	for i, c := range changes {
		texts[i] = named(c.Rule.Text)
	}
	if len(texts) == 1 {
		return "rule " + texts[0]
	}
	return "rules " + strings.Join(texts, " and ")
}

func listed(r rule.Rule) string {
	if r.Quarantined {
		return "malformed " + r.List.String()
	}
	return r.Behavior.String()
}

func destination(preposition string, o rule.Origin) string {
	switch {
	case o.File != "":
		return preposition + Visible(fileLine(o.File, o.Line))
	case o.Source == rule.CLIArg:
		return preposition + "the command line"
	}
	return ""
}

// wireChange is a change as data.
type wireChange struct {
	Kind      string   `json:"kind"`
	Rule      *RuleRef `json:"rule,omitempty"`
	Mode      string   `json:"mode,omitempty"`
	Directory string   `json:"directory,omitempty"`
	Workspace string   `json:"workspace,omitempty"`
}

func (c Change) wire() wireChange {
	w := wireChange{Kind: c.Kind.String(), Directory: WellFormed(c.Directory), Workspace: WellFormed(c.Dir)}
	if c.Rule.Text != "" {
		w.Rule = refer(&c.Rule)
	}
	if c.Mode != 0 {
		w.Mode = c.Mode.String()
	}
	return w
}

// with is the environment after some changes. The receiver does not change.
func (e *environment) with(changes ...Change) (*environment, error) {
	next := *e
	next.config.Rules = slices.Clone(e.config.Rules)
	next.config.Directories = slices.Clone(e.config.Directories)
	for _, c := range changes {
		if err := next.apply(c); err != nil {
			return nil, err
		}
	}
	return next.compile()
}

func (e *environment) apply(c Change) error {
	switch c.Kind {
	case AddRule:
		e.config.Rules = append(e.config.Rules, c.Rule)
	case RemoveRule:
		e.config.Rules = slices.DeleteFunc(e.config.Rules, func(r rule.Rule) bool { return r == c.Rule })
	case SetMode:
		if err := e.config.Refuses(c.Mode); err != nil {
			return err
		}
		if !c.Mode.Within(e.config.ModeLimit) {
			return permission.ErrModeLimit
		}
		e.config.Mode = c.Mode
	case AddDirectory:
		e.config.Directories = append(e.config.Directories, permission.Directory{Path: c.Directory, Source: rule.CLIArg})
	case TrustWorkspace:
		e.trustWorkspace()
	default:
		return fmt.Errorf("unknown change %d", c.Kind)
	}
	return nil
}

// trustWorkspace puts what is held back into force.
func (e *environment) trustWorkspace() {
	e.config.Rules = append(e.config.Rules, e.held.Rules...)
	e.config.Directories = append(e.config.Directories, e.held.Directories...)
	if e.held.Mode != 0 && e.held.Mode.Within(e.config.ModeLimit) && e.config.Refuses(e.held.Mode) == nil {
		e.config.Mode = e.held.Mode
	}
	e.held = settings.HeldBack{}
	e.trust = settings.TrustState{Status: settings.Trusted, By: "assent trust"}
}
