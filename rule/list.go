package rule

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Written is a rule as it stands in a list of a settings file: looked at, but not
// taken apart.
type Written struct {
	Text string
	Line int32
	// name is how long the name of the tool is. It is zero for a rule that is malformed,
	// or written in a way that takes a closer look.
	name uint8
	// parameter: it is about a parameter. False where name is zero.
	parameter bool
}

// Note looks at a rule of a list.
func Note(text string, line int) Written {
	w := Written{Text: text, Line: int32(line)}
	w.name, w.parameter = plainName(text)
	return w
}

// plainName is how long the name of the tool is in a rule that is well formed, has
// nothing to trim, and says what it means: `Tool(*)` is not such a rule, nor is one with
// a name that rules know otherwise. Such a rule may be about a parameter.
func plainName(text string) (length uint8, aboutParameter bool) {
	name, inner, found := strings.Cut(text, "(")
	content, bare := "", !found
	if found {
		var closed bool
		content, closed = strings.CutSuffix(inner, ")")
		if !closed || content == "" || content == "*" || content == ":*" || !trimmed(content) {
			return 0, false
		}
	}
	if name == "" || len(name) > 255 || !utf8.ValidString(text) || checkName(text, name, content, bare) != nil {
		return 0, false
	}
	if ToolPattern(name) != name {
		return 0, false
	}
	if !bare {
		var f *fault
		if aboutParameter, f = contentFault(name, content); f != nil {
			return 0, false
		}
	}
	return uint8(len(name)), aboutParameter
}

// List is one list of one settings file. A file may have very many rules and a process
// that is started for one call needs few of them, so a rule is taken apart when a call
// is of its kind.
type List struct {
	behavior Behavior
	source   Source
	file     string
	rules    []Written
}

// NewList makes a list, of a behaviour and a source that exist, of rules that nobody
// changes any more. What [Read] does about a
// malformed rule holds here, too; report is told about each.
func NewList(b Behavior, source Source, file string, rules []Written, report func(r Rule, kept bool, err *SyntaxError)) List {
	l := List{behavior: b, source: source, file: file, rules: rules}
	dropped := 0
	for i := range rules {
		if rules[i].name > 0 {
			continue
		}
		r, kept, err := Read(rules[i].Text, b, l.origin(&rules[i]))
		if err == nil {
			continue
		}
		if !kept {
			r.Origin = l.origin(&rules[i]) // for the report
			if dropped == 0 {
				l.rules = slices.Clone(rules)
			}
			l.rules = slices.Delete(l.rules, i-dropped, i-dropped+1)
			dropped++
		}
		report(r, kept, err)
	}
	return l
}

// Len is the number of rules.
func (l *List) Len() int { return len(l.rules) }

// Rules are the rules of the list, taken apart.
func (l *List) Rules() []Rule { return l.AppendTo(nil) }

// AppendTo adds the rules of the list, taken apart, to others.
func (l *List) AppendTo(all []Rule) []Rule {
	had := len(all)
	all = slices.Grow(all, len(l.rules))[:had+len(l.rules)]
	for i := range l.rules {
		all[had+i] = Rule{}
		l.take(i, &all[had+i])
	}
	return all
}

// take takes one rule apart.
func (l *List) take(i int, r *Rule) {
	l.look(i, r)
	r.Origin = l.origin(&l.rules[i])
}

// look is take without the place, for those who go through many rules.
func (l *List) look(i int, r *Rule) {
	w := &l.rules[i]
	n := int(w.name)
	if n == 0 {
		*r, _, _ = Read(w.Text, l.behavior, Origin{})
		return
	}
	r.Text, r.Tool, r.Content = w.Text, w.Text[:n], w.content()
	r.Behavior, r.List, r.Bare, r.Quarantined, r.understood = l.behavior, l.behavior, w.bare(), false, true
}

// bare: the rule is written plainly and has no content.
func (w *Written) bare() bool { return w.name > 0 && int(w.name) == len(w.Text) }

// content is that of a rule that is written plainly.
func (w *Written) content() string {
	if w.bare() {
		return ""
	}
	return w.Text[w.name+1 : len(w.Text)-1]
}

func (l *List) origin(w *Written) Origin {
	return Origin{Source: l.source, File: l.file, Line: int(w.Line)}
}

// Source is where the rules of the list come from.
func (l *List) Source() Source { return l.source }

// Behavior is that of its rules; one that cannot be read may only ask.
func (l *List) Behavior() Behavior { return l.behavior }
