package assent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model/script"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// A program only gets the flags of what was asked for, so that one that is not assent can be
// driven, too.
func TestK1_ExternalFlags(t *testing.T) {
	always := []string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--include-hook-events"}
	yes := assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) { return assent.Yes(), nil })
	for name, tt := range map[string]struct {
		options []assent.Option
		want    []string
	}{
		"nothing":     {nil, []string{"--setting-sources="}},
		"own flags":   {[]assent.Option{assent.External("program", "--debug", "x")}, []string{"--setting-sources="}},
		"questions":   {[]assent.Option{yes}, []string{"--permission-prompt-tool=stdio", "--setting-sources="}},
		"permissions": {[]assent.Option{assent.PermissionMode(permission.Plan), assent.AllowBypass(), assent.Allow("Read", "Bash(a, b)"), assent.Deny("-x"), assent.AddDirs("a b")}, []string{"--permission-mode=plan", "--allow-dangerously-skip-permissions", "--allowedTools=Read", "--allowedTools=Bash(a, b)", "--disallowedTools=-x", "--add-dir=a b", "--setting-sources="}},
		"settings":    {[]assent.Option{assent.Settings("/file.json"), assent.SettingSources(rule.UserSettings, rule.LocalSettings)}, []string{"--settings=/file.json", "--setting-sources=user,local"}},
		"ask":         {[]assent.Option{assent.Ask("Bash"), assent.Settings(` {"env":{"A":"b"},"permissions":{"ask":["Read"],"deny":["Write"]}}`)}, []string{`--settings={"env":{"A":"b"},"permissions":{"ask":["Read","Bash"],"deny":["Write"]}}`, "--setting-sources="}},
		"comments": {[]assent.Option{assent.Ask("Bash"), assent.Settings(`{"env": {"A": "b"}, // as in a file
} // and here`)}, []string{`--settings={"env":{"A":"b"},"permissions":{"ask":["Bash"]}}`, "--setting-sources="}},
		"of the home": {[]assent.Option{assent.Settings("~/file.json")}, []string{"--settings=~/file.json", "--setting-sources="}},
		"more texts":  {[]assent.Option{assent.AppendSystemPrompt("a"), assent.AppendSystemPrompt(""), assent.AppendSystemPrompt("b")}, []string{"--append-system-prompt=a\n\nb", "--setting-sources="}},
		"texts":       {[]assent.Option{assent.Model("m"), assent.SystemPrompt("--be nice"), assent.AppendSystemPrompt("a\nb"), assent.Agents("{}")}, []string{"--model=m", "--system-prompt=--be nice", "--append-system-prompt=a\nb", "--setting-sources=", "--agents={}"}},
		"a session":   {[]assent.Option{assent.Resume(anID), assent.Fork(), assent.SessionID(anID), assent.MaxTurns(3), assent.Partial()}, []string{"--include-partial-messages", "--replay-user-messages", "--max-turns=3", "--setting-sources=", "--resume=" + anID, "--fork-session", "--session-id=" + anID}},
		"the last":    {[]assent.Option{assent.Continue()}, []string{"--replay-user-messages", "--setting-sources=", "--continue"}},
		"tools":       {[]assent.Option{assent.Tools("Read", "Glob"), assent.MCPConfig(`{"mcpServers":{}}`, "/servers.json")}, []string{"--setting-sources=", "--tools", "Read,Glob", `--mcp-config={"mcpServers":{}}`, "--mcp-config=/servers.json"}},
		"no tools":    {[]assent.Option{assent.Tools()}, []string{"--setting-sources=", "--tools", ""}},
		"assent's":    {[]assent.Option{assent.Forget(), assent.Classifier("builtin"), assent.TrustWorkspace(), assent.DeferBatch()}, []string{"--setting-sources=", "--no-session-persistence", "--classifier=builtin", "--trust-workspace", "--defer-batch"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := assent.ExternalFlags(append([]assent.Option{assent.External("program")}, tt.options...)...)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Concat(always, tt.want)
			if name == "own flags" {
				want = append([]string{"--debug", "x"}, want...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q\nwant %q", got, want)
			}
		})
	}
	if _, err := assent.ExternalFlags(assent.External("program"), assent.Ask("Bash"), assent.Settings("file.json")); err == nil || !strings.Contains(err.Error(), "Bash") {
		t.Errorf("ask rules that would be lost: %v", err)
	}
}

// What a program cannot do is an error that says so.
func TestK1_ExternalRefuses(t *testing.T) {
	p, err := script.New("s", []byte("turns: [{say: Hi.}]"))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		options []assent.Option
		want    string
	}{
		"what is only here":    {[]assent.Option{assent.External("assent"), assent.Home(t.TempDir()), assent.StateDir(t.TempDir()), assent.Provider(p)}, "assent.Home, assent.StateDir, assent.Provider"},
		"no program":           {[]assent.Option{assent.External("")}, "path"},
		"one that is gone":     {[]assent.Option{assent.External(filepath.Join(t.TempDir(), "gone"))}, "gone cannot be started"},
		"one of the workspace": {[]assent.Option{assent.External("./program"), assent.Dir(withProgram(t))}, "cannot be started"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := assent.Open(t.Context(), tt.options...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// withProgram is a directory with a program that must not be run.
func withProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "program"), []byte("#!/bin/sh\ntouch ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestK1_External is what sessions through the program do beside those of the table of
// TestK1_ExternalParity.
func TestK1_External(t *testing.T) {
	path := buildAssent(t)
	program := assent.External(path)
	prepare := func(t *testing.T, turns string) []assent.Option {
		t.Helper()
		before := goleak.IgnoreCurrent()
		t.Cleanup(func() { goleak.VerifyNone(t, before) })
		home := t.TempDir()
		t.Setenv("HOME", home)
		t.Setenv("ASSENT_HOME", filepath.Join(home, "state"))
		file := filepath.Join(home, "script.yaml")
		if err := os.WriteFile(file, []byte(turns), 0o600); err != nil {
			t.Fatal(err)
		}
		return []assent.Option{program, assent.Dir(t.TempDir()), assent.Model("script:" + file)}
	}
	with := func(options []assent.Option, more ...assent.Option) []assent.Option {
		return slices.Concat(options, more)
	}
	const sleeps = "turns:\n  - call: {Bash: {command: sleep 1000}}\n  - say: Done.\nafterwards: Still here.\n"

	t.Run("a context that ends", func(t *testing.T) {
		options := prepare(t, sleeps)
		client := opened(t, with(options, assent.Allow("Bash"))...)
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		why, subtype := errors.New("enough"), ""
		var last error
		for m, err := range client.Query(ctx, "go") {
			last = err
			switch m := m.(type) {
			case *assent.Assistant:
				cancel(why)
			case *assent.Result:
				subtype = string(m.Subtype)
			}
		}
		if !errors.Is(last, why) || subtype != "error_during_execution" {
			t.Errorf("%v, %s", last, subtype)
		}
		if _, result := ask(t, client, "are you there?"); result.Text != "Done." {
			t.Errorf("it does not live on: %+v", result)
		}
	})
	t.Run("a loop that is left", func(t *testing.T) {
		options := prepare(t, sleeps)
		client := opened(t, with(options, assent.Allow("Bash"))...)
		for m := range client.Query(t.Context(), "go") {
			if _, ok := m.(*assent.Assistant); ok {
				break
			}
		}
		told, result := ask(t, client, "are you there?")
		if result.Text != "Done." || len(told) != 3 {
			t.Errorf("%q, %+v", told, result)
		}
	})
	t.Run("closed from inside", func(t *testing.T) {
		options := prepare(t, sleeps)
		client := opened(t, with(options, assent.Allow("Bash"))...)
		for m, err := range client.Query(t.Context(), "go") {
			if err != nil {
				t.Error(err)
			}
			if _, ok := m.(*assent.Assistant); ok {
				if err := client.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		for _, err := range client.Query(t.Context(), "go") {
			if !errors.Is(err, assent.ErrClosed) {
				t.Error(err)
			}
		}
	})
	t.Run("no such session", func(t *testing.T) {
		_, err := assent.Open(t.Context(), with(prepare(t, sleeps), assent.Resume(anID))...)
		var missing *assent.NoSessionError
		if !errors.As(err, &missing) || missing.ID != anID || !strings.HasPrefix(err.Error(), "No conversation found") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a flag that nobody knows", func(t *testing.T) {
		options := prepare(t, sleeps)
		_, err := assent.Open(t.Context(), with(options, assent.External(path, "--no-such-flag"))...)
		var exit *assent.ExitError
		if !errors.As(err, &exit) || exit.Code == 0 || !strings.Contains(err.Error(), "no-such-flag") {
			t.Errorf("%v", err)
		}
	})
	t.Run("what waits, with no prompt", func(t *testing.T) {
		options := prepare(t, "turns:\n  - call: {Bash: {command: touch made}}\nafterwards: Done.\n")
		asked := 0
		deferring := assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
			asked++
			return hook.Defer("wait"), nil
		})
		if result, err := assent.Run(t.Context(), "go", with(options, deferring, assent.SessionID(anID))...); err != nil || len(result.Deferred) != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		result, err := assent.Run(t.Context(), "", with(options, deferring, assent.Resume(anID))...)
		if err != nil || result.StopReason != "tool_deferred" || result.TakenUp || asked != 2 {
			t.Errorf("the hook is asked once more, and decides nothing: %+v, %v, asked %d times", result, err, asked)
		}
		result, err = assent.Run(t.Context(), "", with(options, assent.Resume(anID))...)
		if err != nil || result.StopReason != "tool_deferred" {
			t.Errorf("nobody has decided yet: %+v, %v", result, err)
		}
		_, err = assent.Run(t.Context(), "", options...)
		if !errors.Is(err, assent.ErrNothingPending) {
			t.Errorf("a new session: %v", err)
		}
	})
	t.Run("nothing waits", func(t *testing.T) {
		options := prepare(t, "turns: [{say: Hi.}]\n")
		if _, err := assent.Run(t.Context(), "go", with(options, assent.SessionID(anID))...); err != nil {
			t.Fatal(err)
		}
		if _, err := assent.Run(t.Context(), "", with(options, assent.Resume(anID))...); !errors.Is(err, assent.ErrNothingPending) {
			t.Errorf("%v", err)
		}
	})
	t.Run("hooks are on the result", func(t *testing.T) {
		ended := 0
		options := with(prepare(t, "turns: [{say: Hi.}]\n"), assent.On("", func(context.Context, hook.StopInput, hook.Invocation) (hook.Output, error) { return hook.Output{}, nil }),
			assent.On("", func(_ context.Context, in hook.SessionEndInput, _ hook.Invocation) (hook.Output, error) {
				if in.SessionID == anID {
					ended++
				}
				return hook.Output{}, nil
			}), assent.SessionID(anID))
		result, err := assent.Run(t.Context(), "go", options...)
		if err != nil || len(result.Hooks) != 1 || result.Hooks[0].HookEvent != "Stop" || ended != 1 {
			t.Errorf("%+v, %v, %d", result, err, ended)
		}
	})
	t.Run("a hook that takes too long", func(t *testing.T) {
		options := prepare(t, "turns:\n  - call: {Bash: {command: touch made}}\n  - {expect: did not answer, say: Done.}\n")
		entry := hook.Entry{Event: hook.PreToolUse, Timeout: time.Millisecond, Handler: hook.Function{Label: "slow", Func: func(ctx context.Context, _ hook.Invocation) (hook.Output, error) {
			<-ctx.Done()
			return hook.Allow(), nil
		}}}
		if result, err := assent.Run(t.Context(), "go", with(options, assent.Hooks(entry))...); err != nil || result.Text != "Done." || len(result.Denials) != 1 {
			t.Errorf("%+v, %v", result, err)
		}
	})
}
