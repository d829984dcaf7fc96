package policy

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// Described is a tool with the schema of its input.
type Described interface {
	Name() string
	Schema() []byte
}

// Unmatched finds the rules in force that no call can match, because no tool or no parameter
// has that name: what somebody wanted to restrict or allow is not. Tools are those that
// there are besides the built-in ones.
func Unmatched(s *settings.Settings, tools []Described) []Finding {
	o := LintOptions{Schema: map[string][]byte{}}
	for _, t := range tool.Builtin() {
		o.Tools = append(o.Tools, t.Name())
	}
	for _, t := range tools {
		o.Tools = append(o.Tools, t.Name())
		o.Schema[t.Name()] = t.Schema()
	}
	l := newLinter(s, o)
	for _, r := range s.Config().Rules {
		if !r.Quarantined {
			l.tool(&r)
			l.parameter(&r)
		}
	}
	return slices.DeleteFunc(l.found, func(f Finding) bool { return f.Severity == Info })
}

// parameter finds rules on parameters that match nothing. It reports whether a rule is one
// on a parameter.
func (l *linter) parameter(r *rule.Rule) bool {
	name, value, ok := r.Parameter()
	switch {
	case r.Bare:
	case r.GrantsNothing():
		l.add(Warning, "unknown-parameter", r, "allows nothing: a text of "+name+" that looks harmless can hold more, so only deny and ask rules are about it",
			"write what the "+r.Tool+" rule itself covers, without "+name+":")
	case ok:
		l.parameterExists(r, name, value)
	case strings.HasPrefix(r.Tool, "mcp__"):
		l.add(Warning, "mcp-content", r, "never matches: a rule on an MCP tool is about the whole tool, or about a parameter as in "+r.Tool+"(name:value)",
			"write "+r.Tool)
	default:
		l.noParameter(r)
	}
	return ok
}

// parameterExists compares the rule with the schema of the tool, if that is known.
func (l *linter) parameterExists(r *rule.Rule, name, value string) {
	text, known := l.schema(r.Tool)
	if !known {
		return
	}
	schema, err := strictjson.Tree(text)
	properties := schema.Member("properties")
	if err != nil || properties.Kind != '{' {
		return
	}
	top, _, _ := strings.Cut(name, ".")
	if properties.Member(name).Kind == 0 && properties.Member(top).Kind == 0 {
		l.unknownParameter(r, name, value, propertyNames(properties))
		return
	}
	if strings.Contains(value, "*") || strings.HasPrefix(r.Tool, "mcp__") && strings.IndexAny(value, "<>") == 0 {
		return // a comparison of something else than numbers could not be read
	}
	if is, as := impossible(properties.Member(name), value); is != "" {
		l.add(Warning, "unknown-parameter", r, "never matches: "+name+" is "+is, "write "+r.Tool+"("+name+":"+as+")")
	}
}

// impossible says what a parameter is, if it never is such a text, and one of its values.
func impossible(schema strictjson.Node, value string) (is, as string) {
	var words []string
	for n := range schema.Member("enum").Elements() {
		words = append(words, n.Text())
	}
	switch kind := schema.Member("type").Text(); {
	case len(words) > 0 && kind == "string" && !slices.Contains(words, value):
		return "one of " + strings.Join(words, ", "), words[0]
	case kind == "boolean" && value != "true" && value != "false":
		return "true or false", "true"
	case (kind == "number" || kind == "integer") && !numeric(value):
		return "a number", "500"
	}
	return "", ""
}

func numeric(value string) bool {
	n, err := strictjson.Tree([]byte(value))
	return err == nil && n.Kind == '0'
}

func (l *linter) schema(name string) (text []byte, known bool) {
	for _, t := range tool.Builtin() {
		if t.Name() == name {
			return t.Schema(), true
		}
	}
	text, known = l.Schema[name]
	return text, known
}

func propertyNames(properties strictjson.Node) []string {
	var names []string
	for _, m := range properties.Members() {
		names = append(names, m.Name.Text())
	}
	return names
}

// noParameter finds contents that look like a parameter of a built-in tool and are none.
func (l *linter) noParameter(r *rule.Rule) {
	names, known := rule.Parameters(r.Tool)
	if !known || r.Tool == "WebFetch" {
		return // a rule on WebFetch with anything but a domain cannot be read
	}
	name, value, colon := strings.Cut(r.Content, ":")
	value = strings.Trim(value, blanks)
	near := strings.Trim(name, blanks)
	switch {
	case near != name && slices.Contains(names, near) && (r.Tool != "Bash" || value == "true" || value == "false"):
		l.add(Warning, "unknown-parameter", r, "is not about the parameter "+near+": there is a blank before the colon", "write "+r.Tool+"("+near+":"+value+")")
	case !l.takesContent(r.Tool):
		l.unknownParameter(r, name, value, names)
	case !colon || strings.Trim(value, "*") == "" || !identifier(name):
	case Nearest(name, names) != "" || value == "true" || value == "false" || r.Tool == "Bash" && !strings.ContainsAny(r.Content, "/*"+blanks):
		l.unknownParameter(r, name, value, names)
	}
}

// takesContent: rules on the tool have a content that is no parameter.
func (l *linter) takesContent(name string) bool {
	for _, t := range tool.Builtin() {
		if t.Name() == name {
			return t.Subject() != ""
		}
	}
	return true // a tool that agents no longer have
}

func identifier(name string) bool {
	if name == "" {
		return false
	}
	for _, c := range name {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

func (l *linter) unknownParameter(r *rule.Rule, name, value string, names []string) {
	fix := "write " + r.Tool
	switch near := Nearest(name, names); {
	case near != "":
		fix = "did you mean " + r.Tool + "(" + near + ":" + value + ")?"
	case len(names) > 0:
		fix = r.Tool + " has " + strings.Join(names, ", ")
	}
	l.add(Warning, "unknown-parameter", r, "matches nothing: "+r.Tool+" has no parameter "+Visible(name), fix)
}
