// Package rule is the language of permission rules: it parses rule texts and
// matches calls against compiled sets of them.
//
// A rule is `Tool` or `Tool(content)`. Start with [Parse] for one text and
// [Compile] for a list; a [Set] is immutable and answers without scanning all its
// rules. What the content means depends on the tool: shell words for Bash,
// gitignore-style patterns for Read, Edit and Write, `domain:host` for WebFetch;
// never a regular expression.
//
// The package is pure: paths come in absolute and resolved.
package rule

import "fmt"

// Behavior is what a rule, or a decision, says about a call.
type Behavior uint8

// The behaviours. The zero value is none of them.
const (
	Allow Behavior = iota + 1
	Ask
	Deny
)

func (b Behavior) String() string {
	switch b {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "none"
}

// ParseBehavior is the inverse of String.
func ParseBehavior(text string) (Behavior, error) {
	for _, b := range []Behavior{Allow, Ask, Deny} {
		if text == b.String() {
			return b, nil
		}
	}
	return 0, fmt.Errorf("unknown behavior %q: want allow, ask or deny", text)
}

// Source is where a rule comes from. A larger one is nearer to the call: it is
// named first as the reason and its mode wins. It never decides between allow
// and deny.
type Source uint8

// The eight sources, farthest first.
const (
	UserSettings Source = iota + 1
	ProjectSettings
	LocalSettings
	FlagSettings   // --settings
	PolicySettings // managed by the administrator
	CLIArg         // --allowedTools, --disallowedTools
	Command        // allowed-tools of a custom command
	Session
)

// Sources lists all sources, nearest first.
var Sources = [...]Source{Session, Command, CLIArg, PolicySettings, FlagSettings, LocalSettings, ProjectSettings, UserSettings}

var sourceNames = [...]string{
	UserSettings: "userSettings", ProjectSettings: "projectSettings", LocalSettings: "localSettings",
	FlagSettings: "flagSettings", PolicySettings: "policySettings", CLIArg: "cliArg", Command: "command", Session: "session",
}

func (s Source) String() string {
	if int(s) < len(sourceNames) && s != 0 {
		return sourceNames[s]
	}
	return "unknown"
}

// ParseSource is the inverse of String.
func ParseSource(text string) (Source, error) {
	for s, name := range sourceNames {
		if name != "" && name == text {
			return Source(s), nil
		}
	}
	return 0, fmt.Errorf("unknown source %q", text)
}

// Origin is the place where a rule was written.
type Origin struct {
	Source Source
	File   string // empty for session and command-line rules
	Line   int    // from 1; 0 when there is no file
}

// Rule is one parsed rule.
type Rule struct {
	Text   string // as written
	Origin Origin

	Tool     string // "Bash", "mcp__pay__*"
	Content  string // what stands between the parentheses
	Behavior Behavior
	// Bare: there are no parentheses (or only `(*)`, which means the same): every
	// call of the tool.
	Bare bool
	// Quarantined: a malformed deny or ask rule, kept as "ask for that tool".
	Quarantined bool
	// List is the list the rule stands in: its Behavior, except that a quarantined
	// rule of the deny list asks.
	List Behavior

	// understood: the content has been parsed before, without a fault.
	understood bool
}
