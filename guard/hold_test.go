package guard_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/guard"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// people answer held calls.
type people struct {
	answer guard.Answer
	err    error
	// before is done while the call is held.
	before func()
	seen   []guard.Held
}

func (p *people) Hold(h guard.Held) (guard.Answer, error) {
	p.seen = append(p.seen, h)
	if p.before != nil {
		p.before()
	}
	answer := p.answer
	if answer.Places == nil { // as the ticket has them
		answer.Places = h.Places
	}
	return answer, p.err
}

func yes() *people {
	return &people{answer: guard.Answer{Ticket: "abc", Behavior: permission.Allow, By: "ana", Reason: "fine"}}
}

// sessioned is a command in the agent's words, in a session.
func (w *world) sessioned(command string) string {
	return with(shellEvent(w.options.Agent, w.proj, command), "session_id", "s1")
}

func (w *world) asks(p *people) *world {
	w.options.Hold = p
	return w
}

func text(r dialect.Reply) string { return string(r.Stdout) + string(r.Stderr) }

func TestA1_GuardsPutQuestionsToPeople(t *testing.T) {
	for _, agent := range []dialect.Agent{dialect.Codex, dialect.Cursor} {
		for name, tt := range map[string]struct {
			people *people
			runs   bool
			says   string
		}{
			"yes":     {yes(), true, ""},
			"no":      {&people{answer: guard.Answer{Ticket: "abc", Behavior: permission.Deny, By: "bob", Reason: "not today"}}, false, "denied by bob (ticket abc): not today"},
			"nothing": {&people{answer: guard.Answer{Ticket: "abc", Behavior: permission.Ask}}, false, "Pending, ticket abc: a person has to approve it (in the inbox, or with `assent approve abc`); then try exactly this call again"},
			"nobody":  {&people{err: guard.ErrNobody}, false, "answer such calls in the inbox (`assent serve`)"},
			"broken":  {&people{err: errors.New("the disk is full")}, false, "it needs a person, and could not be put to one: the disk is full"},
			"unheard": {&people{answer: guard.Answer{Ticket: "abc"}}, false, "denied by"},
		} {
			t.Run(fmt.Sprintf("%v %s", agent, name), func(t *testing.T) {
				w := newWorld(t, agent).asks(tt.people)
				got := w.send(w.sessioned("make"))
				if w.letsThrough(got) != tt.runs || !strings.Contains(text(got), tt.says) {
					t.Errorf("%s", text(got))
				}
				if len(tt.people.seen) != 1 {
					t.Fatalf("asked %d times", len(tt.people.seen))
				}
				held := tt.people.seen[0]
				if held.Asker != agent.String() || held.Session != "s1" || held.Tool != "Bash" || string(held.Input) != `{"command":"make"}` || held.Cwd != w.proj {
					t.Errorf("%+v", held)
				}
				if !strings.Contains(held.Why, "make is not known to only read") || held.Risk != permission.MediumRisk || held.Kin != "Bash(make)" || held.Policy == "" || held.Lasts != 24*time.Hour {
					t.Errorf("%+v", held)
				}
			})
		}
	}
}

// What a rule denies or allows is put to nobody, and neither is what an agent asks itself.
func TestA1_OnlyQuestionsAreHeld(t *testing.T) {
	for name, tt := range map[string]struct {
		agent   dialect.Agent
		user    string
		command string
		asked   bool
		runs    bool
	}{
		"a deny":                        {dialect.Codex, `{"permissions": {"deny": ["Bash(make:*)"]}}`, "make", false, false},
		"an allow":                      {dialect.Codex, `{"permissions": {"allow": ["Bash(make:*)"]}}`, "make", false, true},
		"a deny in a mode":              {dialect.Codex, `{"permissions": {"defaultMode": "dontAsk"}}`, "make", false, false},
		"an ask rule":                   {dialect.Codex, `{"permissions": {"ask": ["Bash(ls:*)"]}}`, "ls", true, true},
		"an agent that asks":            {dialect.Claude, `{}`, "make", false, false},
		"an agent that need not":        {dialect.Claude, `{"assent": {"guard": {"inbox": "always"}}}`, "make", true, true},
		"Gemini CLI":                    {dialect.Gemini, `{}`, "make", false, false},
		"Gemini CLI, that need not":     {dialect.Gemini, `{"assent": {"guard": {"inbox": "always"}}}`, "make", true, true},
		"Copilot, that need not":        {dialect.Copilot, `{"assent": {"guard": {"inbox": "always"}}}`, "make", true, true},
		"nobody is to be asked":         {dialect.Codex, `{"assent": {"guard": {"wait": "0s"}}}`, "make", false, false},
		"nobody, although always":       {dialect.Codex, `{"assent": {"guard": {"wait": "0s", "inbox": "always"}}}`, "make", false, false},
		"what is broken":                {dialect.Codex, `{"assent": {"guard": {"wait": 0}}}`, "make", false, false},
		"a deny beside what is to wait": {dialect.Codex, `{"permissions": {"deny": ["Bash(rm:*)"]}}`, "make && rm x", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			w := newWorld(t, tt.agent).user(tt.user).asks(p)
			got := w.send(w.sessioned(tt.command))
			if asked := len(p.seen) > 0; asked != tt.asked || w.letsThrough(got) != tt.runs {
				t.Errorf("asked: %v; %s", asked, text(got))
			}
		})
	}
}

func TestA1_HowLongACallIsHeld(t *testing.T) {
	for name, tt := range map[string]struct {
		agent    dialect.Agent
		guard    string
		deadline time.Duration
		wait     time.Duration // zero: not at all
		served   bool          // only while the inbox is served
	}{
		"Codex":                     {dialect.Codex, `{}`, 0, 50 * time.Second, true},
		"Cursor":                    {dialect.Cursor, `{}`, 0, 15 * time.Second, true},
		"Claude Code, always":       {dialect.Claude, `{"inbox": "always"}`, 0, 50 * time.Second, false},
		"Copilot, always":           {dialect.Copilot, `{"inbox": "always"}`, 0, 15 * time.Second, false},
		"as the settings say":       {dialect.Codex, `{"wait": "2m"}`, 0, 2 * time.Minute, false},
		"longer than Cursor waits":  {dialect.Cursor, `{"wait": "2m"}`, 0, 15 * time.Second, false},
		"longer than Gemini waits":  {dialect.Gemini, `{"wait": "50s", "inbox": "always"}`, 0, 15 * time.Second, false},
		"longer than Codex waits":   {dialect.Codex, `{"wait": "2h"}`, 0, 9 * time.Minute, false},
		"a deadline is given":       {dialect.Codex, `{}`, time.Second, 0, false},
		"a deadline and a wait are": {dialect.Codex, `{"wait": "7s"}`, time.Second, 7 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			w := newWorld(t, tt.agent).user(`{"assent": {"guard": ` + tt.guard + `}}`).asks(p)
			w.options.Deadline = tt.deadline
			w.send(w.sessioned("make"))
			if tt.wait == 0 {
				if len(p.seen) != 0 {
					t.Errorf("%+v", p.seen)
				}
				return
			}
			if len(p.seen) != 1 || p.seen[0].Wait != tt.wait || p.seen[0].OnlyServed != tt.served {
				t.Errorf("%+v", p.seen)
			}
		})
	}
}

// Whoever sets up the hook knows how long the agent waits for it.
func TestA1_TheCommandLineSaysHowLong(t *testing.T) {
	for name, tt := range map[string]struct{ given, want time.Duration }{"longer": {5 * time.Minute, 5 * time.Minute}, "not at all": {0, 0}} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			w := newWorld(t, dialect.Cursor).user(`{"assent": {"guard": {"wait": "7s"}}}`).asks(p)
			w.options.Wait, w.options.WaitGiven = tt.given, true
			w.send(w.sessioned("make"))
			if tt.want == 0 && len(p.seen) != 0 || tt.want > 0 && (len(p.seen) != 1 || p.seen[0].Wait != tt.want || p.seen[0].OnlyServed) {
				t.Errorf("%+v", p.seen)
			}
		})
	}
}

// Nobody can approve what is not whole: whose call it is, where it runs, what it is.
func TestT5_WhatIsNotWholeIsNotHeld(t *testing.T) {
	for name, event := range map[string]func(w *world) string{
		"no session": func(w *world) string { return shellEvent(dialect.Cursor, w.proj, "make") },
		"no directory": func(w *world) string {
			return `{"hook_event_name":"preToolUse","session_id":"s1","workspace_roots":["` + w.proj + `","` + w.home + `"],"tool_name":"Shell","tool_input":{"command":"make"}}`
		},
		"part of a call": func(w *world) string {
			return `{"hook_event_name":"subagentStart","session_id":"s1","cwd":"` + w.proj + `","subagent_type":"x"}`
		},
		"too long a session": func(w *world) string {
			return with(shellEvent(dialect.Cursor, w.proj, "make"), "session_id", strings.Repeat("s", 300))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			w := newWorld(t, dialect.Cursor).user(`{"permissions": {"ask": ["Agent"]}, "assent": {"guard": {"inbox": "always"}}}`).asks(p)
			if got := w.send(event(w)); len(p.seen) != 0 || w.letsThrough(got) {
				t.Errorf("%+v; %s", p.seen, text(got))
			}
		})
	}
}

// A rule that was made while somebody thought about it holds.
func TestT5_RulesAreAskedAgainAfterAYes(t *testing.T) {
	p := yes()
	w := newWorld(t, dialect.Codex).asks(p)
	p.before = func() { w.user(`{"permissions": {"deny": ["Bash(make:*)"]}}`) }
	if got := w.send(w.sessioned("make")); w.letsThrough(got) || !strings.Contains(text(got), "says deny") {
		t.Errorf("%s", text(got))
	}
	p.before = func() { w.user(`{`) }
	w.user(`{}`)
	if got := w.send(w.sessioned("make")); w.letsThrough(got) {
		t.Errorf("%s", text(got))
	}
}

// Another input runs only where the agent can be given one, and only as the rules permit.
func TestA3_AnotherInputThanTheAgents(t *testing.T) {
	for name, tt := range map[string]struct {
		agent   dialect.Agent
		command string // in the event
		input   string
		runs    bool
		says    string
	}{
		"Claude Code":         {dialect.Claude, "make", `{"command":"make -n"}`, true, `"updatedInput":{"command":"make -n"}`},
		"Codex":               {dialect.Codex, "make", `{"command":"make -n"}`, true, `"updatedInput":{"command":"make -n"}`},
		"Cursor":              {dialect.Cursor, "make", `{"command":"make -n"}`, false, "has no way to be given one"},
		"a rule denies it":    {dialect.Codex, "make", `{"command":"rm x"}`, false, "says deny"},
		"it cannot be read":   {dialect.Codex, "make", `{"command":`, false, "could not judge"},
		"it does not fit":     {dialect.Codex, "make", `{"command":{}}`, false, "could not judge"},
		"it is no input":      {dialect.Claude, "make", `null`, false, "could not judge"},
		"it names two things": {dialect.Codex, "make", `{"command":"ls","cmd":"rm x"}`, false, "differs"},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			p.answer.Input = []byte(tt.input)
			w := newWorld(t, tt.agent).user(`{"permissions": {"deny": ["Bash(rm:*)"]}, "assent": {"guard": {"inbox": "always"}}}`).asks(p)
			got := w.send(w.sessioned(tt.command))
			if !strings.Contains(text(got), tt.says) || !tt.runs && w.letsThrough(got) {
				t.Errorf("%s", text(got))
			}
			if tt.runs && !strings.Contains(text(got), `"permissionDecision":"allow"`) {
				t.Errorf("%s", text(got))
			}
		})
	}
}

// Those who are asked know whether they may change the input.
func TestA3_WhoIsAskedKnowsWhetherTheInputCanBeChanged(t *testing.T) {
	for name, tt := range map[string]struct {
		agent dialect.Agent
		event string
		want  dialect.Edits
	}{
		"Claude Code":          {dialect.Claude, `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"PROJ","tool_name":"Bash","tool_input":{"command":"make","description":"build"}}`, dialect.Taken},
		"Codex":                {dialect.Codex, `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"PROJ","tool_name":"Bash","tool_input":{"command":"make"}}`, dialect.Taken},
		"Codex in other words": {dialect.Codex, `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"PROJ","tool_name":"exec_command","tool_input":{"cmd":"make"}}`, dialect.OtherWords},
		"Cursor":               {dialect.Cursor, `{"hook_event_name":"beforeShellExecution","session_id":"s1","cwd":"PROJ","command":"make"}`, dialect.NotTaken},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			w := newWorld(t, tt.agent).user(`{"assent": {"guard": {"inbox": "always"}}}`).asks(p)
			w.send(strings.ReplaceAll(tt.event, "PROJ", w.proj))
			if len(p.seen) != 1 || p.seen[0].Edits != tt.want {
				t.Errorf("%+v", p.seen)
			}
		})
	}
}

// A yes is for the file that the person was shown: behind a link that came since lies
// another one.
func TestT7_AYesForAnotherFile(t *testing.T) {
	p := yes()
	w := newWorld(t, dialect.Claude).user(`{"assent": {"guard": {"inbox": "always"}}}`).asks(p)
	w.options.Links = permission.NoLinks{}
	event := `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"` + w.proj + `","tool_name":"Write","tool_input":{"file_path":"docs/a.txt","content":"x"}}`
	for place, runs := range map[string]bool{w.proj + "/docs/a.txt": true, w.home + "/.ssh/a.txt": false, "": false} {
		if p.answer.Places = []string{place}; place == "" {
			p.answer.Places = []string{}
		}
		if got := w.send(event); w.letsThrough(got) != runs || !runs && !strings.Contains(text(got), "leads to "+w.proj+"/docs/a.txt now") {
			t.Errorf("%q: %s", place, text(got))
		}
	}
}

// While a person thinks, a path of the call comes to lead to another file. Whatever the agent
// calls its tool, and however many files it is about, the yes is not for that one.
func TestT7_AYesForTheFilesOfAnyTool(t *testing.T) {
	const patch = `"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: d/n.txt\n+x\n*** Add File: d/m.txt\n+y\n*** End Patch"}`
	for name, tt := range map[string]struct {
		agent dialect.Agent
		call  string
		paths []string
	}{
		"a patch of Codex": {dialect.Codex, patch, []string{"d/m.txt", "d/n.txt"}},
		"MultiEdit":        {dialect.Claude, `"tool_name":"MultiEdit","tool_input":{"file_path":"d/n.txt","edits":[{"old_string":"a","new_string":"b"}]}`, []string{"d/n.txt"}},
		"Write":            {dialect.Claude, `"tool_name":"Write","tool_input":{"file_path":"d/n.txt","content":"x"}`, []string{"d/n.txt"}},
		"NotebookEdit":     {dialect.Claude, `"tool_name":"NotebookEdit","tool_input":{"notebook_path":"d/n.txt","new_source":"x"}`, []string{"d/n.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			w := newWorld(t, tt.agent).user(`{"assent": {"guard": {"inbox": "always"}}}`).asks(p)
			w.write(w.proj, "d/other.txt", "x")
			event := `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"` + w.proj + `",` + tt.call + `}`
			if got := w.send(event); !w.letsThrough(got) {
				t.Fatalf("%s", text(got))
			}
			for i, path := range p.seen[0].Places {
				if len(p.seen[0].Places) != len(tt.paths) || path != filepath.Join(w.proj, tt.paths[i]) {
					t.Errorf("%q", p.seen[0].Places)
				}
			}
			p.before = func() {
				if err := os.Symlink("other.txt", filepath.Join(w.proj, "d/n.txt")); err != nil {
					t.Fatal(err)
				}
			}
			if got := w.send(event); w.letsThrough(got) || !strings.Contains(text(got), "leads to") {
				t.Errorf("%s", text(got))
			}
		})
	}
}

// What has become riskier since a person said yes was not approved as that.
func TestT7_AYesForALowerRisk(t *testing.T) {
	p := yes()
	w := newWorld(t, dialect.Codex).asks(p)
	p.answer.Risk = permission.LowRisk
	if got := w.send(w.sessioned("make")); w.letsThrough(got) || !strings.Contains(text(got), "its risk is medium now") {
		t.Errorf("%s", text(got))
	}
	p.answer.Risk = permission.HighRisk
	if got := w.send(w.sessioned("make")); !w.letsThrough(got) {
		t.Errorf("%s", text(got))
	}
}

// An input that its tool refuses is no call of the risk of the part that is understood, and needs
// what calls of a high risk need: its agent may understand more of it.
func TestT16_TheRiskOfWhatIsNotUnderstood(t *testing.T) {
	for input, want := range map[string]permission.Risk{
		`{"command":"touch x"}`:                              permission.MediumRisk,
		`{"command":"touch x","description":"makes a file"}`: permission.MediumRisk,
		`{"command":"touch x","Command":"y"}`:                permission.HighRisk,
		`{"command":"touch x","timeout":"for ever"}`:         permission.HighRisk,
	} {
		t.Run(input, func(t *testing.T) {
			p := yes()
			w := newWorld(t, dialect.Claude).asks(p)
			w.options.HoldFor = time.Minute
			w.write(w.home, ".claude/settings.json", `{"assent": {"approvals": {"high": {"approvers": 2}}}}`)
			w.send(strings.Replace(w.sessioned("touch x"), `{"command":"touch x"}`, input, 1))
			if len(p.seen) != 1 {
				t.Fatalf("asked %d times", len(p.seen))
			}
			if got := p.seen[0]; got.Risk != want || (got.Terms.Approvers == 2) != (want == permission.HighRisk) {
				t.Errorf("%v, which needs %+v, want %v", got.Risk, got.Terms, want)
			}
		})
	}
}

// A holder that hangs, or panics, lets nothing through.
func TestT11_AnInboxThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := yes()
		stuck := make(chan struct{})
		p.before = func() { <-stuck }
		w := newWorld(t, dialect.Codex).asks(p)
		o := w.options
		o.Stdin = strings.NewReader(w.sessioned("make"))
		began := time.Now()
		got := guard.Run(context.Background(), o)
		if w.letsThrough(got) || !strings.Contains(text(got), "the inbox does not answer") || time.Since(began) > 53*time.Second {
			t.Errorf("%s after %v", text(got), time.Since(began))
		}
		close(stuck)
	})
	p := yes()
	p.before = func() { panic("a fault") }
	w := newWorld(t, dialect.Codex).asks(p)
	if got := w.send(w.sessioned("make")); w.letsThrough(got) || !strings.Contains(text(got), "internal error: a fault") {
		t.Errorf("%s", text(got))
	}
}

func TestT14_DecisionsOfTheGuardAreRecordedBeforeTheyAreTold(t *testing.T) {
	const wanted = `{"permissions": {"deny": ["Bash(rm:*)"]}, "assent": {"guard": {"audit": true}}}`
	for name, tt := range map[string]struct {
		command  string
		people   *people
		decision string
		who      string
		rule     string
	}{
		"an allow":  {"ls", nil, "allow", "", ""},
		"a deny":    {"rm x", nil, "deny", "", "Bash(rm:*)"},
		"an ask":    {"make", nil, "ask", "", ""},
		"an answer": {"make", yes(), "allow", "ana", ""},
		"none":      {"make", &people{answer: guard.Answer{Ticket: "abc", Behavior: permission.Ask}}, "deny", "", ""},
		"a fault":   {"make", &people{err: errors.New("broken")}, "deny", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, dialect.Codex).user(wanted)
			if tt.people != nil {
				w.asks(tt.people)
			}
			var got []audit.Record
			w.options.Record = func(r audit.Record) error { got = append(got, r); return nil }
			w.send(w.sessioned(tt.command))
			if len(got) != 1 {
				t.Fatalf("%+v", got)
			}
			input, _ := strictjson.Marshal(map[string]string{"command": tt.command})
			if r := got[0]; r.Decision != tt.decision || r.Who != tt.who || r.Rule != tt.rule || r.Agent != "codex" || r.Session != "s1" || r.Cwd != w.proj ||
				r.Tool != "Bash" || r.Input.Text != string(input) || r.Reason == "" || r.Summary != tt.command || !strings.HasPrefix(r.Digest, "sha256:") {
				t.Errorf("%+v", r)
			}
			w.options.Record = func(audit.Record) error { return errors.New("the disk is full") }
			if reply := w.send(w.sessioned(tt.command)); w.letsThrough(reply) {
				t.Errorf("%s", text(reply))
			} else if tt.people == nil && !strings.Contains(text(reply), "the disk is full") {
				t.Errorf("%s", text(reply))
			}
			w.options.Record = nil
			if reply := w.send(w.sessioned(tt.command)); w.letsThrough(reply) {
				t.Errorf("%s", text(reply))
			}
		})
	}
	w := newWorld(t, dialect.Codex)
	w.options.Record = func(audit.Record) error { t.Error("recorded, and nobody wants it"); return nil }
	w.send(w.sessioned("ls"))
}
