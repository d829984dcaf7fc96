package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

var refundExample = filepath.Join("..", "..", "examples", "refund-limit")

// The example's shell scripts, run by the runtime with their own settings.
func TestH12_RefundLimitCommands(t *testing.T) {
	settings, err := os.ReadFile(filepath.Join(refundExample, ".claude", "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	runRefundCases(t, string(settings))
}

// The example's HTTP server. It is a program of its own, so it is built here.
func TestH12_RefundLimitServer(t *testing.T) {
	settings, err := os.ReadFile(filepath.Join(refundExample, "settings.http.json"))
	if err != nil {
		t.Fatal(err)
	}
	const configured = "http://127.0.0.1:8787/hooks"
	if strings.Count(string(settings), configured) != 2 {
		t.Fatalf("the settings do not name %s twice", configured)
	}
	runRefundCases(t, strings.ReplaceAll(string(settings), configured, startRefundServer(t)))
}

// startRefundServer builds and starts the server and returns its address.
func startRefundServer(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "refund-limit")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	build.Dir = filepath.Join(refundExample, "server")
	build.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := exec.Command(program, "-listen", "127.0.0.1:0")
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// refundCase is a session: customers are looked up, then a refund is tried.
type refundCase struct {
	Name, Tool string
	Lookups    []json.RawMessage
	Refund     json.RawMessage
	Denied     string // a part of the reason; empty when nothing speaks against it
}

func runRefundCases(t *testing.T, settings string) {
	text, err := os.ReadFile(filepath.Join(refundExample, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []refundCase
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 20 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	var file struct {
		Hooks strictjson.Raw `json:"hooks"`
	}
	if err := strictjson.UnmarshalKnown([]byte(settings), &file); err != nil {
		t.Fatal(err)
	}
	entries, reports := hook.Parse(rule.ProjectSettings, "settings.json", 1, file.Hooks)
	if len(entries) != 2 || len(reports) > 0 {
		t.Fatalf("%d hooks, %v", len(entries), reports)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { c.run(t, entries) })
	}
}

func (c refundCase) run(t *testing.T, entries []hook.Entry) {
	state, err := hook.OpenState(filepath.Join(t.TempDir(), "session", "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	runner := hook.NewRunner(hook.Config{Entries: entries, Dir: refundExample, State: state, Env: []string{"GORACE=" + noSleep}})
	t.Cleanup(func() { runner.Close(context.Background()) })
	for _, customer := range c.Lookups {
		response, err := json.Marshal([]map[string]any{{"type": "text", "text": string(customer)}})
		if err != nil {
			t.Fatal(err)
		}
		v := runner.Run(t.Context(), hook.Occasion{Input: hook.PostToolUseInput{
			ToolName: "mcp__crm__get_customer", ToolInput: []byte(`{}`), ToolResponse: response,
		}})
		if len(v.Runs) != 1 || v.Runs[0].Outcome != hook.Okay {
			t.Fatalf("the lookup: %+v", v.Runs)
		}
	}
	tool := c.Tool
	if tool == "" {
		tool = "mcp__payments__process_refund"
	}
	v := runner.Run(t.Context(), hook.Occasion{Input: hook.PreToolUseInput{ToolName: tool, ToolInput: []byte(c.Refund)}})
	reason := strings.Join(v.Denials, "\n")
	switch denied := v.Permission.Behavior == permission.Deny; {
	case v.Permission.Broken:
		t.Errorf("broken: %s", reason)
	case denied != (c.Denied != ""):
		t.Errorf("denied: %v: %s", denied, reason)
	case denied && (!strings.Contains(reason, c.Denied) || !strings.Contains(reason, "escalate_to_human")):
		t.Errorf("the reason is %q, want %q", reason, c.Denied)
	case !denied && v.Permission.Behavior != permission.Pass && v.Permission.Behavior != 0:
		t.Errorf("the hook has an opinion: %v", v.Permission.Behavior)
	}
}

// A state that is damaged or gone stops refunds, in both forms, as a fault and not as
// a decision.
func TestH12_RefundNeedsItsState(t *testing.T) {
	settings, err := os.ReadFile(filepath.Join(refundExample, ".claude", "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	http, err := os.ReadFile(filepath.Join(refundExample, "settings.http.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{settings, http} {
		for _, damage := range []func(string) error{
			os.Remove,
			func(path string) error { return os.WriteFile(path, []byte(`{"tenure/\"c-1\"": "vi`), 0o600) },
		} {
			var file struct {
				Hooks strictjson.Raw `json:"hooks"`
			}
			if err := strictjson.UnmarshalKnown(text, &file); err != nil {
				t.Fatal(err)
			}
			entries, _ := hook.Parse(rule.ProjectSettings, "settings.json", 1, file.Hooks)
			state, err := hook.OpenState(filepath.Join(t.TempDir(), "state.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(state.Address()); err != nil {
				t.Fatal(err)
			}
			runner := hook.NewRunner(hook.Config{Entries: entries, Dir: refundExample, State: state, Env: []string{"GORACE=" + noSleep}})
			v := runner.Run(t.Context(), hook.Occasion{Input: hook.PreToolUseInput{
				ToolName: "process_refund", ToolInput: []byte(`{"customer_id": "c-1", "amount": 1}`),
			}})
			if v.Permission.Behavior != permission.Deny || !v.Permission.Broken || !strings.Contains(strings.Join(v.Denials, "\n"), "session") {
				t.Errorf("%v: %q", v.Permission.Behavior, v.Denials)
			}
			runner.Close(context.Background())
		}
	}
}

// Tools of the scripts that are not there make them broken; they say nothing about
// the refund.
func TestH12_RefundNeedsItsTools(t *testing.T) {
	for _, missing := range []string{"assent", "awk", "cat"} {
		tools := t.TempDir()
		for _, name := range []string{"assent", "awk", "cat"} {
			real, err := exec.LookPath(name)
			if err != nil {
				t.Fatal(err)
			}
			if name == missing {
				continue
			}
			if err := os.Symlink(real, filepath.Join(tools, name)); err != nil {
				t.Fatal(err)
			}
		}
		state, err := hook.OpenState(filepath.Join(t.TempDir(), "state.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := state.Merge([]byte(`{"tenure/\"c-1\"": "vip"}`)); err != nil {
			t.Fatal(err)
		}
		command, err := hook.ShellCommand("./hooks/limit-refund.sh")
		if err != nil {
			t.Fatal(err)
		}
		runner := hook.NewRunner(hook.Config{
			Entries: []hook.Entry{{Event: hook.PreToolUse, Handler: command}},
			Dir:     refundExample, State: state, Env: []string{"GORACE=" + noSleep, "PATH=" + tools},
		})
		v := runner.Run(t.Context(), hook.Occasion{Input: hook.PreToolUseInput{
			ToolName: "process_refund", ToolInput: []byte(`{"customer_id": "c-1", "amount": 1}`),
		}})
		if reason := strings.Join(v.Denials, "\n"); !v.Permission.Broken || strings.Contains(reason, "Refund denied") {
			t.Errorf("without %s: %+v, %q", missing, v.Permission, reason)
		}
		runner.Close(context.Background())
	}
}
