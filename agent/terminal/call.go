package terminal

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
)

// call shows what would run: exactly that, in the form in which a person reads it best.
func (a *Asker) call(p *page, q agent.Question) {
	var in struct {
		Command *string `json:"command"`
		Path    *string `json:"file_path"`
		Content *string `json:"content"`
		Old     *string `json:"old_string"`
		New     *string `json:"new_string"`
		Plan    *string `json:"plan"`
		All     bool    `json:"replace_all"`
	}
	readable := strictjson.Unmarshal(q.Input, &in) == nil
	switch {
	case readable && q.Tool == "Bash" && in.Command != nil:
		p.ask("Bash wants to run:")
		p.quote(exact, *in.Command)
		shellNotes(p, *in.Command, q)
		a.others(p, q.Input, "command")
	case readable && q.Tool == "Write" && in.Path != nil && in.Content != nil:
		a.newContent(p, *in.Path, *in.Content)
		a.others(p, q.Input, "file_path", "content")
	case readable && q.Tool == "Edit" && in.Path != nil && in.Old != nil && in.New != nil:
		p.ask("Edit wants to change " + pick(in.All, "every occurrence of a text in", "a text in") + ":")
		p.quote(exact, *in.Path)
		p.changes(*in.Old, *in.New)
		a.others(p, q.Input, "file_path", "old_string", "new_string", "replace_all")
	case readable && q.Tool == "ExitPlanMode" && in.Plan != nil:
		p.ask("The model has a plan and wants to begin:")
		p.quote(source, *in.Plan)
		a.others(p, q.Input, "plan")
	default:
		p.ask(q.Tool + " wants to run with this input:")
		p.quote(exact, pretty(q.Input))
	}
}

func pick(yes bool, this, that string) string {
	if yes {
		return this
	}
	return that
}

// others shows what else is in the input: nothing of it runs unseen.
func (a *Asker) others(p *page, input strictjson.Raw, shown ...string) {
	var rest map[string]strictjson.Raw
	if strictjson.Unmarshal(input, &rest) != nil {
		return
	}
	for _, key := range shown {
		delete(rest, key)
	}
	if len(rest) == 0 {
		return
	}
	text, err := strictjson.Marshal(rest)
	if err != nil {
		text = input
	}
	p.say(ordinary, "with")
	p.quote(exact, pretty(text))
}

// pretty is an input that is easier to read, or the text as it is. Numbers stay as they
// were written.
func pretty(input strictjson.Raw) string {
	if strictjson.Valid(input) == nil {
		if text, err := strictjson.MarshalIndent(input); err == nil {
			return string(text)
		}
	}
	return string(input)
}

// newContent shows what a file would hold, beside what it holds now.
func (a *Asker) newContent(p *page, path, content string) {
	now, state := a.read(path)
	switch state {
	case present:
		p.ask("Write wants to replace what is in:")
		p.quote(exact, path)
		if now == content {
			p.say(ordinary, "It holds exactly that already.")
			return
		}
		p.changes(now, content)
	case absent, unreadable:
		p.ask(pick(state == absent, "Write wants to create:", "Write wants to replace what is in (it cannot be shown here):"))
		p.quote(exact, path)
		if content == "" {
			p.say(ordinary, "It would be empty.")
			return
		}
		p.say(ordinary, count(len(split(content)), "line")+":")
		p.quote(source, content)
	}
}

// changes shows what becomes of a text.
func (p *page) changes(before, after string) {
	var rows []string
	for _, c := range near(difference(linesOf(before), linesOf(after))) {
		if c.mark == gapMark {
			gutter, _ := beside(bar, p.width)
			rows = append(rows, gutter+gapMark)
			continue
		}
		rows = append(rows, quoted(source, c.mark, c.line, p.width)...)
	}
	p.rows(rows)
	switch was, is := strings.HasSuffix(before, "\n"), strings.HasSuffix(after, "\n"); {
	case before != "" && after != "" && was && !is:
		p.say(ordinary, "The line break at the end goes away.")
	case before != "" && after != "" && !was && is:
		p.say(ordinary, "A line break at the end is added.")
	}
	p.warnUnseen(source, before, after)
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return split(text)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
