package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

const (
	push  = `{"command":"git push"}`
	read1 = `{"file_path":"/project/a"}`
	read2 = `{"file_path":"/project/b"}`
)

func TestADenyRuleIsNeverBypassed(t *testing.T) {
	allow := hook.Entry{Event: hook.PreToolUse, Handler: hook.Function{Label: "yes", Func: func(context.Context, hook.Invocation) (hook.Output, error) { return hook.Allow(), nil }}}
	for name, c := range map[string]config{
		"default":           {},
		"bypassPermissions": {mode: permission.BypassPermissions},
		"a person says yes": {asker: says(permission.Allow)},
		"a hook says yes":   {hooks: []hook.Entry{allow}},
		"an allow rule":     {rules: []string{"allow Bash"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.rules = append(c.rules, "deny Bash(git push:*)")
			c.turns = []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}
			w := newWorld(t, c)
			result := w.prompt("push")
			if len(w.tools.list()) > 0 {
				t.Fatalf("it ran: %v", w.tools.list())
			}
			if len(result.Denials) != 1 || result.Denials[0].ToolUseID != "t1" || string(result.Denials[0].ToolInput) != push {
				t.Errorf("denials: %+v", result.Denials)
			}
			if b := w.results()["t1"]; !b.IsError || !strings.Contains(said(b), "git push") {
				t.Errorf("the model was told %q", said(b))
			}
			if r := w.audit.records; len(r) != 1 || r[0].Decision != "deny" || r[0].Rule != "Bash(git push:*)" || r[0].File != "settings.json" {
				t.Errorf("audit: %+v", r)
			}
		})
	}
}

func TestWhatCannotBeRecordedDoesNotRun(t *testing.T) {
	t.Run("the audit log fails", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}})
		w.audit.err = errors.New("disk full")
		result := w.prompt("push")
		if len(w.tools.list()) > 0 || !result.IsError || result.Subtype != wire.ErrorDuringExecution || !strings.Contains(result.Errors[0], "disk full") {
			t.Errorf("ran %v, result %+v", w.tools.list(), result)
		}
	})
	t.Run("the transcript fails", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}, change: func(c *agent.Config) {
			c.Transcript = fullDisk{c.Transcript, 1}
		}})
		result := w.prompt("push")
		if len(w.tools.list()) > 0 || !result.IsError || !strings.Contains(strings.Join(result.Errors, ""), "disk full") {
			t.Errorf("ran %v, result %+v", w.tools.list(), result)
		}
	})
}

// fullDisk is a transcript that takes the prompt and nothing more.
type fullDisk struct {
	agent.Transcript
	room int
}

func (f fullDisk) Append(kind session.Kind, body any) error {
	if m, ok := body.(model.Message); ok && m.Role == model.User && len(m.Content) > 0 && m.Content[0].Kind == model.Text {
		return nil
	}
	return errors.New("disk full")
}

func TestCallsThatOnlyReadRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{
			{calls: []model.Block{use("r1", "Read", read1), use("r2", "Read", read2), use("b1", "Bash", `{"command":"make"}`), use("r3", "Read", read1)}},
			{text: "ok"},
		}})
		var order []string
		w.tools.run = func(_ context.Context, job tool.Job) tool.Result {
			time.Sleep(time.Second)
			w.tools.mu.Lock()
			defer w.tools.mu.Unlock()
			order = append(order, job.ToolUseID)
			return tool.Succeed(job.ToolUseID)
		}
		start := time.Now()
		result := w.prompt("go")
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("took %v: two reads at once, then the command, then the last read", took)
		}
		if !slices.Contains(order[:2], "r1") || !slices.Contains(order[:2], "r2") || !slices.Equal(order[2:], []string{"b1", "r3"}) {
			t.Errorf("order %v", order)
		}
		if result.NumTurns != 5 {
			t.Errorf("num_turns is %d", result.NumTurns)
		}
		var told []string
		for _, m := range w.messages {
			if u, ok := m.(*wire.User); ok {
				told = append(told, u.Content[0].ToolUseID)
			}
		}
		if !slices.Equal(told, []string{"r1", "r2", "b1", "r3"}) {
			t.Errorf("results were told in the order %v", told)
		}
	})
}

func TestInterrupt(t *testing.T) {
	interrupted := func(t *testing.T, w *world, result *wire.Result, stopReason string) {
		t.Helper()
		if result.Subtype != wire.ErrorDuringExecution || !result.IsError || result.StopReason != stopReason {
			t.Errorf("%+v", result)
		}
		w.model.list = []reply{{text: "again"}}
		if next := w.prompt("next"); next.Text != "again" {
			t.Errorf("the session does not live on: %+v", next)
		}
	}
	t.Run("while the model thinks", func(t *testing.T) {
		var w *world
		w = newWorld(t, config{turns: []reply{{text: "late", during: func(ctx context.Context) { w.agent.Interrupt(); <-ctx.Done() }}}})
		interrupted(t, w, w.prompt("go"), "")
	})
	t.Run("while a tool runs", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push), use("t2", "Bash", push)}}}})
		w.tools.run = func(ctx context.Context, job tool.Job) tool.Result {
			w.agent.Interrupt()
			<-ctx.Done()
			return tool.Result{Text: "cut off", Outcome: tool.Interrupted}
		}
		result := w.prompt("go")
		if ran := w.tools.list(); len(ran) != 1 {
			t.Errorf("ran %v", ran)
		}
		if len(w.results()) != 2 {
			t.Errorf("every call needs a result: %v", w.results())
		}
		interrupted(t, w, result, "tool_use")
	})
	t.Run("while a question is open", func(t *testing.T) {
		p := &person{}
		w := newWorld(t, config{asker: p, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}}})
		p.answer = func(ctx context.Context, _ agent.Question) (permission.Answer, error) {
			w.agent.Interrupt()
			<-ctx.Done()
			return permission.Answer{Behavior: permission.Allow}, nil // too late
		}
		result := w.prompt("go")
		if ran := w.tools.list(); len(ran) != 0 {
			t.Errorf("a late answer let it run: %v", ran)
		}
		interrupted(t, w, result, "tool_use")
	})
}

func TestHostileModels(t *testing.T) {
	many := make([]model.Block, 300)
	for i := range many {
		many[i] = use("m"+string(rune('a'+i%26))+strings.Repeat("x", i/26), "Read", read1)
	}
	for name, tt := range map[string]struct {
		calls   []model.Block
		ran     int
		wants   string
		denials int
	}{
		"no such tool":       {[]model.Block{use("t1", "Rm", `{}`)}, 0, "no such tool", 0},
		"another case":       {[]model.Block{use("t1", "bash", push)}, 0, "no such tool", 0},
		"no JSON":            {[]model.Block{use("t1", "Bash", `{"command":`)}, 0, "cannot be read", 0},
		"no object":          {[]model.Block{use("t1", "Bash", `["ls"]`)}, 0, "no JSON object", 0},
		"a key twice":        {[]model.Block{use("t1", "Bash", `{"command":"ls","command":"git push"}`)}, 0, "twice", 0},
		"an unknown key":     {[]model.Block{use("t1", "Bash", `{"cmd":"ls"}`)}, 0, "command", 0},
		"too many calls":     {many, 256, "at most", 0},
		"its own answers":    {[]model.Block{use("t1", "AskUserQuestion", `{"questions":[{"question":"Deploy?","header":"h","multiSelect":false,"options":[{"label":"yes","description":"d"},{"label":"no","description":"d"}]}],"answers":{"Deploy?":"yes"}}`)}, 0, "nobody", 1},
		"the id of no shape": {[]model.Block{use("", "Bash", push)}, 0, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{turns: []reply{{calls: tt.calls}, {text: "ok"}}})
			result := w.prompt("go")
			if len(w.tools.list()) != tt.ran {
				t.Errorf("%d ran, want %d", len(w.tools.list()), tt.ran)
			}
			if result.Text != "ok" || len(result.Denials) != tt.denials {
				t.Errorf("%+v", result)
			}
			if got := w.model.last(); !strings.Contains(got, tt.wants) {
				t.Errorf("the model was told %.500s; want %q in it", got, tt.wants)
			}
		})
	}
}

func TestAToolThatPanicsFails(t *testing.T) {
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}})
	w.tools.run = func(context.Context, tool.Job) tool.Result { panic("boom") }
	result := w.prompt("go")
	if b := w.results()["t1"]; result.Text != "ok" || !b.IsError || !strings.Contains(said(b), "boom") {
		t.Errorf("%+v, %q", result, said(b))
	}
}

func TestMaxTurns(t *testing.T) {
	again := reply{calls: []model.Block{use("t1", "Read", read1)}}
	w := newWorld(t, config{mode: permission.BypassPermissions, maxTurns: 2, turns: []reply{again, again, again}})
	result := w.prompt("go")
	if result.Subtype != wire.ErrorMaxTurns || !result.IsError || len(w.model.requests) != 2 || result.NumTurns != 3 {
		t.Errorf("%+v after %d requests", result, len(w.model.requests))
	}
}

func TestP18_UpdatesHoldAtOnce(t *testing.T) {
	p := &person{answer: func(_ context.Context, q agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Allow, Updates: q.Suggestions}, nil
	}}
	var kept []permission.Update
	two := []reply{{calls: []model.Block{use("t1", "Bash", `{"command":"npm test"}`)}}, {calls: []model.Block{use("t2", "Bash", `{"command":"npm test"}`)}}, {text: "ok"}}
	w := newWorld(t, config{asker: p, turns: two, change: func(c *agent.Config) {
		c.Persist = func(u permission.Update) error { kept = append(kept, u); return nil }
	}})
	w.prompt("go")
	if len(p.asked) != 1 || len(w.tools.list()) != 2 {
		t.Errorf("asked %d times, ran %v", len(p.asked), w.tools.list())
	}
	if len(kept) != 1 || kept[0].Destination != rule.LocalSettings {
		t.Errorf("kept %+v", kept)
	}
}

func TestS38_UpdatesBesideADenialOnlyRestrict(t *testing.T) {
	loosen := permission.Update{Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Allow, Rules: []string{"Bash"}}
	restrict := permission.Update{Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Deny, Rules: []string{"Bash(make:*)"}}
	p := &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Deny, Message: "no", Updates: []permission.Update{loosen, restrict}}, nil
	}}
	w := newWorld(t, config{asker: p, turns: []reply{
		{calls: []model.Block{use("t1", "Bash", push)}}, {calls: []model.Block{use("t2", "Bash", push)}}, {calls: []model.Block{use("t3", "Bash", `{"command":"make"}`)}}, {text: "ok"},
	}})
	w.prompt("go")
	if len(w.tools.list()) != 0 || len(p.asked) != 2 {
		t.Errorf("ran %v, asked %d times: the second push asks again, make is denied by the new rule", w.tools.list(), len(p.asked))
	}
}

func TestS17_AnAnswerWithAnotherInputIsJudgedAgain(t *testing.T) {
	answer := func(input string) *person {
		return &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
			return permission.Answer{Behavior: permission.Allow, UpdatedInput: []byte(input)}, nil
		}}
	}
	for name, tt := range map[string]struct{ input, ran, wants string }{
		"another command":        {`{"command":"git push --dry-run"}`, `Bash {"command":"git push --dry-run"}`, ""},
		"a denied command":       {`{"command":"rm -rf x"}`, "", "rm"},
		"no command":             {`{"cmd":"x"}`, "", "invalid"},
		"a key twice":            {`{"command":"ls","command":"rm -rf x"}`, "", "twice"},
		"another spelling":       {` { "command" : "git push" } `, "Bash " + push, ""},
		"the same, word by word": {push, "Bash " + push, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{asker: answer(tt.input), rules: []string{"deny Bash(rm:*)"}, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}})
			w.prompt("go")
			if got := strings.Join(w.tools.list(), "|"); got != tt.ran {
				t.Errorf("ran %q, want %q", got, tt.ran)
			}
			if tt.wants != "" && !strings.Contains(said(w.results()["t1"]), tt.wants) {
				t.Errorf("told %q", said(w.results()["t1"]))
			}
		})
	}
}

func TestModeChangesMidFlight(t *testing.T) {
	p := &person{}
	w := newWorld(t, config{asker: p, turns: []reply{{calls: []model.Block{use("t1", "Bash", push), use("t2", "Bash", push)}}, {text: "ok"}}})
	p.answer = func(context.Context, agent.Question) (permission.Answer, error) {
		if err := w.agent.SetMode(permission.BypassPermissions); err != nil {
			t.Error(err)
		}
		return permission.Answer{Behavior: permission.Deny, Message: "no"}, nil
	}
	w.prompt("go")
	if len(p.asked) != 1 || len(w.tools.list()) != 1 {
		t.Errorf("asked %d times, ran %v: the mode holds for the next call", len(p.asked), w.tools.list())
	}
	if !slices.ContainsFunc(w.messages, func(m wire.Message) bool {
		s, ok := m.(*wire.Status)
		return ok && s.PermissionMode == "bypassPermissions"
	}) {
		t.Error("no status message")
	}
}

func TestRebaseKeepsWhatTheSessionChanged(t *testing.T) {
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {calls: []model.Block{use("t2", "Bash", `{"command":"make"}`)}}, {text: "ok"}}})
	if err := w.agent.SetMode(permission.AcceptEdits); err != nil {
		t.Fatal(err)
	}
	next, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", AllowBypass: true, Rules: readRules(t, []string{"allow Bash(make:*)", "deny Bash(git push:*)"})})
	if err != nil {
		t.Fatal(err)
	}
	w.agent.Rebase(next)
	if w.agent.Mode() != permission.AcceptEdits {
		t.Errorf("mode %v", w.agent.Mode())
	}
	w.prompt("go")
	if got := w.tools.list(); len(got) != 1 || !strings.Contains(got[0], "make") {
		t.Errorf("ran %v", got)
	}
}

func TestS6_PlanModeIsLeftForTheModeBefore(t *testing.T) {
	w := newWorld(t, config{mode: permission.AcceptEdits, asker: says(permission.Allow), turns: []reply{
		{calls: []model.Block{use("t1", "EnterPlanMode", `{}`)}},
		{calls: []model.Block{use("t2", "Write", `{"file_path":"/project/a","content":"x"}`)}},
		{calls: []model.Block{use("t3", "ExitPlanMode", `{"plan":"write it"}`)}},
		{calls: []model.Block{use("t4", "Write", `{"file_path":"/project/a","content":"x"}`)}},
		{text: "ok"},
	}})
	result := w.prompt("go")
	if len(result.Denials) != 1 || result.Denials[0].ToolUseID != "t2" || w.agent.Mode() != permission.AcceptEdits {
		t.Errorf("denials %+v, mode %v, ran %v", result.Denials, w.agent.Mode(), w.tools.list())
	}
}

func TestARestoredSessionRunsNothingTwice(t *testing.T) {
	w := newWorld(t, config{turns: []reply{{text: "ok"}}})
	before := session.Conversation{Messages: []model.Message{
		{Role: model.User, Content: []model.Block{model.TextBlock("go")}},
		{Role: model.Assistant, Content: []model.Block{use("t1", "Bash", push)}},
	}}
	if err := w.agent.Restore(before); err != nil {
		t.Fatal(err)
	}
	w.prompt("next")
	if len(w.tools.list()) != 0 || !strings.Contains(w.model.last(), "may have run or not") {
		t.Errorf("ran %v, told %s", w.tools.list(), w.model.last())
	}
}

func TestCompaction(t *testing.T) {
	var told []hook.PreCompactInput
	note := hook.Entry{Event: hook.PreCompact, Handler: hook.Typed("note", func(_ context.Context, in hook.PreCompactInput, _ hook.Invocation) (hook.Output, error) {
		told = append(told, in)
		return hook.Output{}, nil
	})}
	full := model.Usage{InputTokens: 10_000_000}
	w := newWorld(t, config{mode: permission.BypassPermissions, hooks: []hook.Entry{note}, turns: []reply{
		{calls: []model.Block{use("t1", "Read", read1)}, usage: full}, {text: "the summary"}, {text: "ok"},
	}})
	result := w.prompt("the task")
	if result.Text != "ok" || len(told) != 1 || told[0].Trigger != "auto" {
		t.Fatalf("%+v, hooks %+v", result, told)
	}
	last := w.model.last()
	if !strings.Contains(last, "the summary") || strings.Contains(last, "tool_use") {
		t.Errorf("the model got %s", last)
	}
	conversation, err := w.transcript.Conversation()
	if err != nil || len(conversation.Messages) != 2 {
		t.Errorf("%v, %+v", err, conversation.Messages)
	}
	if !slices.ContainsFunc(w.messages, func(m wire.Message) bool { _, ok := m.(*wire.CompactBoundary); return ok }) {
		t.Error("no boundary was told")
	}
	t.Run("on request", func(t *testing.T) {
		w.model.list = []reply{{text: "shorter"}, {text: "and on"}}
		if got := w.prompt("/compact keep the names"); got.IsError || told[1].Trigger != "manual" || *told[1].CustomInstructions != "keep the names" {
			t.Errorf("%+v, %+v", got, told)
		}
		if got := w.prompt("go on"); got.Text != "and on" || !strings.Contains(w.model.last(), "shorter") {
			t.Errorf("%+v: %s", got, w.model.last())
		}
	})
}

func TestAQuestionThatWaitsIsNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		called := make(chan string, 1)
		bell := hook.Entry{Event: hook.Notification, Handler: hook.Typed("bell", func(_ context.Context, in hook.NotificationInput, _ hook.Invocation) (hook.Output, error) {
			called <- in.Message
			return hook.Output{}, nil
		})}
		slow := &person{answer: func(ctx context.Context, _ agent.Question) (permission.Answer, error) {
			time.Sleep(time.Minute)
			return permission.Answer{Behavior: permission.Allow}, nil
		}}
		w := newWorld(t, config{hooks: []hook.Entry{bell}, asker: slow, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}})
		w.prompt("go")
		w.agent.Close(t.Context(), "other")
		select {
		case text := <-called:
			if !strings.Contains(text, "Bash") {
				t.Error(text)
			}
		default:
			t.Error("nobody was called")
		}
	})
}

func TestAModelThatFails(t *testing.T) {
	w := newWorld(t, config{turns: []reply{{err: &model.Error{Kind: model.Unauthorized, Status: 401, Text: "bad key"}}}})
	result := w.prompt("go")
	if result.Subtype != wire.Success || !result.IsError || result.StopReason != "stop_sequence" || !strings.Contains(result.Text, "bad key") {
		t.Errorf("%+v", result)
	}
	if !slices.ContainsFunc(w.messages, func(m wire.Message) bool {
		a, ok := m.(*wire.Assistant)
		return ok && a.Error == "authentication_failed"
	}) {
		t.Error("no message stands in for the turn")
	}
}
