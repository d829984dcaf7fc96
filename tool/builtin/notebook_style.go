package builtin

import (
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// jsonStyle is how a JSON text is laid out: what ends a line and what a level is
// indented by. Both are empty when all stands on one line.
type jsonStyle struct{ newline, indent string }

type jsonField struct{ name, value string }

// styleOf looks at the blanks in front of the first member.
func styleOf(root strictjson.Node) jsonStyle {
	members := root.Members()
	if len(members) == 0 {
		return jsonStyle{}
	}
	blanks := root.Source()[root.Start()+1 : members[0].Name.Start()]
	at := strings.LastIndexByte(blanks, '\n')
	if at < 0 {
		return jsonStyle{}
	}
	style := jsonStyle{newline: "\n", indent: blanks[at+1:]}
	if at > 0 && blanks[at-1] == '\r' {
		style.newline = "\r\n"
	}
	return style
}

// line is a line break to a level.
func (s jsonStyle) line(depth int) string {
	if s.newline == "" {
		return ""
	}
	return s.newline + strings.Repeat(s.indent, depth)
}

func (s jsonStyle) object(fields []jsonField, depth int) string {
	blank := " "
	if s.newline == "" {
		blank = ""
	}
	members := make([]string, len(fields))
	for i, f := range fields {
		members[i] = s.line(depth+1) + s.text(f.name) + ":" + blank + f.value
	}
	return "{" + strings.Join(members, ",") + s.line(depth) + "}"
}

// lines is a text as a list of its lines, the form that notebooks are stored in.
func (s jsonStyle) lines(text string, depth int) string {
	lines := splitLines(text)
	if len(lines) == 0 {
		return "[]"
	}
	for i, line := range lines {
		lines[i] = s.line(depth+1) + s.text(line)
	}
	return "[" + strings.Join(lines, ",") + s.line(depth) + "]"
}

// text is a string in quotes. Inputs are JSON themselves, so it is always valid.
func (s jsonStyle) text(text string) string {
	out, err := strictjson.Marshal(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return `""` // it cannot happen: the text is valid
	}
	return string(out)
}
