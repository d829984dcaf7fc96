package assent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// pairedLeg is one client of a session, and what it is asked to do.
type pairedLeg struct {
	prompts []string // "go" unless given
	options []assent.Option
	// body is the body of the loop.
	body func(t *testing.T, c *assent.Client, m assent.Message)
}

// paired is a session that must look the same in this process and through the program.
type paired struct {
	script string
	legs   []pairedLeg
	// made are files that exist afterwards, and notMade ones that do not.
	made, notMade []string
	// has are texts that the messages hold, so that two failures are not taken for parity.
	has []string
	// kept are texts that the record of the session holds: what the model was told.
	kept []string
}

type greeted struct {
	Name string `json:"name"`
}

func greeterTool(t *testing.T) assent.Option {
	t.Helper()
	tool, err := assent.NewTool("hello", "greets", func(_ context.Context, in greeted) (string, error) { return "hello " + in.Name, nil })
	if err != nil {
		t.Fatal(err)
	}
	return assent.Serve("desk", tool)
}

func answering(f func(call assent.ToolCall) (assent.Answer, error)) assent.Option {
	return assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) { return f(call) })
}

func bashHook(output hook.Output, err error) assent.Option {
	return assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) { return output, err })
}

const (
	makesAFile = "turns:\n  - {say: I make it., call: {Bash: {command: touch made}}}\n  - say: Done.\n"
	pairedID   = "3b241101-e2bb-4255-8caf-4136c566a962"
)

// changesItsMind is a hook that allows commands when one has waited.
func changesItsMind(waited *atomic.Bool) assent.Option {
	return assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		if waited.Load() {
			return hook.Allow(), nil
		}
		return hook.Defer("wait"), nil
	})
}

// approves lets somebody approve what waits, as soon as a result says so.
func approves(t *testing.T, c *assent.Client, m assent.Message) {
	r, ok := m.(*assent.Result)
	if !ok || r.IsError || len(r.Deferred) == 0 {
		return
	}
	store, err := approval.Open(os.Getenv("ASSENT_HOME"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ticket, err := store.OfCall(t.Context(), c.SessionID(), r.Deferred[0].ToolUseID)
	if err != nil || ticket == nil {
		t.Fatal(ticket, err)
	}
	if _, err := store.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil); err != nil {
		t.Error(err)
	}
}

func alone(options ...assent.Option) []pairedLeg { return []pairedLeg{{options: options}} }

func pairedSessions(t *testing.T) map[string]paired {
	whenCalled := func(do func(t *testing.T, c *assent.Client)) func(*testing.T, *assent.Client, assent.Message) {
		return func(t *testing.T, c *assent.Client, m assent.Message) {
			if said, ok := m.(*assent.Assistant); ok && said.Call() != nil {
				do(t, c)
			}
		}
	}
	var waited atomic.Bool
	yes := answering(func(assent.ToolCall) (assent.Answer, error) { return assent.Yes(), nil })
	return map[string]paired{
		"an allowed tool": {script: makesAFile, legs: alone(assent.Allow("Bash(touch:*)")), made: []string{"made"}, has: []string{"Done.", "(no output)"}},
		"two prompts": {
			script: "turns:\n  - say: One.\n  - say: Two.\n", legs: []pairedLeg{{prompts: []string{"first", "second"}}}, has: []string{"One.", "Two."},
		},
		"denied by a rule":    {script: makesAFile, legs: alone(yes, assent.Deny("Bash(touch:*)")), notMade: []string{"made"}, has: []string{"permission_denials\":[{"}},
		"an ask rule":         {script: makesAFile, legs: alone(assent.Allow("Bash(touch:*)"), assent.Ask("Bash(touch:*)")), notMade: []string{"made"}, has: []string{"permission_denials\":[{"}},
		"nobody can be asked": {script: makesAFile, legs: alone(), notMade: []string{"made"}, has: []string{"permission_denials\":[{"}},
		"CanUseTool allows":   {script: makesAFile, legs: alone(yes), made: []string{"made"}},
		"CanUseTool denies":   {script: makesAFile, legs: alone(always(assent.No("use the button"))), notMade: []string{"made"}, has: []string{"use the button"}},
		"CanUseTool stops":    {script: makesAFile, legs: alone(always(assent.NoAndStop("stop it"))), notMade: []string{"made"}, has: []string{"error_during_execution"}},
		"CanUseTool fails":    {script: makesAFile, legs: alone(answering(func(assent.ToolCall) (assent.Answer, error) { return assent.Yes(), os.ErrClosed })), notMade: []string{"made"}, has: []string{"could not decide"}},
		"CanUseTool panics":   {script: makesAFile, legs: alone(answering(func(assent.ToolCall) (assent.Answer, error) { panic("oh") })), notMade: []string{"made"}, has: []string{"panicked: oh"}},
		"CanUseTool changes it": {script: makesAFile, legs: alone(answering(func(assent.ToolCall) (assent.Answer, error) {
			return assent.YesWith(map[string]string{"command": "touch other"})
		})), made: []string{"other"}, notMade: []string{"made"}},
		"CanUseTool always": {
			script: "turns:\n  - call: {Bash: {command: touch made}}\n  - call: {Bash: {command: touch made}}\n  - say: Done.\n", made: []string{"made"},
			legs: alone(answering(func(call assent.ToolCall) (assent.Answer, error) { return assent.YesAlways(call.Suggestions...), nil })),
		},
		"CanUseTool never": {
			script: "turns:\n  - call: {Bash: {command: touch made}}\n  - call: {Bash: {command: touch made}}\n  - say: Done.\n", notMade: []string{"made"},
			legs: alone(answering(func(assent.ToolCall) (assent.Answer, error) { return assent.NoAlways("not here", denyTouch), nil })), has: []string{"not here", "rule Bash(touch:*)"},
		},
		"CanUseTool changes it to nothing": {script: makesAFile, notMade: []string{"made"}, has: []string{"no JSON object"}, legs: alone(answering(func(assent.ToolCall) (assent.Answer, error) {
			return assent.YesWith(nil)
		}))},
		"a prompt that is blank": {script: "turns:\n  - say: Done.\n", legs: []pairedLeg{{prompts: []string{" ", "go"}}}, has: []string{"the prompt is blank", "Done."}},
		"odd bytes":              {script: makesAFile, legs: []pairedLeg{{prompts: []string{"\xff", "go"}, options: []assent.Option{always(assent.No("not \xff this"))}}}, notMade: []string{"made"}, has: []string{"not valid UTF-8", "not \uFFFD this", "Done."}},
		"what CanUseTool is told": {script: makesAFile, notMade: []string{"made"}, has: []string{"Bash"}, legs: alone(answering(func(call assent.ToolCall) (assent.Answer, error) {
			return assent.No(strings.Join([]string{call.ToolName, string(call.ToolInput), call.AgentID, call.Reason, call.BlockedPath}, "|")), nil
		}))},
		"a hook denies":         {script: makesAFile, legs: alone(yes, bashHook(hook.Deny("use the job"), nil)), notMade: []string{"made"}, has: []string{"use the job"}},
		"a hook fails":          {script: makesAFile, legs: alone(yes, bashHook(hook.Allow(), os.ErrClosed)), notMade: []string{"made"}, has: []string{"hook broken"}},
		"a hook allows another": {script: makesAFile, legs: alone(bashHook(hook.AllowWith(map[string]string{"command": "touch other"}))), made: []string{"other"}, notMade: []string{"made"}},
		"a hook asks":           {script: makesAFile, legs: alone(yes, assent.Allow("Bash"), bashHook(hook.Ask("look at it"), nil)), made: []string{"made"}},
		"a hook asks nobody":    {script: makesAFile, legs: alone(assent.Allow("Bash"), bashHook(hook.Ask("look at it"), nil)), notMade: []string{"made"}, has: []string{"look at it"}},
		"a hook gives context":  {script: "turns:\n  - call: {Bash: {command: ls}}\n  - say: Done.\n", legs: alone(bashHook(hook.Context("by the way"), nil)), kept: []string{"by the way"}},
		"a hook stops it":       {script: makesAFile, legs: alone(yes, bashHook(hook.Halt("enough"), nil)), notMade: []string{"made"}, has: []string{"enough"}},
		"hooks after a tool": {script: "turns:\n  - call: {Bash: {command: echo secret}}\n  - {expect: replaced, say: Done.}\n", legs: alone(assent.On("Bash", func(context.Context, hook.PostToolUseInput, hook.Invocation) (hook.Output, error) {
			return hook.ReplaceResult("replaced")
		})), has: []string{"Done."}},
		"a hook keeps it going": {script: "turns:\n  - say: One.\n  - say: Two.\n", legs: alone(assent.On("", func(_ context.Context, in hook.StopInput, _ hook.Invocation) (hook.Output, error) {
			if in.StopHookActive {
				return hook.Output{}, nil
			}
			return hook.Block("go on"), nil
		})), has: []string{"Two.", "go on"}},
		"a hook blocks a prompt": {script: makesAFile, legs: alone(assent.On("", func(context.Context, hook.UserPromptSubmitInput, hook.Invocation) (hook.Output, error) {
			return hook.Block("not that"), nil
		})), notMade: []string{"made"}, has: []string{"not that"}},
		"a hook at the start": {script: "turns:\n  - say: Done.\n", legs: alone(assent.On("", func(context.Context, hook.SessionStartInput, hook.Invocation) (hook.Output, error) {
			return hook.Message("welcome"), nil
		})), has: []string{"welcome"}},
		"a hook answers": {script: makesAFile, legs: alone(assent.On("", func(context.Context, hook.PermissionRequestInput, hook.Invocation) (hook.Output, error) {
			return hook.AnswerAllow(), nil
		})), made: []string{"made"}},
		"a hook answers for ever": {
			script: "turns:\n  - call: {Bash: {command: touch made}}\n  - call: {Bash: {command: touch made}}\n  - say: Done.\n", notMade: []string{"made"},
			legs: alone(assent.On("", func(context.Context, hook.PermissionRequestInput, hook.Invocation) (hook.Output, error) {
				never, err := strictjson.Marshal([]permission.Update{denyTouch})
				out := hook.AnswerDeny("not here")
				out.Specific.Decision.UpdatedPermissions = never
				return out, err
			})), has: []string{"not here", "rule Bash(touch:*)"},
		},
		"two hooks change one input": {script: "turns:\n  - call: {Bash: {command: touch made, description: x}}\n  - say: Done.\n", made: []string{"other"}, notMade: []string{"made"}, legs: alone(
			bashHook(hook.AllowWith(map[string]string{"command": "touch other"})), bashHook(hook.AllowWith(map[string]any{"description": nil})),
		)},
		"a command is a hook":                {script: makesAFile, notMade: []string{"made"}, has: []string{"not today"}, legs: alone(yes, assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: hook.Command{Line: "echo not today >&2; exit 2"}}))},
		"a tool of one's own":                {script: "turns:\n  - call: {mcp__desk__hello: {name: Ada}}\n  - call: {mcp__desk__hello: {nome: Ada}}\n  - {say: Done.}\n", legs: alone(greeterTool(t), assent.Allow("mcp__desk")), has: []string{"hello Ada", "mcp__desk__hello"}},
		"a tool of one's own is asked about": {script: "turns:\n  - call: {mcp__desk__hello: {name: Ada}}\n  - {say: Done.}\n", legs: alone(greeterTool(t)), has: []string{"permission_denials\":[{"}},
		"AskUserQuestion": {
			script: "turns:\n  - call: {AskUserQuestion: {questions: [{question: \"Which one?\", header: One, multiSelect: false, options: [{label: A, description: a}, {label: B, description: b}]}]}}\n  - {expect: B, say: Done.}\n",
			legs: alone(answering(func(call assent.ToolCall) (assent.Answer, error) {
				return assent.Answers(call, map[string]string{"Which one?": "B"})
			})), has: []string{"Done.", "Which one?"},
		},
		"interrupted from inside": {script: makesAFile, notMade: []string{"made"}, has: []string{"error_during_execution", "interrupted"}, legs: []pairedLeg{{
			options: []assent.Option{yes},
			body: whenCalled(func(t *testing.T, c *assent.Client) {
				if err := c.Interrupt(t.Context()); err != nil {
					t.Error(err)
				}
			}),
		}}},
		"a mode from inside": {script: "turns:\n  - call: {Edit: {file_path: file, old_string: a, new_string: b}}\n  - say: Done.\n", has: []string{"plan"}, legs: []pairedLeg{{
			options: []assent.Option{yes},
			body: whenCalled(func(t *testing.T, c *assent.Client) {
				if err := c.SetPermissionMode(t.Context(), permission.Plan); err != nil {
					t.Error(err)
				}
			}),
		}}},
		"deferred and resumed": {script: makesAFile, made: []string{"made"}, has: []string{"tool_deferred", "Done."}, legs: []pairedLeg{
			{options: []assent.Option{assent.SessionID(pairedID), bashHook(hook.Defer("wait"), nil)}},
			{options: []assent.Option{assent.Resume(pairedID), bashHook(hook.Allow(), nil)}, prompts: []string{"and now?"}},
		}},
		"deferred and denied": {script: makesAFile, notMade: []string{"made"}, has: []string{"tool_deferred"}, legs: []pairedLeg{
			{options: []assent.Option{assent.SessionID(pairedID), bashHook(hook.Defer("wait"), nil)}},
			{options: []assent.Option{assent.Resume(pairedID), bashHook(hook.Deny("never"), nil)}, prompts: []string{"and now?"}},
		}},
		"a prompt in place of a call": {script: makesAFile, notMade: []string{"made"}, has: []string{"tool_deferred", "Done."}, kept: []string{"Not run"}, legs: []pairedLeg{
			{prompts: []string{"go", "and now?"}, options: []assent.Option{changesItsMind(&waited)}, body: func(_ *testing.T, _ *assent.Client, m assent.Message) {
				if r, ok := m.(*assent.Result); ok {
					waited.Store(len(r.Deferred) > 0)
				}
			}},
		}},
		"approved meanwhile": {script: makesAFile + "  - say: And that.\n", made: []string{"made"}, has: []string{"tool_deferred", "Done.", "And that."}, legs: []pairedLeg{
			{prompts: []string{"go", "and now?"}, options: []assent.Option{bashHook(hook.Defer("wait"), nil)}, body: approves},
		}},
		"approved and kept from running": {script: makesAFile, notMade: []string{"made"}, has: []string{"its answer still holds", "the prompt was not worked off"}, legs: []pairedLeg{
			{options: []assent.Option{assent.SessionID(pairedID), bashHook(hook.Defer("wait"), nil)}, body: approves},
			{prompts: []string{"and now?", "and then?"}, options: []assent.Option{assent.Resume(pairedID), assent.PermissionMode(permission.Plan)}},
		}},
		"a batch is deferred": {script: "turns:\n  - calls: [{Bash: {command: touch made}}, {Bash: {command: touch other}}]\n  - say: Done.\n", notMade: []string{"made", "other"}, has: []string{"deferred_tool_uses"}, legs: alone(assent.DeferBatch(), bashHook(hook.Defer("wait"), nil))},
		"resumed": {script: "turns:\n  - say: One.\n  - say: Two.\n", has: []string{"One.", "Done."}, legs: []pairedLeg{
			{options: []assent.Option{assent.SessionID(pairedID)}},
			{options: []assent.Option{assent.Resume(pairedID)}},
		}},
		"continued":      {script: "turns:\n  - say: One.\n", has: []string{"One.", "Done."}, legs: []pairedLeg{{}, {options: []assent.Option{assent.Continue(), assent.Fork()}}}},
		"too many turns": {script: "turns:\n  - call: {Bash: {command: ls}}\n  - call: {Bash: {command: ls}}\n  - say: Done.\n", legs: alone(assent.MaxTurns(1)), has: []string{"error_max_turns"}},
		"a sub-agent": {
			script: "turns:\n  - call: {Task: {description: d, prompt: look, subagent_type: general-purpose}}\n  - call: {Bash: {command: touch made}}\n  - say: I have looked.\n  - say: Done.\n",
			legs: alone(answering(func(call assent.ToolCall) (assent.Answer, error) {
				if call.AgentID == "" {
					return assent.No("nobody"), nil
				}
				return assent.Yes(), nil
			})), made: []string{"made"}, has: []string{"I have looked.", "Done.", "parent_tool_use_id\":\"toolu"},
		},
		"an agent of one's own": {
			script: "turns:\n  - call: {Task: {description: d, prompt: look, subagent_type: looker}}\n  - say: I have looked.\n  - say: Done.\n",
			legs:   alone(assent.Agents(`{"looker":{"description":"looks","prompt":"Look."}}`)), has: []string{"looker", "I have looked."},
		},
		"few tools":      {script: "turns:\n  - call: {Bash: {command: ls}}\n  - say: Done.\n", legs: alone(assent.Tools("Read", "Glob")), has: []string{`"tools":["Read","Glob"]`}},
		"no tools":       {script: "turns:\n  - say: Done.\n", legs: alone(assent.Tools()), has: []string{`"tools":[]`}},
		"settings":       {script: makesAFile, notMade: []string{"made"}, legs: alone(assent.Settings(`{"permissions":{"deny":["Bash(touch:*)"]}}`), assent.Ask("Bash(ls)"), yes), has: []string{"permission_denials\":[{"}},
		"a mode":         {script: makesAFile, made: []string{"made"}, legs: alone(assent.PermissionMode(permission.BypassPermissions)), has: []string{"bypassPermissions"}},
		"in pieces":      {script: "turns:\n  - say: Done.\n", legs: alone(assent.Partial()), has: []string{"stream_event"}},
		"the model errs": {script: "turns:\n  - error: {status: 400, message: no}\n", legs: alone(), has: []string{`"is_error":true`}},
		"instructions":   {script: "turns:\n  - say: Done.\n", legs: alone(assent.SystemPrompt("- be brief"), assent.AppendSystemPrompt("--and kind"), assent.AddDirs(t.TempDir())), has: []string{"Done."}},
		"forgotten":      {script: "turns:\n  - say: Done.\n", legs: alone(assent.Forget()), has: []string{"Done."}},
	}
}

// play works all legs of a session off and returns the messages as text.
func (s paired) play(t *testing.T, more ...assent.Option) string {
	t.Helper()
	before := goleak.IgnoreCurrent()
	defer goleak.VerifyNone(t, before)
	dir, home := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("ASSENT_HOME", filepath.Join(home, "state"))
	var told strings.Builder
	turns := s.script
	for i, l := range s.legs {
		script := filepath.Join(home, "script.yaml")
		if i > 0 {
			turns = "turns: [{say: Done.}]\nafterwards: Two.\n"
		}
		if err := os.WriteFile(script, []byte(turns), 0o600); err != nil {
			t.Fatal(err)
		}
		options := append([]assent.Option{assent.Dir(dir), assent.Model("script:" + script)}, l.options...)
		client, err := assent.Open(t.Context(), append(options, more...)...)
		if err != nil {
			t.Fatal(err)
		}
		if l.prompts == nil {
			l.prompts = []string{"go"}
		}
		for _, prompt := range l.prompts {
			for m, err := range client.Query(t.Context(), prompt) {
				if err != nil {
					told.WriteString("error: " + err.Error() + "\n")
					continue
				}
				told.WriteString(pairedLine(t, m) + "\n")
				if l.body != nil {
					l.body(t, client, m)
				}
			}
		}
		if client.SessionID() == "" {
			t.Error("the session has no id")
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range s.made {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range s.notMade {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	for _, text := range s.kept {
		if err := exec.Command("grep", "-rqF", text, filepath.Join(home, "state")).Run(); err != nil {
			t.Errorf("%q is not on record: %v", text, err)
		}
	}
	return neutrally(told.String(), dir, home)
}

// difference shows the first line that differs.
func difference(here, there string) string {
	a, b := strings.Split(here, "\n"), strings.Split(there, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return "in this process\n" + a[i] + "\nthrough the program\n" + strings.Join(b[min(i, len(b)):], "\n")
		}
	}
	return "through the program there is more\n" + strings.Join(b[len(a)-1:], "\n")
}

// pairedLine is a message without what differs from one time to the next.
func pairedLine(t *testing.T, m assent.Message) string {
	t.Helper()
	switch m := m.(type) {
	case *assent.Result:
		copied := *m
		copied.DurationMS, copied.DurationAPIMS = 0, 0
		return asLine(t, &copied)
	case *assent.Init:
		copied := *m
		copied.Version = ""
		return asLine(t, &copied)
	}
	return asLine(t, m)
}

func asLine(t *testing.T, m assent.Message) string {
	t.Helper()
	text, err := wire.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	pairedStamps  = regexp.MustCompile(`"(session_id|uuid|timestamp|agentId)":"[^"]*"`)
	pairedNumbers = regexp.MustCompile(`\b(toolu|msg)_[0-9A-Za-z]+`)
	pairedTimes   = regexp.MustCompile(`"totalDurationMs":[0-9]+`)
)

// neutrally replaces what differs: names of directories, ids by the order of their coming.
func neutrally(text, dir, home string) string {
	text = strings.NewReplacer(dir, "DIR", home, "HOME").Replace(text)
	text = pairedStamps.ReplaceAllString(text, `"$1":""`)
	text = pairedTimes.ReplaceAllString(text, `"totalDurationMs":0`)
	// There is no flag for ask rules: a program gets them as settings.
	text = strings.ReplaceAll(text, "(--settings:1)", "(cliArg)")
	// A program speaks of its command line, and this one of options.
	text = strings.ReplaceAll(text, "as the command line says", "as assent.PermissionMode says")
	seen := map[string]string{}
	return pairedNumbers.ReplaceAllStringFunc(text, func(id string) string {
		if seen[id] == "" {
			kind, _, _ := strings.Cut(id, "_")
			seen[id] = kind + "_" + string(rune('A'+len(seen)))
		}
		return seen[id]
	})
}

// TestK1_ExternalParity: a session through the assent binary looks like one in this
// process.
func TestK1_ExternalParity(t *testing.T) {
	assentPath := buildAssent(t)
	for name, s := range pairedSessions(t) {
		t.Run(name, func(t *testing.T) {
			here := s.play(t)
			for _, text := range s.has {
				if !strings.Contains(here, text) {
					t.Errorf("%q is not in\n%s", text, here)
				}
			}
			if there := s.play(t, assent.External(assentPath)); there != here {
				t.Error(difference(here, there))
			}
		})
	}
}
