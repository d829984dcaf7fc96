//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
)

// script writes what the model says, and returns the flags for it.
func (p *place) script(turns string) []string {
	p.t.Helper()
	return []string{"--model", "script:" + p.write("script.yaml", turns)}
}

// asking are the flags for questions on the terminal.
func (p *place) asking(turns string) []string {
	return append(p.script(turns), "-p", "--permission-prompt-tool", "terminal", "go")
}

// want checks that a text holds others.
func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}

func TestTerminal_AllowOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n  - call: {Bash: {command: 'touch one'}}\n  - {say: Done.}\n")...)
	question := y.answers("y")
	want(t, question, "? Bash wants to run:\n  | touch one\n", "Why: ", "y once | a always | n or n TEXT deny | q deny and stop\n")
	y.sees("-> allowed once")
	y.answers("y") // once is once
	screen, status := y.leaves()
	if status != 0 || !p.has("one") || !strings.HasSuffix(screen, "Done.\n") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("one"), screen)
	}
}

func TestTerminal_EnterAloneIsNoAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n  - {say: Done.}\n")...)
	y.answers("")
	want(t, y.answers("yeah, why not"), "? Bash wants to run:")
	want(t, y.answers("y es"), "none of the answers")
	want(t, y.answers("n"), "y takes no more words")
	y.sees("why> ")
	y.types("\n")
	if screen, status := y.leaves(); status != 0 || p.has("one") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("one"), screen)
	}
}

func TestTerminal_AlwaysIsShownAndWritten(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("Makefile", "%:\n\techo $@ >> made\n")
	y := p.sit(p.env(), append(p.asking("turns:\n  - call: {Bash: {command: 'make one'}}\n  - call: {Bash: {command: 'make one'}}\n  - {say: Done.}\n"), "--trust-workspace")...)
	file := filepath.Join(p.dir, ".claude", "settings.local.json")
	y.answers("a")
	shown := y.sees("always> ")
	want(t, shown, "From now on, without a question:\n  | 1. rule: allow Bash(make one", file, "y do that | anything else goes back\n")
	y.types("x\n")
	if _, err := os.Stat(file); err == nil {
		t.Error("it was written before anybody agreed")
	}
	y.answers("a")
	y.sees("always> ")
	y.types("y\n")
	screen, status := y.leaves() // the second call is not asked about
	made, _ := os.ReadFile(filepath.Join(p.dir, "made"))
	if status != 0 || string(made) != "one\none\n" {
		t.Errorf("exit status %d, made %q\n%s", status, made, screen)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `"Bash(make one`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestTerminal_DenyWithFeedback(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]func(y *typist){
		"at once": func(y *typist) { y.answers("n use the sandbox") },
		"when asked": func(y *typist) {
			y.answers("n")
			y.sees("why> ")
			y.types("use the sandbox\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			y := p.sit(p.env(), p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n"+
				"  - {expect: {text: 'denied this call and says: use the sandbox', failed: true}, say: I will.}\n")...)
			say(y)
			if screen, status := y.leaves(); status != 0 || p.has("one") || !strings.HasSuffix(screen, "I will.\n") {
				t.Errorf("exit status %d\n%s", status, screen)
			}
		})
	}
}

// What was typed before the question stood there is no answer to it: not a whole line,
// and not the beginning of one.
func TestTerminal_TypeAheadIsNoAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	began := p.gate("began")
	y := p.sit(p.env(), append(p.asking("turns:\n  - call: {Bash: {command: 'cat began'}}\n  - call: {Bash: {command: 'touch one'}}\n  - {say: Done.}\n"),
		"--allowedTools", "Bash(cat began)")...)
	y.types("y\ny\ny\na") // the agent works, and nobody has asked anything
	began()
	y.sees("answer> ")
	y.types("\n") // with the a before it, this would be an answer
	y.answers("q")
	if screen, status := y.leaves(); status != 1 || p.has("one") || strings.Contains(screen, "always> ") || strings.Contains(screen, "-> allowed") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("one"), screen)
	}
}

func TestTerminal_CtrlCAtAQuestion(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n")...)
	y.sees("answer> ")
	y.types("y" + ctrlC)
	screen, status := y.leaves()
	if status != 1 || p.has("one") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("one"), screen)
	}
	want(t, screen, "-> stopped\n", "assent: interrupted\n")
}

func TestTerminal_TheInputEnds(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]string{"at once": ctrlD, "behind a letter": "y" + ctrlD + ctrlD} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			y := p.sit(p.env(), p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n  - {expect: {failed: true}, say: I see.}\n")...)
			y.sees("answer> ")
			y.types(keys)
			screen, status := y.leaves()
			if status != 0 || p.has("one") || !strings.HasSuffix(screen, "I see.\n") {
				t.Errorf("exit status %d, ran: %v\n%s", status, p.has("one"), screen)
			}
			want(t, screen, "-> no answer, so no\n")
		})
	}
}

// A terminal that is gone answers nothing.
func TestTerminal_Hangup(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n  - {say: I see.}\n")...)
	y.sees("answer> ")
	y.master.Close()
	if err := <-y.ended; err == nil || p.has("one") {
		t.Errorf("%v, ran: %v", err, p.has("one"))
	}
}

func TestTerminal_NoTerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	cmd := exec.Command("assent", p.asking("turns: [{say: Done.}]\n")...)
	cmd.Dir, cmd.Env = p.dir, p.env()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.HasPrefix(string(said), "assent: --permission-prompt-tool: there is no terminal to ask on") {
		t.Errorf("%v, %s", err, said)
	}
}

const twoQuestions = `turns:
  - call:
      AskUserQuestion:
        questions:
          - {question: "Which colour?", header: Colour, options: [{label: Red, description: warm}, {label: Blue, description: cold}]}
          - {question: "Which sizes?", header: Sizes, multiSelect: true, options: [{label: S, description: small}, {label: M, description: medium}, {label: L, description: large}]}
          - {question: "Why?", header: Why, options: [{label: A, description: a}, {label: B, description: b}]}
          - {question: "When?", header: When, options: [{label: A, description: a}, {label: B, description: b}]}
  - expect: {matches: '(?s)Which colour\?\nAnswer: Blue\n.*Which sizes\?\nAnswer: S, L\n.*Why\?\nAnswer: because I say so\n.*When\?\nThe question was not answered'}
    say: Well.
`

func TestTerminal_AskUserQuestion(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), p.asking(twoQuestions)...)
	want(t, y.answers("3"), "? The model asks (1 of 4):\n  | Which colour?\n  | 1. Red - warm\n  | 2. Blue - cold\na number | o TEXT other words")
	want(t, y.answers("1,2"), "none of the answers")
	y.answers("2")
	want(t, y.answers("3, 1"), "Which sizes?", "numbers (1,3) |")
	want(t, y.answers("o because I say so"), "Why?")
	y.answers("s")
	if screen, status := y.leaves(); status != 0 || !strings.HasSuffix(screen, "-> answered\n\nWell.\n") {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}

// Sub-agents that ask at once get one question each, one after the other, and every
// answer goes to the call that it was given to.
func TestTerminal_SubAgentsTakeTurns(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	turns := `turns:
  - calls:
      - Task: {description: first, prompt: go, subagent_type: general-purpose}
      - Task: {description: second, prompt: go, subagent_type: general-purpose}
  - call: {Bash: {command: 'touch $PPID-one'}}
  - call: {Bash: {command: 'touch two'}}
afterwards: Well.
`
	y := p.sit(p.env(), p.asking(turns)...)
	first := y.sees("answer> ")
	y.types("y\n")
	second := y.sees("answer> ")
	y.types("n\n")
	y.sees("why> ")
	y.types("\n")
	screen, status := y.leaves()
	if status != 0 {
		t.Errorf("exit status %d\n%s", status, screen)
	}
	for _, question := range []string{first, second} {
		want(t, question, "asked by the sub-agent a")
		if strings.Count(question, "? Bash wants to run:") != 1 {
			t.Errorf("not one question:\n%s", question)
		}
	}
	if ran := p.has("two"); ran != strings.Contains(first, "touch two") {
		t.Errorf("the answer went to the other call:\n%s", screen)
	}
}

// Nothing in a command acts on the terminal, and nothing of it is unseen.
func TestTerminal_HostileBytes(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	turns := `turns:
  - call: {Bash: {command: "echo \e[2J\e[1;1Hanswer\u202e \u200b\u00a0 \u0007\u009b31m \U000E0041 # \u2028? Write wants to create:"}}
  - {say: "Bye\e]0;pwned\a."}
`
	y := p.sit(p.env("TERM=xterm"), p.asking(turns)...)
	question := y.answers("n no")
	y.leaves()
	want(t, question, `  | echo \x1b[2J\x1b[1;1Hanswer\u202e \u200b\u00a0 \x07\u009b31m \U000e0041 # \u2028? Write`, "characters that cannot be seen are shown as")
	if strings.ContainsAny(question, "\a\u202e\u200b\u00a0\u009b\u2028\U000E0041") || strings.Contains(question, "\x1b[2J") {
		t.Errorf("%q", question)
	}
}

// A hook answers first: the question goes away, and what was half typed is no answer to
// the next one.
func TestTerminal_AHookIsFaster(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	answer := p.gate("gate")
	hooks := p.write("hooks.json", `{"hooks":{"PermissionRequest":[{"matcher":"Bash","hooks":[{"type":"command","if":"Bash(touch one)","command":"cat gate; echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{\"behavior\":\"allow\"}}}'"}]}]}}`)
	y := p.sit(p.env(), append(p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n  - call: {Bash: {command: 'touch two'}}\n  - {say: Done.}\n"), "--settings", hooks)...)
	y.sees("answer> ")
	y.types("y")
	answer()
	y.sees("-> allowed by the hook")
	y.sees("answer> ")
	y.types("\n")
	want(t, y.answers("n no"), "touch two")
	if screen, status := y.leaves(); status != 0 || !p.has("one") || p.has("two") {
		t.Errorf("exit status %d, one ran: %v, two ran: %v\n%s", status, p.has("one"), p.has("two"), screen)
	}
}

// The terminal is left as it was found, also when the work ends while a question appears.
func TestTerminal_IsLeftAsItWas(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), p.asking("turns:\n  - call: {Bash: {command: 'touch one'}}\n")...)
	before := y.settings()
	y.sees("? Bash wants to run")
	if err := y.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, status := y.leaves(); status != 1 {
		t.Errorf("exit status %d", status)
	}
	if after := y.settings(); after != before {
		t.Errorf("before: %+v\nafter: %+v", before, after)
	}
}

// A command has no terminal: it could type answers there.
func TestTerminal_CommandsHaveNone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), append(p.asking("turns:\n  - call: {Bash: {command: 'exec 3<>/dev/tty && touch ran'}}\n  - {expect: {failed: true}, say: Well.}\n"), "--dangerously-skip-permissions")...)
	if screen, status := y.leaves(); status != 0 || p.has("ran") {
		t.Errorf("exit status %d, it has the terminal: %v\n%s", status, p.has("ran"), screen)
	}
}
