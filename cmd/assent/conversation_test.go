package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// lockedText is standard error that is read while the program writes it.
type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(data)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A program that holds a conversation with `assent check --jsonl` is answered by
// the settings as they are when it asks.
func TestConversationWhileSettingsChange(t *testing.T) {
	home, proj := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("ASSENT_HOME", "")
	file := filepath.Join(proj, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	in, question := io.Pipe()
	answer, out := io.Pipe()
	var errOut lockedText
	done := make(chan int)
	go func() {
		done <- run([]string{"check", "--jsonl", "--cwd", proj}, in, out, &errOut)
	}()
	answers := bufio.NewScanner(answer)
	ask := func(settings, command, want, told string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(question, `{"tool_name": "Bash", "tool_input": {"command": %q}}`+"\n", command)
		if !answers.Scan() || !strings.Contains(answers.Text(), `"decision":"`+want+`"`) {
			t.Errorf("%s, %s: got %s, want %s", settings, command, answers.Text(), want)
		}
		if !strings.Contains(errOut.String(), told) {
			t.Errorf("%s: %q is not told: %s", settings, told, errOut.String())
		}
	}
	ask(`{}`, "ls", "allow", "")
	ask(`{"permissions": {"deny": ["Bash(ls)"]}}`, "ls", "deny", "")
	ask(`{"permissions": {"deny": ["Bash(cd)"]}}`, "ls", "allow", "")
	ask(`{"permissions": {"deny": ["Bash(cd)"]`, "cd x", "allow", "is broken and its last good content stays in force")
	ask(`{"permissions": {"deny": ["Bash(cd)"]`, "cd", "deny", "")
	ask(`{"permissions": {"allow": ["Bash(make)"]}}`, "make", "ask", "can be read again")
	if status, _, errText := inHome(t, home, "trust", "--yes", proj); status != 0 {
		t.Fatal(errText)
	}
	ask(`{"permissions": {"allow": ["Bash(make)"]}}`, "make", "allow", "")
	if status, _, errText := inHome(t, home, "trust", "--revoke", proj); status != 0 {
		t.Fatal(errText)
	}
	ask(`{"permissions": {"allow": ["Bash(make)"]}}`, "make", "ask", "")
	question.Close()
	if status := <-done; status != statusOK {
		t.Errorf("status %d: %s", status, errOut.String())
	}
}

// inHome runs the program for the user whose home directory it is.
func inHome(t *testing.T, home string, args ...string) (status int, out, errOut string) {
	t.Helper()
	t.Setenv("HOME", home)
	var stdout, stderr strings.Builder
	status = run(args, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}
