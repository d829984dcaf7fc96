package terminal

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// View prints what happens in a session: what the model says, and a line for every call
// and what came of it. It is safe for concurrent use.
type View struct {
	*Terminal
	mu   sync.Mutex
	said string // the last text of the model
}

// View makes one.
func (t *Terminal) View() *View { return &View{Terminal: t} }

// Tell prints a message. Those that are for programs are left out.
func (v *View) Tell(m wire.Message) {
	switch m := m.(type) {
	case *wire.Assistant:
		v.assistant(m)
	case *wire.User:
		v.user(m)
	case *wire.Result:
		v.result(m)
	case *wire.Informational:
		v.Note(m.Level, m.Text)
	case *wire.Status:
		v.Note("", "The mode is "+m.PermissionMode+" now.")
	case *wire.APIRetry:
		v.Note("", fmt.Sprintf("The model did not answer (%s); it is asked again in %s.", m.Error, time.Duration(m.RetryDelayMS)*time.Millisecond))
	case *wire.CompactBoundary:
		if m.Trigger != "manual" { // there the result says so
			v.Note("", "The conversation was summed up.")
		}
	}
}

// Note prints something that a person should know. level is "warning", or nothing.
func (v *View) Note(level, text string) {
	p := v.page()
	if level == "warning" {
		p.hang(warning, "warning: ", text)
	} else {
		p.hang(faint, "- ", text)
	}
	v.print(p.text.String())
}

func (v *View) page() *page { return v.newPage(true) }

// assistant prints a block of what the model said.
func (v *View) assistant(m *wire.Assistant) {
	switch m.Block.Kind {
	case model.Text:
		if m.ParentToolUseID == "" {
			v.mu.Lock()
			v.said = m.Block.Text
			v.mu.Unlock()
		}
		v.text(v.by(m.ParentToolUseID), m.Block.Text)
	case model.ToolUse:
		v.line("* ", v.by(m.ParentToolUseID), m.Block.Name+": "+about(m.Block), ordinary)
	}
}

// by is the mark of what a sub-agent says or does. It leaves more room than it takes.
func (v *View) by(parent string) string {
	room := min(30, v.dev.width()/3)
	if parent == "" || room < 6 {
		return ""
	}
	return "[" + oneLine(orElse(v.known(parent).task, "sub-agent"), room) + "] "
}

// text prints what a model says, indented.
func (v *View) text(by, text string) {
	p := v.page()
	indent, _ := beside("  ", p.width)
	for i, line := range split(text) {
		mark := indent + strings.Repeat(" ", breadth(by))
		if i == 0 {
			mark = indent + by
		}
		for _, row := range wrap(source.shown(line), p.width-breadth(mark)) {
			p.text.WriteString(mark + row + "\n")
			mark = strings.Repeat(" ", breadth(mark))
		}
	}
	v.print(p.text.String())
}

// line prints one line, cut to the width of the terminal.
func (v *View) line(mark, by, text string, s style) {
	mark, room := beside(mark, v.dev.width())
	v.print(v.paint.text(s, mark+by+oneLine(text, room-breadth(by))) + "\n")
}

// user prints what came of a call.
func (v *View) user(m *wire.User) {
	for _, b := range m.Content {
		switch b.Kind {
		case model.ToolResult:
			c := v.known(b.ToolUseID)
			text := strings.TrimSpace(model.PlainText(b.Result))
			if b.IsError {
				v.line("  ! ", v.by(m.ParentToolUseID), orElse(c.tool, "call")+": "+flat(text), refusal)
			} else {
				v.line("  = ", v.by(m.ParentToolUseID), orElse(c.tool, "call")+": "+gist(text), faint)
			}
		case model.Text:
			if !m.Replay && m.ParentToolUseID == "" {
				v.Note("", b.Text)
			}
		}
	}
}

// flat is a text of several lines as one.
func flat(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ReplaceAll(text, "\t", " "), func(r rune) bool { return r == '\n' || r == '\r' }), " / ")
}

// gist is the first line of a result, and how many there are.
func gist(text string) string {
	first, _, more := strings.Cut(strings.ReplaceAll(text, "\t", " "), "\n")
	switch {
	case text == "":
		return "done"
	case more:
		return fmt.Sprintf("%s (%s)", oneLine(first, 60), count(len(split(text)), "line"))
	}
	return first
}

// result prints the end of a prompt, unless the model has said it already.
func (v *View) result(m *wire.Result) {
	v.mu.Lock()
	said := v.said
	v.said = ""
	v.mu.Unlock()
	switch {
	case len(m.Errors) > 0:
		v.Note("", strings.Join(m.Errors, "; "))
	case m.Text != "" && m.Text != said:
		v.text("", m.Text)
	}
}

// about says in a few words what a call is about.
func about(b model.Block) string {
	if b.Garbled != "" {
		return b.Garbled
	}
	if questions, err := readQuestions(b.Input); err == nil && len(questions) > 0 {
		return questions[0].Text
	}
	var input map[string]any
	if strictjson.Unmarshal(b.Input, &input) != nil {
		return string(b.Input)
	}
	for _, key := range []string{"command", "file_path", "notebook_path", "url", "pattern", "path", "description"} {
		if text, ok := input[key].(string); ok {
			return text
		}
	}
	return string(b.Input)
}
