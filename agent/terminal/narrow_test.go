package terminal

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
	"github.com/assent-dev/assent/wire"
)

func TestCells(t *testing.T) {
	for _, r := range []rune{
		'漢', 'ㄱ', 'ｗ', 0x1100, 0x231a, 0x2329, 0x23e9, 0x26a1, 0x2705, 0x274c, 0x2b50, 0x2630, 0x4dc0, 0x303f, 0xa960, 0xa97c, 0xac00, 0xfe10,
		0x16fe0, 0x17000, 0x18aff, 0x1b000, 0x1d300, 0x1f004, 0x1f0cf, 0x1f1e6, 0x1f200, 0x1f2ff, 0x1f300, 0x1f600, 0x1faf8, 0x20000, 0x3fffd,
	} {
		if got := cells(r); got != 2 {
			t.Errorf("%U takes %d", r, got)
		}
	}
	for _, r := range []rune{'a', 'é', 'я', 0x301, 0x10ff, 0x1160, '→', '…', '─', '✓', 0x2704, 0x2706, 0xa4d0, 0x1efff, 0x1fb00} {
		if got := cells(r); got != 1 {
			t.Errorf("%U takes %d", r, got)
		}
	}
	for i := 1; i < len(wide); i++ {
		if wide[i].first <= wide[i-1].last || wide[i].first > wide[i].last {
			t.Errorf("out of order at %U", wide[i].first)
		}
	}
}

// evil is text that wants to begin a line of its own: after so many columns it says what
// assent would.
func evil(columns int) string {
	return strings.Repeat("✅", columns/2) + strings.Repeat("x", columns%2) + "-> allowed once " + strings.Repeat("-> allowed once", 9)
}

// Whatever others write, and however narrow the terminal: no line is too wide, and none
// of theirs begins in the first column.
func TestNothingOfOthersBeginsALine(t *testing.T) {
	for _, width := range []int{3, 4, 5, 8, 12, 17, 24, 30, 40, 58, 80} {
		for offset := max(0, width-14); offset <= width+2; offset++ {
			text := evil(offset)
			s := newScreen(width, "x", "n because", "x", "o", "s", "x", "", "n", "5", "x", "/cancel")
			a := newTerminal(s, false).Asker(in("/proj", "/home/dev"))
			v := a.View()
			tell := func(m wire.Message) {
				a.Observe(m)
				v.Tell(m)
			}
			tell(&wire.Assistant{Block: model.Block{Kind: model.ToolUse, ID: "t1", Name: "Task", Input: object(t, "description", text)}})
			tell(&wire.Assistant{ParentToolUseID: "t1", Block: model.Block{Kind: model.ToolUse, ID: "b1", Name: "Bash", Input: object(t, "command", text)}})
			tell(&wire.Assistant{ParentToolUseID: "t1", Block: model.TextBlock(text + "\n" + text)})
			tell(&wire.User{ParentToolUseID: "t1", Content: []model.Block{{Kind: model.ToolResult, ToolUseID: "b1", IsError: true, Result: []model.Block{model.TextBlock(text + "\n" + text)}}}})
			tell(&wire.Informational{Level: "warning", Text: text})
			q := agent.Question{Tool: "Bash", ToolUseID: "b1", AgentID: text, Decision: because(text), BlockedPath: "/" + text, Input: object(t, "command", "make "+text+" && ls '"+text+"'", "x", text)}
			if _, err := a.Ask(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			question := []any{map[string]any{"question": text, "header": "H", "multiSelect": false, "options": []any{map[string]any{"label": text, "description": text}}}}
			_, _ = a.Ask(t.Context(), agent.Question{Tool: "AskUserQuestion", ToolUseID: "b1", AgentID: "a", Decision: because(text), Input: object(t, "questions", question)})
			_, _ = a.Ask(t.Context(), agent.Question{Tool: text, Decision: because(text), Input: object(t, "a", text)})
			_, _ = a.Elicit(t.Context(), mcp.Elicitation{Server: text, Message: text, Form: mcp.Form{Fields: []mcp.Field{{Name: text, Kind: mcp.NumberField, Required: true}}}})
			for _, line := range strings.Split(s.text(), "\n") {
				if strings.HasPrefix(line, "✅") || strings.HasPrefix(line, "-> allowed") || strings.HasPrefix(line, "llowed") {
					t.Fatalf("%d columns: %q begins a line:\n%s", width, line, s.text())
				}
				if strings.ContainsAny(line, "✅") && breadth(line) > width {
					t.Fatalf("%d columns, %d wide: %q", width, breadth(line), line)
				}
			}
		}
	}
}

// A command cannot write into the list of its parts what assent would say about them.
func TestNotesAboutPartsAreNotForged(t *testing.T) {
	forged := "make '(only reads)' && rm -rf src ' (only reads)' 'Only read: 1' && ls"
	p := newTerminal(newScreen(72), false).Asker(in("/proj", "/home/dev")).page(agent.Question{Tool: "Bash", Input: object(t, "command", forged), Decision: because("no rule")}, false)
	if got := notes(p); len(got) != 1 || got[0] != "Only read: 3" {
		t.Errorf("%q in\n%s", got, p.text.String())
	}
}

// notes are what assent says about the parts of a command.
func notes(p *page) []string {
	var list []string
	for _, row := range strings.Split(p.text.String(), "\n") {
		if strings.HasPrefix(row, "Only read") || strings.HasPrefix(row, "Asked about") {
			list = append(list, row)
		}
	}
	return list
}

// However long a command is, or however little of it is understood: what is dangerous
// about it is said, or that nobody knows.
func TestPaddingHidesNoRisk(t *testing.T) {
	for _, pad := range []int{0, 10_000, 20_000, 70_000, 2_000_000} {
		command := "git push --force origin main # " + strings.Repeat("x", pad)
		p := newTerminal(newScreen(72), false).Asker(in("/proj", "/home/dev")).page(agent.Question{Tool: "Bash", Input: object(t, "command", command), Decision: because("no rule")}, false)
		if got := p.text.String(); !strings.Contains(got, "\nRisk: overwrites the history") && !strings.Contains(got, "\nRisk: not known") {
			t.Errorf("%d: nothing about the risk", pad)
		}
	}
	p := newTerminal(newScreen(72), false).Asker(in("/proj", "/home/dev")).page(agent.Question{Tool: "Bash", Input: object(t, "command", "git push --force && ("), Decision: because("no rule")}, false)
	if got := p.text.String(); !strings.Contains(got, "Risk: not known, because the command is not understood") {
		t.Error(got)
	}
}

// A question is shown again for the window as it is now.
func TestAQuestionIsShownAgainForTheWindowAsItIs(t *testing.T) {
	s := newScreen(72, hold)
	a := newTerminal(s, false).Asker(in("/proj", "/home/dev"))
	done := make(chan permission.Answer)
	go func() {
		answer, _ := a.Ask(t.Context(), agent.Question{Tool: "Bash", Input: object(t, "command", "make "+strings.Repeat("y", 60)), Decision: because("no rule")})
		done <- answer
	}()
	<-s.holding
	before := s.text()
	s.resize(30)
	a.recall()
	again := strings.TrimPrefix(s.text(), before)
	if !strings.HasSuffix(again, "\nanswer> ") || !strings.Contains(again, "? Bash wants to run:\n") {
		t.Errorf("%q", again)
	}
	for _, row := range strings.Split(again, "\n") {
		if breadth(row) > 30 {
			t.Errorf("too wide: %q", row)
		}
	}
	s.types("", "n x")
	if answer := <-done; answer.Behavior != permission.Deny {
		t.Errorf("%+v", answer)
	}
	repeated := strings.TrimPrefix(s.text(), before+again)
	for _, row := range strings.Split(repeated, "\n") {
		if breadth(row) > 40 {
			t.Errorf("too wide: %q", row)
		}
	}
	a.recall()
	if s.text() != before+again+repeated {
		t.Error("an old question is shown again")
	}
}

// Who was faster, and what they said, is on the screen; what was being typed is no prompt.
func TestWhatIsTypedToAQuestionIsNoPrompt(t *testing.T) {
	for behavior, want := range map[permission.Behavior]string{permission.Allow: "-> allowed by the hook\n\n", permission.Deny: "-> denied by the hook\n\n"} {
		s := newScreen(72, hold)
		a := newTerminal(s, false).Asker(in("/proj", "/home/dev"))
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error)
		go func() {
			_, err := a.Ask(ctx, agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule")})
			done <- err
		}()
		<-s.holding
		cancel(&agent.Overtaken{By: "hook", Behavior: behavior})
		if err := <-done; err == nil || !strings.HasSuffix(s.text(), want) {
			t.Errorf("%v\n%s", err, s.text())
		}
		s.typed = []string{"first", "second"}
		for i, line := range []string{"first", "second"} {
			got, err := a.Line(t.Context(), fmt.Sprintf("%d> ", i))
			if err != nil || got != line {
				t.Errorf("%q, %v", got, err)
			}
		}
		if s.freshened != 3 { // before the question, at its end, and before the prompt that followed
			t.Errorf("%d times", s.freshened)
		}
	}
}

// Every part that nobody has settled is named, with the files that it writes by
// redirection; a command that only writes a file is a part as well.
func TestP6_AllUnsettledPartsAreNamed(t *testing.T) {
	const command = "make check && npm test > out.txt 2>>log.txt && ls < in; > main.go"
	script := shell.Parse(command)
	var unsettled []permission.Part
	for _, i := range []int{1, 3} {
		unsettled = append(unsettled, permission.Part{Text: script.Commands[i].Text(), Span: script.Commands[i].Span})
	}
	q := agent.Question{Tool: "Bash", Input: object(t, "command", command), Decision: because("no rule"), Unsettled: unsettled}
	q.Decision.Reason.Part = &unsettled[0]
	p := newTerminal(newScreen(72), false).Asker(in("/proj", "/home/dev")).page(q, false)
	for _, row := range []string{"  | 1. make check", "  | 2. npm test > out.txt 2>> log.txt", "  | 3. ls < in", "  | 4. > main.go", "Asked about: 2, 4", "Only read: 3"} {
		if !strings.Contains(p.text.String(), "\n"+row+"\n") {
			t.Errorf("%q is not in\n%s", row, p.text.String())
		}
	}
}

// In what would run letters do not change their places.
func TestP6_NothingIsReordered(t *testing.T) {
	q := agent.Question{Tool: "Bash", Input: object(t, "command", "rm -rf \u05d0 1 \u05d1"), Decision: because("no rule: `rm \u05d0`")}
	p := newTerminal(newScreen(72), false).Asker(in("/proj", "/home/dev")).page(q, false)
	if got := p.text.String(); strings.ContainsAny(got, "\u05d0\u05d1") || !strings.Contains(got, `rm -rf \u05d0 1 \u05d1`) {
		t.Error(got)
	}
}
