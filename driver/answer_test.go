package driver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/driver"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// asked is what a program is answered when it asks something.
func asked(t *testing.T, o driver.Options, r *told, question string) string {
	t.Helper()
	d := start(t, o)
	if err := d.Prompt(t.Context(), "ask "+question); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.results()[0]
}

func success(body string) string {
	return `{"subtype":"success","request_id":"q1","response":` + body + `}`
}

func TestK3_CanUseToolAnswers(t *testing.T) {
	const question = `{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1","agent_id":"a1","decision_reason":"why","blocked_path":"/x","title":"of others",
"permission_suggestions":[{"type":"addRules","behavior":"allow","destination":"session","rules":[{"toolName":"Bash","ruleContent":"ls"}]},{"type":"of others"}]}`
	yes := permission.Answer{Behavior: permission.Allow}
	for name, tt := range map[string]struct {
		answer func(ctx context.Context, q driver.Question) (permission.Answer, error)
		want   string
	}{
		"yes repeats the input": {func(context.Context, driver.Question) (permission.Answer, error) { return yes, nil }, success(`{"behavior":"allow","updatedInput":{"command":"ls"}}`)},
		"another input": {func(context.Context, driver.Question) (permission.Answer, error) {
			return permission.Answer{Behavior: permission.Allow, UpdatedInput: []byte(`{"command":"pwd"}`)}, nil
		}, success(`{"behavior":"allow","updatedInput":{"command":"pwd"}}`)},
		"always": {func(_ context.Context, q driver.Question) (permission.Answer, error) {
			return permission.Answer{Behavior: permission.Allow, Updates: q.Suggestions}, nil
		}, success(`{"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"behavior":"allow","destination":"session"}]}`)},
		"no": {func(_ context.Context, q driver.Question) (permission.Answer, error) {
			return permission.Answer{Behavior: permission.Deny, Message: strings.Join([]string{q.ToolName, string(q.ToolInput), q.ToolUseID, q.AgentID, q.Reason, q.BlockedPath}, " "), Interrupt: true}, nil
		}, success(`{"behavior":"deny","message":"Bash {\"command\":\"ls\"} t1 a1 why /x","interrupt":true}`)},
		"no, and never again": {func(_ context.Context, q driver.Question) (permission.Answer, error) {
			never := q.Suggestions[0]
			never.Behavior = rule.Deny
			return permission.Answer{Behavior: permission.Deny, Message: "no", Updates: []permission.Update{never}}, nil
		}, success(`{"behavior":"deny","message":"no","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"behavior":"deny","destination":"session"}]}`)},
		"null is no input": {func(context.Context, driver.Question) (permission.Answer, error) {
			return permission.Answer{Behavior: permission.Allow, UpdatedInput: []byte(" null")}, nil
		}, `{"subtype":"error","request_id":"q1","error":"the input of the answer is no JSON object"}`},
		"nothing is no input": {func(context.Context, driver.Question) (permission.Answer, error) {
			return permission.Answer{Behavior: permission.Allow, UpdatedInput: []byte{}}, nil
		}, `{"subtype":"error","request_id":"q1","error":"the input of the answer is no JSON object"}`},
		"an error":    {func(context.Context, driver.Question) (permission.Answer, error) { return yes, errors.New("no idea") }, `{"subtype":"error","request_id":"q1","error":"no idea"}`},
		"a panic":     {func(context.Context, driver.Question) (permission.Answer, error) { panic("oh") }, `{"subtype":"error","request_id":"q1","error":"the host panicked: oh"}`},
		"no decision": {func(context.Context, driver.Question) (permission.Answer, error) { return permission.Answer{}, nil }, `{"subtype":"error","request_id":"q1","error":"the answer is neither yes nor no"}`},
		"no JSON": {func(context.Context, driver.Question) (permission.Answer, error) {
			return permission.Answer{Behavior: permission.Allow, UpdatedInput: []byte(`{"a":1,"a":2}`)}, nil
		}, `{"subtype":"error","request_id":"q1","error":"the answer cannot be written`},
		"nobody": {nil, `{"subtype":"error","request_id":"q1","error":"nobody here answers questions"}`},
	} {
		t.Run(name, func(t *testing.T) {
			o, r := options(t, "well")
			o.CanUseTool = tt.answer
			if got := asked(t, o, r, strings.ReplaceAll(question, "\n", "")); !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

// function is a hook that is a function.
func function(event hook.Event, matcher string, f hook.Func) hook.Entry {
	m, err := hook.ParseMatcher(matcher)
	return hook.Entry{Event: event, Matcher: m, RestrictOnly: err != nil, Handler: hook.Function{Label: "check", Func: f}}
}

func says(out hook.Output, err error) hook.Func {
	return func(context.Context, hook.Invocation) (hook.Output, error) { return out, err }
}

func command(line string) hook.Handler { return hook.Command{Line: line} }

const (
	preToolUse = `{"subtype":"hook_callback","callback_id":"hook_0","tool_use_id":"t1","input":{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/t","cwd":"/","tool_name":"Bash","tool_input":{"command":"git push","timeout":5},"effort":"high"}}`
	stop       = `{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"Stop","session_id":"s","transcript_path":"/t","cwd":"/","stop_hook_active":false}}`
	asksPerson = `{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"PermissionRequest","session_id":"s","transcript_path":"/t","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}}`
)

func TestK2_HookAnswers(t *testing.T) {
	pre := func(inner string) string {
		return success(`{"hookSpecificOutput":{"hookEventName":"PreToolUse",` + inner + `}}`)
	}
	changed, err := hook.AllowWith(map[string]any{"command": "git push --dry-run", "timeout": nil})
	if err != nil {
		t.Fatal(err)
	}
	waits := func(ctx context.Context, _ hook.Invocation) (hook.Output, error) {
		<-ctx.Done()
		return hook.Allow(), ctx.Err()
	}
	condition := func(text string) *hook.Condition {
		c, err := hook.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	with := func(e hook.Entry, change func(*hook.Entry)) hook.Entry {
		change(&e)
		return e
	}
	for name, tt := range map[string]struct {
		entry    hook.Entry
		question string
		want     string
	}{
		"no opinion":           {function(hook.PreToolUse, "", says(hook.Output{}, nil)), preToolUse, success(`{}`)},
		"deny":                 {function(hook.PreToolUse, "Bash", says(hook.Deny("use the job"), nil)), preToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"use the job"`)},
		"defer":                {function(hook.PreToolUse, "Bash", says(hook.Defer("wait"), nil)), preToolUse, pre(`"permissionDecision":"defer","permissionDecisionReason":"wait"`)},
		"another tool":         {function(hook.PreToolUse, "^Wri.*", says(hook.Deny("no"), nil)), preToolUse, success(`{}`)},
		"changed for others":   {function(hook.PreToolUse, "Bash", says(changed, nil)), preToolUse, pre(`"permissionDecision":"allow","permissionDecisionReason":"hook function check says allow","updatedInput":{"command":"git push --dry-run"}`)},
		"changed for assent":   {function(hook.PreToolUse, "Bash", says(changed, nil)), "as assent " + preToolUse, `{"subtype":"success","request_id":"assent_1","response":{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"hook function check says allow","updatedInput":{"command":"git push --dry-run","timeout":null}}}}`},
		"context":              {function(hook.PreToolUse, "", says(hook.Context("by the way"), nil)), preToolUse, pre(`"additionalContext":"by the way"`)},
		"an error denies":      {function(hook.PreToolUse, "", says(hook.Allow(), errors.New("no database"))), preToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"hook broken: function check: no database"`)},
		"a panic denies":       {function(hook.PreToolUse, "", func(context.Context, hook.Invocation) (hook.Output, error) { panic("oh") }), preToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"hook broken: function check: panic: oh`)},
		"a timeout denies":     {with(function(hook.PreToolUse, "", waits), func(e *hook.Entry) { e.Timeout = time.Millisecond }), preToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"hook broken: function check: it did not answer within`)},
		"a failure goes on":    {with(function(hook.PreToolUse, "", says(hook.Allow(), errors.New("no"))), func(e *hook.Entry) { e.OnFailure = hook.FailOpen }), preToolUse, success(`{"systemMessage":"hook broken: function check: no; the work goes on"}`)},
		"a broken matcher":     {function(hook.PreToolUse, "[", says(hook.Deny("no"), nil)), preToolUse, pre(`"permissionDecision":"deny"`)},
		"allow by a broken":    {function(hook.PreToolUse, "[", says(hook.Allow(), nil)), preToolUse, success(`{}`)},
		"a condition":          {with(function(hook.PreToolUse, "", says(hook.Deny("no"), nil)), func(e *hook.Entry) { e.If = condition("Bash(ls:*)") }), preToolUse, success(`{}`)},
		"a condition met":      {with(function(hook.PreToolUse, "", says(hook.Deny("no"), nil)), func(e *hook.Entry) { e.If = condition("Bash(git push:*)") }), preToolUse, pre(`"permissionDecision":"deny"`)},
		"a command":            {hook.Entry{Event: hook.PreToolUse, Handler: command("echo not today >&2; exit 2")}, preToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"not today"`)},
		"a command that fails": {hook.Entry{Event: hook.PreToolUse, Handler: command("exit 3")}, preToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"hook broken: command exit 3: exit status 3`)},
		"a command that reads": {hook.Entry{Event: hook.PreToolUse, Handler: command(`grep -q '"tool_name":"Bash"' && test -n "$ASSENT_STATE" && echo '{"systemMessage":"read"}'`)}, preToolUse, success(`{"systemMessage":"read"}`)},
		"halt":                 {function(hook.Stop, "", says(hook.Halt("enough"), nil)), stop, success(`{"continue":false,"stopReason":"enough"}`)},
		"block":                {function(hook.Stop, "", says(hook.Block("test first"), nil)), stop, success(`{"decision":"block","reason":"test first"}`)},
		"an error elsewhere":   {function(hook.Stop, "", says(hook.Output{}, errors.New("no"))), stop, `{"subtype":"error","request_id":"q1","error":"hook broken: function check: no"}`},
		"answer":               {function(hook.PermissionRequest, "", says(hook.AnswerAllow(), nil)), asksPerson, success(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`)},
		"refusal":              {function(hook.PermissionRequest, "", says(hook.AnswerDeny("no"), nil)), asksPerson, success(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}`)},
		"another event":        {function(hook.Stop, "", says(hook.Output{}, nil)), preToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"hook broken: there is no PreToolUse hook`)},
		"no event":             {function(hook.PreToolUse, "", says(hook.Allow(), nil)), `{"subtype":"hook_callback","callback_id":"hook_0","input":{}}`, pre(`"permissionDecision":"deny"`)},
		"no such hook":         {function(hook.PreToolUse, "", says(hook.Allow(), nil)), strings.Replace(preToolUse, "hook_0", "hook_1", 1), pre(`"permissionDecision":"deny"`)},
	} {
		t.Run(name, func(t *testing.T) {
			o, r := options(t, "well")
			o.Hooks = []hook.Entry{tt.entry}
			var warned []string
			o.Warn = func(text string) { warned = append(warned, text) }
			got := asked(t, o, r, tt.question)
			// The program only hears of a denial, so that it tells nobody why.
			if broken := strings.Contains(got, `"deny","permissionDecisionReason":"hook broken: `); broken != (len(warned) == 1) {
				t.Errorf("warned %q", warned)
			}
			if want := strings.TrimRight(tt.want, "}"); !strings.HasPrefix(got, want) {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

// The program learns of hooks what all programs understand alike.
func TestK2_HookRegistrations(t *testing.T) {
	o, _ := options(t, "dies")
	nothing := says(hook.Output{}, nil)
	ended := 0
	o.Hooks = []hook.Entry{
		function(hook.PreToolUse, "Bash|Write", nothing), function(hook.PreToolUse, "Bash, Write", nothing), function(hook.PreToolUse, "mcp__.*", nothing),
		function(hook.Stop, "Bash", nothing),
		function(hook.SessionEnd, "", func(_ context.Context, call hook.Invocation) (hook.Output, error) {
			if in, ok := call.Input.(hook.SessionEndInput); ok && in.Reason == "other" {
				ended++
			}
			return hook.Output{}, nil
		}),
	}
	o.Hooks[0].Timeout, o.Hooks[0].OnFailure = time.Second, hook.FailOpen
	d := start(t, o)
	var exit *driver.ExitError
	if err := d.Prompt(t.Context(), "go"); !errors.As(err, &exit) {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(exit.Stderr, "\n") // the fake repeats the request there
	const want = `{"PreToolUse":[{"matcher":"Bash|Write","hookCallbackIds":["hook_0"],"timeout":16,"onFailure":"continue"},{"hookCallbackIds":["hook_1"],"timeout":75},{"hookCallbackIds":["hook_2"],"timeout":75}],"Stop":[{"hookCallbackIds":["hook_3"],"timeout":75}]}`
	var request struct {
		Request struct {
			Hooks strictjson.Raw `json:"hooks"`
		} `json:"request"`
	}
	if err := strictjson.Unmarshal([]byte(first), &request); err != nil || string(request.Request.Hooks) != want {
		t.Errorf("%s, %v\nwant %s", request.Request.Hooks, err, want)
	}
	if _ = d.Close(t.Context()); ended != 1 {
		t.Errorf("the hook at the end ran %d times", ended)
	}
}

// server is an MCP server that repeats what it is told.
type server struct{ err error }

func (server) Server() string { return "echo" }

func (s server) Send(_ context.Context, message []byte) ([]byte, error) {
	if strings.Contains(string(message), "notifications/") {
		return nil, s.err
	}
	return message, s.err
}

func TestMessagesForServers(t *testing.T) {
	for name, tt := range map[string]struct {
		server  server
		message string
		want    string
	}{
		"a request":      {server{}, `{"subtype":"mcp_message","server_name":"echo","message":{"id":1}}`, success(`{"mcp_response":{"id":1}}`)},
		"a notification": {server{}, `{"subtype":"mcp_message","server_name":"echo","message":{"method":"notifications/initialized"}}`, success(`{"mcp_response":{"jsonrpc":"2.0","result":{},"id":0}}`)},
		"an error":       {server{errors.New("no")}, `{"subtype":"mcp_message","server_name":"echo","message":{"id":1}}`, `{"subtype":"error","request_id":"q1","error":"no"}`},
		"no such server": {server{}, `{"subtype":"mcp_message","server_name":"other","message":{"id":1}}`, `{"subtype":"error","request_id":"q1","error":"there is no MCP server \"other\" here"}`},
		"another thing":  {server{}, `{"subtype":"self_destruct"}`, `{"subtype":"error","request_id":"q1","error":"Unsupported control request subtype: self_destruct"}`},
	} {
		t.Run(name, func(t *testing.T) {
			o, r := options(t, "well")
			o.Servers = []driver.Server{tt.server}
			if got := asked(t, o, r, tt.message); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestElicitations(t *testing.T) {
	const form = `{"subtype":"elicitation","mcp_server_name":"bank","message":"Which?","mode":"form","requested_schema":{"type":"object","properties":{"account":{"type":"string"}}}}`
	for name, tt := range map[string]struct {
		answer   func(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error)
		question string
		want     string
	}{
		"accept": {func(_ context.Context, q mcp.Elicitation) (mcp.Answer, error) {
			return mcp.Answer{Action: mcp.Accept, Content: strictjson.Raw(`{"account":"` + q.Server + " " + q.Message + `"}`)}, nil
		}, form, success(`{"action":"accept","content":{"account":"bank Which?"}}`)},
		"a page": {func(_ context.Context, q mcp.Elicitation) (mcp.Answer, error) {
			if q.URL != "https://x.example/" {
				return mcp.Answer{}, nil
			}
			return mcp.Answer{Action: mcp.Dismiss}, nil
		}, `{"subtype":"elicitation","mcp_server_name":"bank","mode":"url","url":"https://x.example/"}`, success(`{"action":"cancel"}`)},
		"nobody":   {nil, form, success(`{"action":"decline"}`)},
		"an error": {func(context.Context, mcp.Elicitation) (mcp.Answer, error) { return mcp.Answer{}, errors.New("no") }, form, `{"subtype":"error","request_id":"q1","error":"no"}`},
	} {
		t.Run(name, func(t *testing.T) {
			o, r := options(t, "well")
			o.Elicit = tt.answer
			if got := asked(t, o, r, tt.question); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

// Nothing of the hooks' shared values is left.
func TestK2_NoScratchIsLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	o, r := options(t, "well")
	o.Hooks = []hook.Entry{function(hook.PreToolUse, "", func(_ context.Context, call hook.Invocation) (hook.Output, error) {
		return hook.Message("kept"), call.State.Merge([]byte(`{"seen":1}`))
	})}
	if got := asked(t, o, r, preToolUse); got != success(`{"systemMessage":"kept"}`) {
		t.Error(got)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
}

// TestK2_WhatHooksLeaveBehind: that a hook wants no session, and that one in the background
// did not work.
func TestK2_WhatHooksLeaveBehind(t *testing.T) {
	const begins = `{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"SessionStart","session_id":"s1","transcript_path":"","cwd":"/","source":"startup"}}`
	for name, tt := range map[string]struct {
		entry           hook.Entry
		refused, warned string
	}{
		"halt":       {function(hook.SessionStart, "", says(hook.Halt("not today"), nil)), "not today", ""},
		"no opinion": {function(hook.SessionStart, "", says(hook.Output{}, nil)), "", ""},
		"late":       {hook.Entry{Event: hook.SessionStart, Async: true, Handler: hook.Function{Label: "check", Func: says(hook.Output{}, errors.New("no database"))}}, "", "hook broken: function check: no database"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := options(t, "well")
			o.Hooks = []hook.Entry{tt.entry}
			warned := ""
			o.Warn = func(text string) { warned += text }
			d := start(t, o)
			if err := d.Prompt(t.Context(), "ask "+begins); err != nil {
				t.Fatal(err)
			}
			if err := d.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if d.Refused() != tt.refused || warned != tt.warned {
				t.Errorf("refused %q, warned %q", d.Refused(), warned)
			}
		})
	}
}
