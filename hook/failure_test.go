package hook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// The ways to fail, the kinds of hooks and two events, each with each. A combination
// that is missing here without standing in the list of impossible ones fails the test.
var (
	failures = []string{
		"crash", "signal", "timeout", "not executable", "not found", "exit 1", "binary output", "half JSON", "unknown word", "only unknown keys",
		"decision in the wrong place", "wrong event name", "huge output", "exit 2 without output", "slow HTTP", "HTTP 500", "redirect",
	}
	kinds  = []string{"command", "HTTP", "Go"}
	moment = []Event{PreToolUse, PostToolUse}
)

// impossible combinations, and why.
var impossible = map[string]string{
	"signal/HTTP":                "an endpoint has no signals",
	"signal/Go":                  "a function has no signals",
	"timeout/HTTP":               "that is slow HTTP",
	"not executable/HTTP":        "an endpoint is no file",
	"not executable/Go":          "a function is no file",
	"exit 1/HTTP":                "an endpoint has no exit status; HTTP 500 is its like",
	"exit 2 without output/HTTP": "an endpoint has no exit status",
	"exit 2 without output/Go":   "a function has no exit status",
	"slow HTTP/command":          "only for HTTP",
	"slow HTTP/Go":               "only for HTTP",
	"HTTP 500/command":           "only for HTTP",
	"HTTP 500/Go":                "only for HTTP",
	"redirect/command":           "only for HTTP",
	"redirect/Go":                "only for HTTP",
}

// texts are the answers that cannot be understood, at an event.
func texts(failure string, event Event) (string, bool) {
	switch failure {
	case "binary output":
		return "{\xff\xfe\x00\x01", true
	case "half JSON":
		return `{"hookSpecificOutput": {"permissionDecision": "allow"`, true
	case "unknown word":
		if event == PreToolUse {
			return `{"hookSpecificOutput": {"permissionDecision": "permit"}}`, true
		}
		return `{"decision": "reject"}`, true
	case "only unknown keys":
		return `{"ok": true, "allowed": true}`, true
	case "decision in the wrong place":
		return `{"permissionDecision": "allow"}`, true
	case "wrong event name":
		return `{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}}`, true
	case "huge output":
		return strings.Repeat("x", MaxOutput+1), true
	}
	return "", false
}

// failing makes a hook that fails.
func failing(t *testing.T, kind, failure string, event Event) Handler {
	t.Helper()
	switch kind {
	case "command":
		return failingCommand(t, failure, event)
	case "HTTP":
		return failingEndpoint(t, failure, event)
	}
	return failingFunction(t, failure, event)
}

func failingCommand(t *testing.T, failure string, event Event) Handler {
	t.Helper()
	dir := t.TempDir()
	line := ""
	switch failure {
	case "crash":
		line = "kill -SEGV $$"
	case "signal":
		line = "kill -KILL $$"
	case "timeout":
		line = "sleep 600 & sleep 600"
	case "not executable":
		path := filepath.Join(dir, "check.sh")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return mustExec(t, path)
	case "not found":
		return mustExec(t, filepath.Join(dir, "no-such-program"))
	case "exit 1":
		line = "exit 1"
	case "exit 2 without output":
		line = "exit 2"
	default:
		text, ok := texts(failure, event)
		if !ok {
			t.Fatalf("%s is not written for commands", failure)
		}
		path := filepath.Join(dir, "answer")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		line = "cat " + path
	}
	c, err := ShellCommand(line)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustExec(t *testing.T, path string) Handler {
	t.Helper()
	c, err := ExecCommand(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func failingEndpoint(t *testing.T, failure string, event Event) Handler {
	t.Helper()
	var strayed atomic.Int32
	ended := make(chan struct{})
	answer := func(w http.ResponseWriter, r *http.Request) {
		switch failure {
		case "crash":
			panic(http.ErrAbortHandler)
		case "slow HTTP":
			<-ended // the caller has long gone
		case "HTTP 500":
			http.Error(w, `{"hookSpecificOutput": {"permissionDecision": "allow"}}`, http.StatusInternalServerError)
		case "redirect":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		default:
			text, _ := texts(failure, event)
			_, _ = w.Write([]byte(text))
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/hook", answer)
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, _ *http.Request) {
		strayed.Add(1)
		_, _ = w.Write([]byte(`{"hookSpecificOutput": {"permissionDecision": "allow"}}`))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		close(ended)
		server.Close()
		if strayed.Load() != 0 {
			t.Error("the redirect was followed")
		}
	})
	if failure == "not found" {
		server.Close()
	}
	h, err := NewHTTP(server.URL+"/hook", nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func failingFunction(t *testing.T, failure string, event Event) Handler {
	t.Helper()
	f := Function{Label: "guard"}
	switch failure {
	case "crash":
		f.Func = func(context.Context, Invocation) (Output, error) { panic("boom") }
	case "timeout":
		return never("guard")
	case "not found":
	case "exit 1":
		f.Func = func(context.Context, Invocation) (Output, error) { return Allow(), errors.New("no database") }
	case "unknown word":
		f.Func = func(context.Context, Invocation) (Output, error) {
			if event == PreToolUse {
				return Output{Specific: &Specific{PermissionDecision: "permit"}}, nil
			}
			return Output{Decision: "reject"}, nil
		}
	case "wrong event name":
		f.Func = func(context.Context, Invocation) (Output, error) {
			return Output{Specific: &Specific{HookEventName: SessionStart, AdditionalContext: "x"}}, nil
		}
	default: // what only text can say comes from a host
		text, ok := texts(failure, event)
		if !ok {
			t.Fatalf("%s is not written for functions", failure)
		}
		return printing("guard", text)
	}
	return f
}

// A PreToolUse hook that does not work never lets a call through, and says that it is
// broken; at other events the work goes on and somebody is told. Nothing stays behind.
func TestH10_S19_FailureMatrix(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	tested := 0
	for _, failure := range failures {
		for _, kind := range kinds {
			if _, skip := impossible[failure+"/"+kind]; skip {
				continue
			}
			for _, event := range moment {
				tested++
				t.Run(fmt.Sprintf("%s/%s/%s", failure, kind, event), func(t *testing.T) {
					env := noLeaks(t)
					entry := Entry{Event: event, Handler: failing(t, kind, failure, event)}
					if failure == "timeout" || failure == "slow HTTP" {
						entry.Timeout = 100 * time.Millisecond
					}
					s := newSession(t, Config{Dir: t.TempDir(), Env: env, Entries: []Entry{entry}}, textRule(t, rule.Allow, "Bash"))
					if event == PreToolUse {
						stopsTheCall(t, s, entry.Handler.Name(), failure)
					} else {
						goesOn(t, s, entry.Handler.Name(), failure)
					}
				})
			}
		}
	}
	if want := len(moment) * (len(failures)*len(kinds) - len(impossible)); tested != want {
		t.Errorf("%d combinations were tested, want %d: the list of impossible ones names one that does not exist", tested, want)
	}
}

// stopsTheCall: no rule and no mode gets the call past the hook.
func stopsTheCall(t *testing.T, s *testSession, name, failure string) {
	t.Helper()
	s.inMode(permission.BypassPermissions)
	req := permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`)}
	j := s.pipeline.Judge(t.Context(), s.snapshot, req, Base{Cwd: s.pipeline.Hooks.config.Dir}, "toolu_1")
	wantDecision(t, j, denied, name)
	run := j.Verdict.Runs[0]
	if failure == "exit 2 without output" {
		if run.Outcome != Blocked || j.Decision.Reason.Kind != permission.ByHook || strings.Contains(j.Decision.Message(), "hook broken") {
			t.Errorf("%v by %v: %s", run.Outcome, j.Decision.Reason.Kind, j.Decision.Message())
		}
		return
	}
	if huge := failure == "huge output"; huge && !strings.Contains(j.Decision.Message(), "more than") {
		t.Errorf("it is not said that there was too much: %s", j.Decision.Message())
	}
	if !strings.HasPrefix(j.Decision.Message(), "hook broken: "+name) || j.Decision.Reason.Kind != permission.ByBrokenHook {
		t.Errorf("the reason is %q by %v", j.Decision.Message(), j.Decision.Reason.Kind)
	}
	if want := wantedOutcome(failure); run.Outcome != want {
		t.Errorf("the outcome is %v, want %v", run.Outcome, want)
	}
}

func goesOn(t *testing.T, s *testSession, name, failure string) {
	t.Helper()
	v := s.run(PostToolUseInput{ToolName: "Bash", ToolInput: []byte(`{}`), ToolResponse: []byte(`{}`)})
	if failure == "exit 2 without output" {
		if !v.Block || len(v.Feedback) != 1 || !strings.Contains(v.Feedback[0], name) {
			t.Errorf("%+v", v)
		}
		return
	}
	if v.Block || v.Halt || v.Permission.Behavior != permission.Pass || v.Answer != nil || v.ToolOutput != nil || v.Context != nil {
		t.Errorf("a broken hook decides something: %+v", v)
	}
	if want := wantedOutcome(failure); v.Runs[0].Outcome != want {
		t.Errorf("the outcome is %v, want %v", v.Runs[0].Outcome, want)
	}
	if !slices.ContainsFunc(v.Messages, func(m string) bool { return strings.HasPrefix(m, "hook broken: "+name) }) {
		t.Errorf("nobody is told: %q", v.Messages)
	}
}

func wantedOutcome(failure string) Outcome {
	if failure == "timeout" || failure == "slow HTTP" {
		return OutOfTime
	}
	return Broken
}

// All kinds of handlers in one verdict.
func TestH16_EveryKindOfHandler(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"decision": "block", "reason": "from http"}`))
	}))
	defer server.Close()
	endpoint, err := NewHTTP(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	line, err := ShellCommand(`echo '{"decision": "block", "reason": "from a shell"}'`)
	if err != nil {
		t.Fatal(err)
	}
	program, err := ExecCommand("/bin/sh", "-c", "echo from a program >&2; exit 2")
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, Config{Dir: t.TempDir(), Entries: before(line, program, endpoint, saying("go", Deny("from go")), printing("host", `{"decision": "block", "reason": "from a host"}`))})
	v := s.run(bashInput("ls"))
	if want := "1. from a shell\n2. from a program\n3. from http\n4. from go\n5. from a host"; v.Permission.Reason != want {
		t.Errorf("the reason is %q, want %q", v.Permission.Reason, want)
	}
}
