package clerk

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// place is a state directory with one session in which calls wait.
type place struct {
	*Clerk
	t   *testing.T
	cwd string
}

// noLinks: no file of these tests is a link.
type noLinks struct{}

func (noLinks) Readlink(string) (string, error) { return "", nil }

func waitingIn(t *testing.T, denied string, calls ...session.PendingCall) *place {
	t.Helper()
	top := t.TempDir()
	p := &place{t: t, cwd: top}
	sessions := session.NewStore(filepath.Join(top, "state", "sessions"))
	tr, err := sessions.Create(sessionID, session.Start{Cwd: top, Model: "m", Mode: "default"})
	p.check(err)
	turn := model.Message{Role: model.Assistant}
	for i := range calls {
		c := &calls[i]
		c.Cwd = top
		turn.Content = append(turn.Content, model.Block{Kind: model.ToolUse, ID: c.ToolUseID, Name: c.Tool, Input: c.Input})
	}
	p.check(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("go")}}))
	p.check(tr.Append(session.Said, turn))
	p.check(tr.Append(session.Parked, session.Pending{Calls: calls}))
	p.check(tr.Close())
	p.Clerk, err = Open(t.Context(), filepath.Join(top, "state"))
	p.check(err)
	t.Cleanup(p.Close)
	p.Checker = func(cwd string) (*policy.Checker, error) {
		set, err := tool.NewSet(tool.Builtin()...)
		if err != nil {
			return nil, err
		}
		r, _, bad := rule.Read(denied, rule.Deny, rule.Origin{Source: rule.CLIArg})
		if bad != nil {
			return nil, bad
		}
		return &policy.Checker{Tools: set, Links: noLinks{}, Settings: settings.Options{Dir: cwd, Home: cwd, Sources: []rule.Source{}}, Rules: []rule.Rule{r}}, nil
	}
	return p
}

func (p *place) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func bash(command string) session.PendingCall {
	input, _ := strictjson.Marshal(map[string]string{"command": command})
	return session.PendingCall{ToolUseID: "a", Tool: "Bash", Input: input}
}

func TestA3_WhatAYesNeeds(t *testing.T) {
	for _, test := range []struct {
		name string
		yes  Yes
		want string
		kind Kind
	}{
		{"nobody", Yes{}, "nobody is named", Invalid},
		{"no text", Yes{By: "ann", Reason: "\xff"}, "not valid UTF-8", Invalid},
		{"both", Yes{By: "ann", Input: strictjson.Raw(`{}`), Answers: []string{"1=x"}}, "exclude each other", Invalid},
		{"answers to no question", Yes{By: "ann", Answers: []string{"1=x"}}, "the answer is for questions", Invalid},
		{"no JSON", Yes{By: "ann", Input: strictjson.Raw(`{`)}, "the input: ", Invalid},
		{"an empty input", Yes{By: "ann", Input: strictjson.Raw{}}, "the input: ", Invalid},
		{"another input that does not fit", Yes{By: "ann", Input: strictjson.Raw(`{"comand":"ls"}`)}, "the input does not fit the tool Bash", Invalid},
		{"another input that is denied", Yes{By: "ann", Input: strictjson.Raw(`{"command":"rm x"}`)}, "denies it", Refused},
		{"another call than the one shown", Yes{By: "ann", Digest: "sha256:0"}, "is not what was shown", Refused},
	} {
		p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
		m, err := p.Approve(t.Context(), sessionID, test.yes)
		if err == nil || !strings.Contains(err.Error(), test.want) || KindOf(err) != test.kind {
			t.Errorf("%s: %v, of kind %d", test.name, err, KindOf(err))
		}
		if m.Ticket != nil || approval.Exists(p.dir) {
			t.Errorf("%s: it has a ticket", test.name)
		}
	}
}

// Rules that cannot be asked let nothing through.
func TestA3_NothingIsApprovedWithoutRules(t *testing.T) {
	broken := errors.New("the settings are broken")
	for _, checker := range []func(string) (*policy.Checker, error){nil, func(string) (*policy.Checker, error) { return nil, broken }} {
		p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
		p.Checker = checker
		if _, err := p.Approve(t.Context(), sessionID, Yes{By: "ann"}); err == nil || KindOf(err) != Broken {
			t.Errorf("%v", err)
		}
		if _, err := p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "no"}); err != nil {
			t.Errorf("a no needs no rules: %v", err)
		}
	}
}

func TestA3_YesAndNo(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	ctx := t.Context()
	seen, err := p.One(ctx, sessionID, ToApprove)
	p.check(err)
	m, err := p.Approve(ctx, sessionID, Yes{By: "ann", Reason: "as agreed", Digest: seen.Digest(), Input: strictjson.Raw(`{"command":"deploy --dry-run"}`)})
	p.check(err)
	if m.Standing != Approved || m.Answer() == nil || m.Answer().By != "ann" || m.Runs().Input.String() != `{"command":"deploy --dry-run"}` {
		t.Errorf("%+v, %+v", m, m.Answer())
	}
	if _, err := p.Approve(ctx, m.Name(), Yes{By: "bob"}); KindOf(err) != Refused || !strings.Contains(err.Error(), "ann has said allow") {
		t.Errorf("%v", err)
	}
	if _, err := p.Deny(ctx, m.Name(), No{By: "bob", Reason: " "}); KindOf(err) != Invalid {
		t.Errorf("%v", err)
	}
	if _, err := p.Deny(ctx, m.Name(), No{By: "bob", Reason: "stop", Digest: "sha256:0"}); KindOf(err) != Refused {
		t.Errorf("%v", err)
	}
	m, err = p.Deny(ctx, m.Name()[:8], No{By: "bob", Reason: "stop", Digest: seen.Digest()})
	if err != nil || m.Standing != Denied || m.Answer().Message != "stop" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := p.Deny(ctx, "zz", No{By: "bob", Reason: "stop"}); KindOf(err) != NotFound {
		t.Errorf("%v", err)
	}
}

func TestA3_OneOfSeveralIsNamed(t *testing.T) {
	first, second := bash("deploy"), bash("refund")
	second.ToolUseID = "b"
	p := waitingIn(t, "Bash(rm:*)", first, second)
	_, err := p.Approve(t.Context(), sessionID, Yes{By: "ann"})
	if KindOf(err) != Ambiguous || !strings.Contains(err.Error(), "2 calls of session "+sessionID+" wait for an answer") {
		t.Errorf("%v", err)
	}
	all, _, err := p.Matters(context.Background())
	if err != nil || len(all) != 2 || all[0].Ticket == nil || all[1].Ticket == nil {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestD5_QuestionsAreAnswered(t *testing.T) {
	call := session.PendingCall{ToolUseID: "a", Tool: "AskUserQuestion", Input: strictjson.Raw(`{"questions":[{"question":"Which?","header":"H","options":[{"label":"eu","description":"d"},{"label":"us","description":"d"}],"multiSelect":false}]}`)}
	p := waitingIn(t, "Bash(rm:*)", call)
	_, err := p.Approve(t.Context(), sessionID, Yes{By: "ann"})
	bare, ok := errors.AsType[*Unanswered](err)
	if !ok || KindOf(err) != Invalid || len(bare.Questions) != 1 || bare.Questions[0] != "1. Which? (one of: eu, us)" {
		t.Errorf("%v", err)
	}
	m, err := p.Approve(t.Context(), sessionID, Yes{By: "ann", Answers: []string{"1=EU"}})
	if err != nil || !strings.Contains(m.Answer().Input.String(), `"answers":{"Which?":"eu"}`) {
		t.Errorf("%v, %+v", err, m.Answer())
	}
	if questions, err := Questions(m.Call); err != nil || len(questions) != 1 || questions[0].Options[1] != (Option{"us", "d"}) {
		t.Errorf("%+v, %v", questions, err)
	}
	if questions, err := Questions(deploy()); err != nil || questions != nil {
		t.Errorf("%+v, %v", questions, err)
	}
}
