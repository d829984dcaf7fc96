//go:build linux

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var resumeHint = regexp.MustCompile(`Go on with: assent --resume ([0-9a-f-]{36})\n`)

// A session on the terminal: the first prompt is an argument, the next ones are typed,
// calls are asked about, and at the end it says how to go on.
func TestTerminalSession(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("notes.txt", "one\ntwo\n")
	flags := p.script(`turns:
  - {say: I look., call: {Read: {file_path: notes.txt}}}
  - {call: {Bash: {command: 'touch ran'}}}
  - {say: "It has two lines.\nReally."}
  - {say: And again.}
`)
	y := p.sit(p.env(), append([]string{"count the lines"}, flags...)...)
	want(t, y.answers("n not now"), "- Session ", " mode default. Ctrl-D or /exit ends it", "\n  I look.\n* Read: notes.txt\n  = Read: ", "(2 lines)\n* Bash: touch ran\n", "? Bash wants to run:\n  | touch ran\n")
	want(t, y.sees("\n> "), "  ! Bash: The person at the terminal denied this call and says: not now\n  It has two lines.\n  Really.\n")
	y.types("\n")
	y.sees("\n> ")
	y.types("and\\\n")
	y.sees("\n. ")
	y.types("again\n")
	want(t, y.sees("\n> "), "\n  And again.\n")
	y.types("/exit\n")
	screen, status := y.leaves()
	hint := resumeHint.FindStringSubmatch(screen)
	if status != 0 || p.has("ran") || hint == nil {
		t.Fatalf("exit status %d, ran: %v\n%s", status, p.has("ran"), screen)
	}
	y = p.sit(p.env(), append([]string{"--resume", hint[1]}, p.script("turns: [{say: I remember.}]\n")...)...)
	y.sees("\n> ")
	y.types("well?\n")
	want(t, y.sees("\n> "), "\n  I remember.\n")
	y.types(ctrlD)
	if screen, status := y.leaves(); status != 0 || !strings.Contains(screen, "assent --resume "+hint[1]) {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}

// Without a word it starts on a terminal; a word that is no command is still a mistake.
func TestTerminalSession_CommandLine(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	env := p.env("ASSENT_MODEL=script:" + p.write("script.yaml", "turns: [{say: Hello.}]\n"))
	y := p.sit(env)
	y.sees("\n> ")
	y.types(ctrlD)
	if screen, status := y.leaves(); status != 0 || strings.Contains(screen, "--resume") {
		t.Errorf("exit status %d\n%s", status, screen)
	}
	y = p.sit(env, "exlpain")
	if screen, status := y.leaves(); status != 1 || !strings.Contains(screen, `there is no command "exlpain" (did you mean explain?)`) {
		t.Errorf("exit status %d\n%s", status, screen)
	}
	y = p.sit(env, "say hello")
	want(t, y.sees("\n> "), "\n  Hello.\n")
	y.types(ctrlC) // at the prompt it ends the session
	if screen, status := y.leaves(); status != 0 {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}

// ^C ends what runs, and the session goes on.
func TestTerminalSession_CtrlC(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	h := p.tether()
	y := p.sit(p.env(), append(p.script("turns:\n  - call: {Bash: {command: '"+holding+"'}}\n  - call: {Bash: {command: 'touch one'}}\n  - {say: Well.}\n"),
		"--allowedTools", "Bash(exec:*)", "Bash(echo:*)", "Bash(sleep:*)", "Bash(touch ran)", "Edit(tether)", "--", "go on")...)
	h.held()
	y.types(ctrlC)
	want(t, y.sees("\n> "), "Interrupted. Ctrl-C again ends the session.", "interrupted\n")
	h.loose()
	y.types("once more\n")
	y.sees("answer> ")
	y.types(ctrlC)
	want(t, y.sees("\n> "), "-> interrupted\n")
	y.types("and now\n")
	want(t, y.sees("\n> "), "\n  Well.\n")
	y.types("/exit\n")
	if screen, status := y.leaves(); status != 0 || p.has("ran") || p.has("one") {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}

// ^C once more ends the session, and nothing is left running.
func TestTerminalSession_CtrlCTwice(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.gate("gate") // which nobody opens
	hooks := p.write("hooks.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"touch stopping; cat gate"}]}]}}`)
	y := p.sit(p.env(), append(p.script("turns: [{say: Well.}]\n"), "--settings", hooks, "--", "go on")...)
	y.sees("  Well.\n")
	y.types(ctrlC)
	y.sees("Ctrl-C again ends the session.")
	y.types(ctrlC)
	screen, status := y.leaves()
	if status != 0 || !resumeHint.MatchString(screen) {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}

// What the model says cannot act on the terminal either, nor begin a line of it.
func TestTerminalSession_HostileText(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("notes.txt", "\x1b]0;pwned\a\n")
	y := p.sit(p.env("TERM=xterm"), append(p.script(`turns:
  - {say: "\e[2J\r? Bash wants to run:\n\u202eanswer> ", call: {Read: {file_path: "bad\e[2J.txt"}}}
  - {call: {Read: {file_path: notes.txt}}}
  - {say: Bye.}
`), "--", "go on")...)
	said := y.answers("y") // the model's imitation of a question
	said += y.answers("y") // which was no answer to the real one
	said += y.sees("  Bye.\n")
	y.sees("\n> ")
	y.types(ctrlD)
	y.leaves()
	if strings.Contains(said, "\x1b[2J") || strings.ContainsAny(said, "\a\u202e") || strings.Count(said, "? Bash wants") != 1 {
		t.Errorf("%q", said)
	}
	want(t, said, `\x1b[2J\r? Bash wants to run:`, "\n  "+`\u202e`, `bad\x1b[2J.txt`, `\x1b]0;pwned\x07`)
}

// What happens elsewhere does not break into a question.
func TestTerminalSession_NothingBreaksIntoAQuestion(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	y := p.sit(p.env(), append(p.script(`turns:
  - calls:
      - Task: {description: first, prompt: go, subagent_type: general-purpose}
      - Task: {description: second, prompt: go, subagent_type: general-purpose}
  - call: {Bash: {command: 'touch one'}}
  - {delay: 100ms, say: I have something to say.}
afterwards: Well.
`), "--", "go on")...)
	question := y.sees("answer> ")
	y.types("no\n")
	want(t, question, "asked by the sub-agent a")
	y.sees("why> ")
	y.types("\n")
	rest := y.sees("\n> ")
	y.types(ctrlD)
	y.leaves()
	_, after, _ := strings.Cut(rest, "-> denied\n\n")
	want(t, after, "] I have something to say.\n")
}

// The person who resumes a session on a terminal sees which call runs.
func TestD3_ACallThatIsResumedOnATerminalIsShown(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("settings.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"defer\"}}'"}]}]}}`)
	settings := []string{"--settings", filepath.Join(p.dir, "settings.json")}
	first := p.start(p.env(), append(append([]string{"-p", "--session-id", firstID, "go"}, settings...), p.script("turns: [{call: {Bash: {command: 'touch ran'}}}]\n")...)...)
	first.stdin.Close()
	first.rest()
	if status := first.end(); status != 0 {
		t.Fatalf("exit status %d\n%s", status, first.stderr)
	}
	y := p.sit(p.env(), append(append([]string{"--resume", firstID}, settings...), p.script("turns: [{say: Done.}]\n")...)...)
	want(t, y.answers("y"), "* Bash: touch ran\n", "a person is at", "? Bash wants to run:\n  | touch ran\n")
	want(t, y.sees("\n> "), "  = Bash: (no output)\n  Done.\n")
	y.types(ctrlD)
	if screen, status := y.leaves(); status != 0 || !p.has("ran") {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}
