package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestThePromptIsTheArgumentAndStdin: `cat log | assent -p 'explain this'` asks about the
// log.
func TestThePromptIsTheArgumentAndStdin(t *testing.T) {
	pipe := func(text string) io.Reader {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		_, _ = w.WriteString(text)
		_ = w.Close()
		return r
	}
	file := func(text string) io.Reader {
		path := filepath.Join(t.TempDir(), "stdin")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for name, tt := range map[string]struct {
		args []string
		in   io.Reader
		want string
	}{
		"both, from a pipe":     {[]string{"explain", "this"}, pipe("a log\nof two lines\n"), "explain this\n\na log\nof two lines"},
		"both, from a file":     {[]string{"explain this"}, file("a log\n"), "explain this\n\na log"},
		"only an argument":      {[]string{" explain\n"}, pipe(""), "explain"},
		"a blank before it":     {[]string{" /ship x\n"}, pipe(""), " /ship x"}, // so it is no command
		"a blank on stdin":      {nil, pipe("\n  /ship x\n"), " /ship x"},
		"a command":             {[]string{"/ship x "}, pipe(""), "/ship x"},
		"a blank stdin":         {[]string{"explain"}, pipe(" \n\t\n"), "explain"},
		"nothing to read":       {[]string{"explain"}, null, "explain"},
		"a blank argument":      {[]string{"  ", ""}, pipe("a log\n"), "a log"},
		"only stdin":            {nil, file("\n a log \n"), "a log"},
		"nothing but blanks":    {[]string{" \n"}, pipe("\n"), ""},
		"no stdin at all":       {[]string{"explain"}, nil, "explain"},
		"inner blanks are kept": {[]string{"a  b"}, pipe("c\n\n\nd"), "a  b\n\nc\n\n\nd"},
	} {
		a := &app{in: tt.in, err: io.Discard}
		if got, err := a.prompt(tt.args, false, false); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.want)
		}
	}
	for name, tt := range map[string]struct{ text, want string }{
		"too long": {strings.Repeat("x", maxPrompt+1), "the prompt on stdin is longer than 10 MB"},
		"no text":  {"a\xffb", "the prompt is not valid UTF-8"},
	} {
		a := &app{in: strings.NewReader(tt.text), err: io.Discard}
		if got, err := a.prompt([]string{"explain"}, false, false); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %.20q, %v", name, got, err)
		}
	}
}

// A program that starts assent may leave it a pipe that nobody writes to: that must not
// hold up a prompt for ever. One that has begun to come is waited for.
func TestAStdinThatNobodyWritesToIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var said strings.Builder
		a := &app{in: r, err: &said}
		got, err := a.prompt([]string{"explain"}, false, false)
		if err != nil || got != "explain" || !strings.HasPrefix(said.String(), "assent: warning: nothing came on stdin for 3s") {
			t.Errorf("%q, %v, said %q", got, err, said.String())
		}
		_ = w.Close()
	})
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		go func() {
			_, _ = io.WriteString(w, "a slow ")
			time.Sleep(time.Minute)
			_, _ = io.WriteString(w, "log\n")
			_ = w.Close()
		}()
		var said strings.Builder
		a := &app{in: r, err: &said}
		if got, err := a.prompt([]string{"explain"}, false, false); err != nil || got != "explain\n\na slow log" || said.Len() > 0 {
			t.Errorf("%q, %v, said %q", got, err, said.String())
		}
	})
}

// Who goes on with a session needs no prompt: what a person could type is not waited for,
// and neither is a pipe that nobody writes to.
func TestS28_GoingOnNeedsNoPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var said strings.Builder
		a := &app{in: r, err: &said}
		got, err := a.prompt(nil, false, true)
		if err != nil || got != "" || !strings.Contains(said.String(), "nothing came on stdin for 3s, so the session goes on without a prompt") {
			t.Errorf("%q, %v, said %q", got, err, said.String())
		}
		_ = w.Close()
	})
	terminal, err := os.Open(os.DevNull) // a device, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for want, in := range map[string]io.Reader{"": terminal, "and now?": strings.NewReader("and now?\n")} {
		if got, err := (&app{in: in, err: io.Discard}).prompt(nil, false, true); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}
