package permission

import (
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// Decision is the answer to one call, with everything a person needs to see why.
type Decision struct {
	Behavior Behavior
	// Reason is why; it is the reason of the stage that decided.
	Reason Reason
	// Stage is the stage that decided.
	Stage Stage
	// Trace is what each stage said, in order; a stage that did not run is zero.
	Trace [4]Step
	// NeedsPerson: no rule, hook or classifier may allow it, only a person.
	NeedsPerson bool
	// Classify: in auto mode, a classifier may answer this question.
	Classify bool
}

// Stage is one of the four stages of the pipeline.
type Stage uint8

// The stages.
const (
	StageValidate Stage = iota + 1
	StageRules
	StageCheck
	StageResolve
)

func (s Stage) String() string {
	switch s {
	case StageValidate:
		return "validate"
	case StageRules:
		return "rules"
	case StageCheck:
		return "check"
	case StageResolve:
		return "resolve"
	}
	return "none"
}

// Step is what one stage said.
type Step struct {
	Stage   Stage
	Outcome Behavior
	Reason  Reason
}

// ReasonKind tells reasons apart.
type ReasonKind uint8

// The kinds of reason.
const (
	ByRule       ReasonKind = iota + 1 // a rule matches
	ByMaybeRule                        // a deny or ask rule could match what cannot be known
	ByHook                             // a PreToolUse hook decided
	ByBrokenHook                       // a hook that did not work denies
	ByMode                             // the permission mode
	BySafety                           // protected path or danger floor
	ByReadOnly                         // it only reads, inside the working directories
	ByOutside                          // outside the working directories
	ByUnreadable                       // the command or path cannot be understood
	ByTool                             // the tool's own check: harmless, or needs a person
	ByNoRule                           // nothing allows it
	ByInvalid                          // the input is not what the schema says
	ByClassifier
	ByPerson
	ByNobody // there is nobody to ask
	ByFault  // assent itself failed
	ByLimit  // a setting forbids it, whatever else is said
)

var reasonNames = [...]string{
	ByRule: "rule", ByMaybeRule: "maybeRule", ByHook: "hook", ByBrokenHook: "brokenHook", ByMode: "mode", BySafety: "safety",
	ByReadOnly: "readOnly", ByOutside: "outside", ByUnreadable: "unreadable", ByTool: "tool", ByNoRule: "noRule", ByInvalid: "invalid",
	ByClassifier: "classifier", ByPerson: "person", ByNobody: "nobody", ByFault: "fault", ByLimit: "limit",
}

func (k ReasonKind) String() string {
	if k != 0 && int(k) < len(reasonNames) {
		return reasonNames[k]
	}
	return "none"
}

// Reason is why a stage said what it said.
type Reason struct {
	Kind ReasonKind
	// Rule is the rule that matched, with its file and line.
	Rule *rule.Rule
	// Detail is a sentence or phrase for a person.
	Detail string
	// Part is the part of a shell command that decided.
	Part *Part
	// Path is the file that decided.
	Path string
	Mode Mode
}

// Part is a part of a shell command.
type Part struct {
	Text string // its words
	Span shell.Span
	Via  []string // the constructs around it, outermost first
}

// Verdict is what the PreToolUse hooks said before the rules were looked at.
type Verdict struct {
	Behavior Behavior // Allow, Deny, Ask, Defer; Pass or zero for no opinion
	Reason   string
	Broken   bool // a denial because a hook did not work
	// Answered: hooks that allow have answered the question that a person was asked
	// (AskUserQuestion): the input holds their answers.
	Answered bool
	// AskUnlessReads is why a call must ask unless it only reads; "" when it need
	// not. It is a floor under Behavior: a deny, defer or ask stays, an allow does
	// not lift it. Hooks of a workspace that nobody has trusted set it.
	AskUnlessReads string
}
