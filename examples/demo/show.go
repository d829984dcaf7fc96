package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent"
)

// account tells what the agent does, a line each.
type account struct {
	*screen
	lines []line // those that cannot be shown yet
}

// line is one of them. Whether a call was denied or has failed is known from the result of
// the prompt only: until then it has no word.
type line struct{ word, text, call string }

// add tells a line, unless an earlier one must wait.
func (a *account) add(l line) {
	a.lines = append(a.lines, l)
	for len(a.lines) > 0 && a.lines[0].word != "" {
		a.show(a.lines[0])
		a.lines = a.lines[1:]
	}
}

// settle tells the rest.
func (a *account) settle(denials []assent.Denial) {
	for _, l := range a.lines {
		if l.word == "" {
			l.word = "failed"
			if slices.ContainsFunc(denials, func(d assent.Denial) bool { return d.ToolUseID == l.call }) {
				l.word = "denied"
			}
		}
		a.show(l)
	}
	a.lines = nil
}

func (a *account) show(l line) { a.printf("  %-7s %s\n", l.word, l.text) }

// assistant tells what the model said, or wants.
func (a *account) assistant(m *assent.Assistant) {
	if call := m.Call(); call != nil {
		a.add(line{word: "calls", text: fmt.Sprintf("%s %s", call.Name, call.Input)})
		return
	}
	a.add(line{word: "model", text: m.Text()})
}

// results tells what the model was told.
func (a *account) results(m *assent.User) {
	for _, block := range m.Content {
		word := "result"
		if block.IsError {
			word = ""
		}
		for _, part := range block.Result {
			text, _, more := strings.Cut(strings.TrimSpace(part.Text), "\n")
			if more {
				text += " …"
			}
			a.add(line{word: word, text: text, call: block.ToolUseID})
		}
	}
}

// reply is a line that somebody has typed.
type reply struct {
	text string
	err  error
}

// typed are the lines that somebody types, to the end.
func typed(from io.Reader) <-chan reply {
	lines := make(chan reply)
	go func() {
		defer close(lines)
		reader := bufio.NewReader(from)
		for {
			text, err := reader.ReadString('\n')
			lines <- reply{text, err}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// ask reads the answer. Only a yes is one.
func (s *screen) ask(ctx context.Context, lines <-chan reply) (bool, error) {
	s.printf("May the deploy run? [y/N] ")
	select {
	case r := <-lines:
		word := strings.ToLower(strings.TrimSpace(r.text))
		if r.err != nil && word == "" {
			s.say("\n(No answer counts as a no.)")
		}
		return word == "y" || word == "yes", nil
	case <-ctx.Done():
		s.say("")
		return false, context.Cause(ctx)
	}
}

// lingers is how long a page that nobody leaves has its server.
const lingers = time.Minute

// linger keeps the server for whoever looks at the page: what it shows last is the result, and not
// that its server is gone.
func (s *screen) linger(ctx context.Context, lines <-chan reply) error {
	s.say("The page shows it as well. Look at it, and press Enter here to go on: the server ends then, and after a minute in any case.")
	select {
	case <-lines:
	case <-time.After(lingers):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
