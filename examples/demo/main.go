// Command demo shows assent at work: a scripted agent in a throw-away project reads, tests,
// is denied a push, parks a deploy, and goes on when somebody has answered.
//
// It needs no key and no network. `make demo` builds assent and runs it; YES=1 answers in
// your place.
package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/rule"
)

//go:embed project
var files embed.FS

func main() {
	program := flag.String("assent", "", "the assent `program` to show (required)")
	yes := flag.Bool("yes", false, "approve the deploy without a question")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a write that fails says so, and does not end the process
	err := demonstrate(ctx, *program, *yes)
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "demo:", err)
	os.Exit(1)
}

// session is the id of the session that is shown: a fixed one, so that it can be named in
// what is printed.
const session = "d3300000-0000-4000-8000-000000000001"

// demonstrate shows it all, and leaves nothing behind.
func demonstrate(ctx context.Context, program string, yes bool) (err error) {
	if program == "" {
		return errors.New("which program? (pass -assent ./assent, or run `make demo`)")
	}
	if program, err = filepath.Abs(program); err != nil {
		return err
	}
	top, err := os.MkdirTemp("", "assent-demo-")
	if err != nil {
		return err
	}
	defer func() { err = outcome(ctx, err, os.RemoveAll(top)) }()
	work, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := &screen{to: os.Stdout, stop: stop}
	keyboard := sync.OnceValue(func() <-chan reply { return typed(os.Stdin) })
	s := stage{out, program, filepath.Join(top, "shop"), filepath.Join(top, "home"), keyboard}
	if err := s.build(); err != nil {
		return err
	}
	if err := s.show(work, yes); err != nil || out.err != nil {
		return cmp.Or(out.err, err)
	}
	if err := os.RemoveAll(top); err != nil {
		return err
	}
	out.say("\nThat was it. Everything has been removed again. Next: README.md, and docs/start-*.md for what you want to do.")
	return out.err
}

// outcome is how it ended: what went wrong, and what could not be removed afterwards.
func outcome(ctx context.Context, err, left error) error {
	if err != nil && ctx.Err() != nil { // whatever it was doing then
		err = errors.New("it was interrupted")
	}
	switch {
	case left != nil:
		return errors.Join(err, fmt.Errorf("something is left behind: %w (remove it by hand)", left))
	case err != nil:
		return fmt.Errorf("%w; everything has been removed again", err)
	}
	return nil
}

// show shows one thing after the other.
func (s stage) show(ctx context.Context, yes bool) (err error) {
	s.heading("1. The policy")
	s.say("Tests may run, nobody pushes, and a deploy waits for a person. It is a settings file:")
	if err := s.file(filepath.Join(s.home, ".claude", "settings.json")); err != nil {
		return err
	}

	s.heading("2. An agent works by it")
	s.say("Its model is a script, so this needs no key and no network. Everything happens in " + s.project + ".")
	s.shown("assent -p --model script:release.yaml --session-id " + session + " 'Release version 2.'")
	s.say("  (shown here message by message, as a Go program sees it)")
	waits, err := s.work(ctx, "Release version 2.", s.script("release.yaml"), assent.SessionID(session))
	switch {
	case err != nil:
		return err
	case len(waits) == 0:
		return errors.New("the deploy should wait, and it does not")
	}
	s.say("The process has ended, with the deploy on disk. Nothing runs any more, and nothing is lost.")

	s.heading("3. What waits")
	if err := s.run(ctx, "sessions", "show", session[:8]); err != nil {
		return err
	}

	s.heading("4. Somebody answers")
	if err := s.decide(ctx, yes); err != nil {
		return err
	}

	s.heading("6. Why was the push denied?")
	if err := s.run(ctx, "explain", "Bash(git push --force origin main)"); err != nil {
		return err
	}

	s.heading("7. Is the record of all that whole?")
	if err := s.run(ctx, "audit", "log"); err != nil {
		return err
	}
	if err := s.run(ctx, "audit", "verify"); err != nil {
		return err
	}
	return nil
}

// decide gets the deploy answered in the inbox, and shows how the session goes on there.
func (s stage) decide(ctx context.Context, yes bool) error {
	model := "script:" + filepath.Join(s.project, "rest.yaml")
	s.shown("assent serve -- --model script:rest.yaml")
	i, err := s.serve(ctx, model)
	if err != nil {
		return err
	}
	defer i.end()
	s.say("  " + i.link)
	call, err := i.waiting(ctx, session)
	if err != nil {
		return err
	}
	before, err := i.Session(ctx, session)
	if err != nil {
		return err
	}
	onPage, err := s.settle(ctx, i, call, yes)
	if err != nil {
		return err
	}
	after, err := i.Detail(ctx, call.ID)
	if err != nil {
		return err
	}
	if after.Answer != nil {
		s.say(fmt.Sprintf("The answer of %s: %s.", after.Answer.By, after.Answer.Decision))
	}

	s.heading("5. The session goes on by itself, where it stopped")
	if err := s.watch(ctx, i, session, len(before.Turns)); err != nil || !onPage {
		return err
	}
	return s.linger(ctx, s.typed())
}

// stage is the throw-away machine: a project and the home of its user.
type stage struct {
	*screen
	program, project, home string
	// typed are the lines of whoever sits at the terminal. Nothing is read before somebody is asked.
	typed func() <-chan reply
}

// build makes the project and the home, and lets this process live there. The caches of
// the go command stay where they are.
func (s stage) build() error {
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return fmt.Errorf("the go command is needed: %w", err)
		}
		if err := os.Setenv(name, strings.TrimSpace(string(value))); err != nil {
			return err
		}
	}
	settings := filepath.Join(s.home, ".claude", "settings.json")
	for name, path := range map[string]string{
		"settings.json": settings, "release.yaml": "", "rest.yaml": "", "notes.md": "", "deploy": "",
		"greet.txt": filepath.Join(s.project, "greet.go"), "greet_test.txt": filepath.Join(s.project, "greet_test.go"),
	} {
		text, err := fs.ReadFile(files, "project/"+name)
		if err != nil {
			return err
		}
		if path == "" {
			path = filepath.Join(s.project, name)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(s.project, "go.mod"), []byte("module greet\n\ngo 1.21\n"), 0o600); err != nil {
		return err
	}
	// What is left of a `go test` that is killed lies in here, too. The flags are those that
	// assent was built with: what is compiled for them is in the cache.
	tmp := filepath.Join(s.home, "tmp")
	return errors.Join(os.Mkdir(tmp, 0o700), os.Setenv("TMPDIR", tmp),
		os.Setenv("HOME", s.home), os.Setenv("GOTOOLCHAIN", "local"), os.Setenv("GOFLAGS", "-trimpath"), os.Setenv("CGO_ENABLED", "0"), os.Unsetenv("ASSENT_HOME"))
}

// run runs a command of assent, as a person would.
func (s stage) run(ctx context.Context, args ...string) error {
	var line []string
	for _, a := range args {
		if strings.ContainsAny(a, " (") {
			a = "'" + a + "'"
		}
		line = append(line, a)
	}
	s.shown("assent " + strings.Join(line, " "))
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.project, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("assent %s: %w", args[0], err)
	}
	return nil
}

// work lets the agent work and tells what it does. It returns the calls that wait.
func (s stage) work(ctx context.Context, prompt string, options ...assent.Option) ([]assent.Deferred, error) {
	options = append(options, assent.External(s.program), assent.Dir(s.project), assent.SettingSources(rule.UserSettings))
	var waits []assent.Deferred
	tell := account{screen: s.screen}
	for message, err := range assent.Query(ctx, prompt, options...) {
		if err != nil {
			tell.settle(nil)
			return nil, err
		}
		switch m := message.(type) {
		case *assent.Assistant:
			tell.assistant(m)
		case *assent.User:
			tell.results(m)
		case *assent.Result:
			tell.settle(m.Denials)
			if err := m.Err(); err != nil {
				return nil, err
			}
			waits = m.Deferred
			for _, d := range waits {
				tell.show(line{word: "waits", text: fmt.Sprintf("%s, %s (%s)", d.ToolName, d.ToolInput, m.StopReason)})
			}
		}
	}
	return waits, nil
}

// script is a model that plays a file of the project.
func (s stage) script(name string) assent.Option {
	return assent.Model("script:" + filepath.Join(s.project, name))
}
