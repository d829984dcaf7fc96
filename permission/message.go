package permission

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// Message is the reason in one sentence, for the model and for people.
func (d Decision) Message() string { return d.Reason.sentence(d.Behavior) }

// String is the reason in one sentence.
func (r Reason) String() string { return r.sentence(0) }

// LegiblePath is the path with what is not known of it as people write it.
func (r Reason) LegiblePath() string { return visible(r.Path) }

func (r Reason) sentence(outcome Behavior) string {
	var b strings.Builder
	b.WriteString(r.head(outcome))
	if r.Part != nil && r.Part.Text != "" && r.Part.Text != onlyUnknown { // which says nothing
		fmt.Fprintf(&b, ": `%s`", visible(r.Part.Text))
		if len(r.Part.Via) > 0 {
			fmt.Fprintf(&b, " in %s", strings.Join(r.Part.Via, " › "))
		}
	}
	if r.Path != "" && !strings.Contains(b.String(), r.Path) {
		fmt.Fprintf(&b, ": %s", visible(r.Path))
	}
	return b.String()
}

func (r Reason) head(outcome Behavior) string {
	switch r.Kind {
	case ByRule:
		return fmt.Sprintf("rule %s (%s) says %s", ruleText(r.Rule), place(r.Rule.Origin), said(r, outcome))
	case ByMaybeRule:
		return fmt.Sprintf("rule %s (%s) may match: %s", ruleText(r.Rule), place(r.Rule.Origin), r.Detail)
	case ByHook:
		return orElse(r.Detail, "a hook decided")
	case ByBrokenHook:
		return "hook broken: " + r.Detail
	case ByMode:
		return fmt.Sprintf("mode %s: %s", r.Mode, r.Detail)
	case BySafety:
		return "safety check, needs a person: " + r.Detail
	case ByInvalid:
		return "invalid input: " + r.Detail
	case ByReadOnly, ByOutside, ByUnreadable, ByTool, ByNoRule, ByClassifier, ByPerson, ByNobody, ByFault, ByLimit:
		return r.Detail
	}
	return orElse(r.Detail, "no reason was recorded")
}

// ruleText is a rule inside a sentence; one that is empty must be seen, too.
func ruleText(r *rule.Rule) string {
	if strings.TrimSpace(r.Text) == "" {
		return strconv.Quote(r.Text)
	}
	return r.Text
}

func said(r Reason, outcome Behavior) string {
	if r.Rule.Quarantined {
		return "ask, because it is malformed"
	}
	if outcome == 0 || outcome == Pass {
		return r.Rule.Behavior.String()
	}
	return outcome.String()
}

// place names where a rule was written.
func place(o rule.Origin) string {
	if o.File == "" {
		return o.Source.String()
	}
	return fmt.Sprintf("%s:%d", o.File, o.Line)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// visible shows the marks for unknown text and control characters as something a
// person can see.
func visible(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0xff:
			b.WriteString("…")
		case c == 0xfe:
			b.WriteString("*")
		case c == '\n':
			b.WriteString("⏎")
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, "\\x%02x", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// onlyUnknown is the text of a part of which nothing is known.
const onlyUnknown = "\xff"
