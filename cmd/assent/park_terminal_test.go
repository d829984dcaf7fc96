//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is known of a call is not lost on a terminal: if its ticket says that it ran, a
// line that somebody types does not make the model believe that it did not.
func TestS40_ATerminalDoesNotForgetWhatRan(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	flags := append(p.parks(), "--resume", chosenID, "--model", p.playing("end.yaml", twoAnswers))
	p.answered("approve")
	sessions := filepath.Join(p.home, ".assent", "sessions")
	kept := filepath.Join(t.TempDir(), "kept")
	if err := os.CopyFS(kept, os.DirFS(sessions)); err != nil {
		t.Fatal(err)
	}
	if _, complained, status := p.say(append([]string{"-p"}, flags...)...); status != 0 || !p.has("deployed") {
		t.Fatalf("exit status %d: %s", status, complained)
	}
	if err := os.RemoveAll(sessions); err != nil { // and an old copy is put in its place
		t.Fatal(err)
	}
	if err := os.CopyFS(sessions, os.DirFS(kept)); err != nil {
		t.Fatal(err)
	}
	y := p.sit(p.env(), flags...)
	want(t, y.sees("\n> "), "* Bash: touch deployed\n", "cannot be relied on")
	y.types("what now?\n")
	want(t, y.sees("\n> "), "cannot be relied on", "the prompt was not worked off")
	y.types(ctrlD)
	screen, _ := y.leaves()
	if strings.Contains(screen, "One.") {
		t.Errorf("%s", screen)
	}
	if p.waits(chosenID) == nil {
		t.Error("the call waits no more")
	}
}

// A prompt on the command line follows a call that waits only if that can be taken up.
func TestS40_APromptOnTheCommandLineOfATerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	flags := append(p.parks(), "--resume", chosenID, "--model", p.playing("end.yaml", twoAnswers))
	p.answered("approve")
	y := p.sit(p.env(), append(flags, "--permission-mode", "plan", "--", "and now?")...)
	want(t, y.sees("\n> "), "* Bash: touch deployed\n", "its answer still holds", "the prompt was not worked off")
	y.types(ctrlD)
	if screen, _ := y.leaves(); strings.Contains(screen, "One.") {
		t.Errorf("%s", screen)
	}
	y = p.sit(p.env(), append(flags, "--permission-mode", "default", "--", "and now?")...)
	want(t, y.sees("\n> "), "* Bash: touch deployed\n", "  = Bash: (no output)\n  One.\n", "  Two.\n")
	y.types(ctrlD)
	if screen, status := y.leaves(); status != 0 || !p.has("deployed") {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}

// What becomes of a call when the next line is typed is shown with its tool.
func TestD3_ACallThatIsSettledLaterIsNamed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	flags := append(p.parks(), "--resume", chosenID, "--model", p.playing("end.yaml", twoAnswers))
	if err := os.Remove(filepath.Join(p.dir, "answer.json")); err != nil { // the hook is broken now
		t.Fatal(err)
	}
	y := p.sit(p.env(), flags...)
	want(t, y.sees("\n> "), "* Bash: touch deployed\n", "waits on: hook broken")
	p.answered("deny", "--reason", "not today")
	y.types("what now?\n")
	want(t, y.sees("\n> "), "  ! Bash: not today\n", "  One.\n", "  Two.\n")
	y.types(ctrlD)
	if screen, status := y.leaves(); status != 0 || p.has("deployed") || strings.Count(screen, "* Bash: touch deployed") != 1 {
		t.Errorf("exit status %d\n%s", status, screen)
	}
}
