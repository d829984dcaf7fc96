package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
)

func TestTheDetailOfACommand(t *testing.T) {
	w := newWorld(t)
	w.rules(`{"permissions":{"allow":["Bash(npm:*)"]}}`)
	d := w.look(w.park(bash("npm test && deploy --now"))[0].ID)
	if d.Rules == nil || d.Rules.Decision != "ask" || len(d.Rules.Parts) != 2 || d.Rules.Parts[0].Outcome != "allow" || d.Rules.Parts[1].Outcome != "ask" {
		t.Errorf("%+v", d.Rules)
	}
	if d.Rules.Parts[0].Rule == nil || !strings.HasSuffix(d.Rules.Parts[0].Rule.Place(), "settings.json:1") {
		t.Errorf("%+v", d.Rules.Parts[0].Rule)
	}
	if d.Context.Prompt != "deploy the site" || len(d.Context.Turns) != 2 || d.Context.Turns[1].Who != "model" || d.Context.Turns[1].Text != "I will do that." {
		t.Errorf("%+v", d.Context)
	}
	if d.Consequences.Cwd != w.cwd || d.Consequences.Host == "" || !d.Consequences.Network {
		t.Errorf("%+v", d.Consequences)
	}
	if d.Why != "a person has to say so" || d.Policy != "sha256:test" || len(d.History) != 1 || !d.Editable || d.Confirm != nil || d.Problem != "" {
		t.Errorf("%+v", d)
	}
}

func TestTheDetailOfAnEdit(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.cwd, "a.txt")
	w.must(os.WriteFile(path, []byte("one\ntwo\nthree\n"), 0o644))
	d := w.look(w.park(call("Edit", map[string]any{"file_path": path, "old_string": "two", "new_string": "2"}))[0].ID)
	if d.Change == nil || !slices.Equal(d.Change.Lines, []string{" one", "-two", "+2", " three"}) {
		t.Errorf("%+v", d.Change)
	}
	if len(d.Consequences.Files) != 1 || d.Consequences.Files[0] != (fileView{path, "writes", true, false, ""}) || d.Consequences.Network {
		t.Errorf("%+v", d.Consequences)
	}
}

func TestWhatMayReachOtherMachines(t *testing.T) {
	w := newWorld(t)
	for command, want := range map[string]bool{
		"ls -l": false, "cat a | grep b": false, "rm -r build": false, "git commit -m x": true, "git add .": false, "git push": true, "curl https://x.example": true, "make": true,
		"ls; make": true, "echo x > /dev/tcp/1.2.3.4/80": true, "echo $(curl x)": true, "mv a b && chmod +x b": false, "'": true, "PATH=. ls": true,
	} {
		j := w.judge(approval.Call{Tool: "Bash", Input: bash(command).Input, Cwd: w.cwd}, "default")
		if got := mayReach(j.judgement.Call); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

func TestQuestionsAreAnswered(t *testing.T) {
	w := newWorld(t)
	question := map[string]any{"question": "Which one?", "header": "Choice", "multiSelect": false, "options": []any{map[string]any{"label": "A", "description": "a"}, map[string]any{"label": "B", "description": "b"}}}
	ticket := w.park(call("AskUserQuestion", map[string]any{"questions": []any{question}}))[0]
	d := w.look(ticket.ID)
	if len(d.Questions) != 1 || d.Questions[0].Text != "Which one?" || len(d.Questions[0].Options) != 2 {
		t.Errorf("%+v", d.Questions)
	}
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}); got.code() != "invalid" || !strings.Contains(got.body, "Which one?") {
		t.Errorf("%d %s", got.status, got.body)
	}
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "answers": []string{"1=B"}}).into(t, &d)
	if d.State != "approved" || !strings.Contains(string(d.Edited), `"Which one?":"B"`) {
		t.Errorf("%s %s", d.State, d.Edited)
	}
}

func TestTheSuggestionIsTriedOnThePast(t *testing.T) {
	w := newWorld(t)
	for i, command := range []string{"npm run a", "npm run b", "npm run c", "npm run d; rm x"} {
		past := w.park(bash(command))[0]
		if i == 1 {
			w.post("/api/v1/tickets/"+past.ID+"/deny", map[string]any{"digest": past.Digest, "reason": "no"}).into(t, new(detailView))
		} else {
			w.approveAs(past.ID, map[string]any{"digest": past.Digest}).into(t, new(detailView))
		}
	}
	ticket := w.park(bash("npm run e"))[0]
	d := w.look(ticket.ID)
	if d.Earlier.Approved != 2 || d.Earlier.Denied != 1 || len(d.Earlier.Last) != 3 {
		t.Errorf("%+v", d.Earlier)
	}
	if s := d.Suggestion; s == nil || len(s.Updates) != 1 || len(s.Examples) != s.Covers {
		t.Fatalf("%+v", s)
	}
	u := d.Suggestion.Updates[0]
	t.Logf("%+v", d.Suggestion)
	if u.Destination != "session" || u.File != "" || u.Account != "ann@test" || u.Files["local"] != filepath.Join(w.cwd, ".claude", "settings.local.json") {
		t.Errorf("%+v", u)
	}
	for _, bad := range []map[string]any{
		{"index": 1, "scope": "local"}, {"index": -1, "scope": "local"}, {"index": 0, "scope": "managed"}, {"index": 0}, {"index": 0, "scope": "local", "rules": []string{"Bash"}}, {"index": 0, "scope": "local", "behavior": "allow"},
	} {
		if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "rule": bad}); got.status != 400 && got.status != 409 {
			t.Errorf("%v: %d %s", bad, got.status, got.body)
		}
	}
	if w.state(ticket.ID) != approval.Pending {
		t.Fatal("it was approved")
	}
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "rule": map[string]any{"index": 0, "scope": "user", "rules": u.Rules}}).into(t, &d)
	if d.Rule == nil || d.Rule.Problem != "" || d.Rule.Scope != "user" {
		t.Errorf("%+v", d.Rule)
	}
	text, err := os.ReadFile(filepath.Join(w.top, "home", ".claude", "settings.json"))
	if err != nil || !strings.Contains(string(text), u.Rules[0]) {
		t.Errorf("%s, %v", text, err)
	}
}

// The suggested rule of one sub-command covers others like it, and nothing more.
func TestTheSuggestionCountsWhatItCovers(t *testing.T) {
	w := newWorld(t)
	for _, command := range []string{"npm test -- --fast", "npm test", "npm test && npm publish"} {
		past := w.park(bash(command))[0]
		if command == "npm test" {
			w.post("/api/v1/tickets/"+past.ID+"/deny", map[string]any{"digest": past.Digest, "reason": "no"}).into(t, new(detailView))
		}
	}
	s := w.look(w.park(bash("npm test -- --all"))[0].ID).Suggestion
	if s == nil || s.Updates[0].Rules[0] != "Bash(npm test:*)" || s.Covers != 2 || s.Denied != 1 || len(s.Examples) != 2 {
		t.Errorf("%+v", s)
	}
}

func TestARuleForTheSessionIsKeptInMemory(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	before, err := os.ReadDir(filepath.Join(w.cwd, ".claude"))
	w.must(err)
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "rule": map[string]any{"index": 0, "scope": "session"}}).into(t, new(detailView))
	rules := w.added.of(t.Context(), ticket.Session)
	if len(rules) != 1 || !slices.Equal(rules[0].Rules, []string{"Bash(npm test:*)"}) || len(w.added.of(t.Context(), session.NewID())) != 0 {
		t.Errorf("%+v", rules)
	}
	if after, _ := os.ReadDir(filepath.Join(w.cwd, ".claude")); len(after) != len(before) {
		t.Error("a file was written")
	}
}

func TestARuleThatCannotBeWrittenIsSaid(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.must(os.MkdirAll(filepath.Join(w.cwd, ".claude", "settings.local.json"), 0o755)) // where a file should be
	u := permission.Update{Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.LocalSettings, Rules: []string{"Bash(npm test:*)"}}
	if v := w.add(t.Context(), ticket, u); v.Problem == "" || v.File == "" || v.Scope != "local" {
		t.Errorf("%+v", v)
	}
}

func TestHistoryIsSearched(t *testing.T) {
	w := newWorld(t)
	w.park(bash("npm test"), bash("deploy one"), bash("deploy two"))
	var h historyView
	w.get("/api/v1/history?q=DEPLOY").into(t, &h)
	if len(h.Tickets) != 2 || h.Next != "" {
		t.Errorf("%+v", h)
	}
	w.get("/api/v1/history?limit=2").into(t, &h)
	first := h.Tickets
	w.get("/api/v1/history?limit=2&after="+h.Next).into(t, &h)
	if len(first) != 2 || len(h.Tickets) != 1 || h.Next != "" {
		t.Errorf("%+v, %+v", first, h)
	}
	if got := w.get("/api/v1/history?q=" + strings.Repeat("x", 201)); got.code() != "invalid" {
		t.Error(got)
	}
}

func TestASessionIsWatched(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	path := "/api/v1/sessions/" + ticket.Session
	var v sessionView
	w.get(path).into(t, &v)
	if v.State != "waits" || v.Running || v.Prompt != "deploy the site" || len(v.Turns) != 3 || v.Turns[2].Tool != "Bash" || v.Result != "" {
		t.Errorf("%+v", v)
	}
	tr, err := w.Sessions.Resume(ticket.Session)
	w.must(err)
	w.get(path).into(t, &v)
	if v.State != "running" || !v.Running {
		t.Errorf("%+v", v)
	}
	w.must(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.Result("toolu_a", "all green\u202e")}}))
	w.must(tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{model.TextBlock("It is deployed.")}}))
	w.must(tr.Append(session.Ended, map[string]string{"subtype": "success"}))
	w.must(tr.Close())
	w.get(path).into(t, &v)
	if v.State != "done" || v.Result != "It is deployed." || v.Turns[3].Who != "tool" || v.Turns[3].Tool != "Bash" || v.Turns[3].Text != "all green\u202e" {
		t.Errorf("%+v", v)
	}
}

func TestAnUnknownCallIsResolved(t *testing.T) {
	w := newWorld(t)
	for _, ran := range []bool{true, false} {
		ticket := w.park(bash("npm test"))[0]
		w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
		tr, err := w.Sessions.Resume(ticket.Session)
		w.must(err)
		_, err = w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, nil, "a process that dies")
		w.must(err)
		w.must(tr.Append(session.Began, session.Beginning{ToolUseID: ticket.ToolUseID, Input: ticket.Input}))
		w.must(tr.Close())
		if d := w.look(ticket.ID); d.State != "unknown" {
			t.Errorf("it is %s", d.State)
		}
		if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}); got.code() != "changed" {
			t.Errorf("%d %s", got.status, got.body)
		}
		if got := w.post("/api/v1/tickets/"+ticket.ID+"/resolve", map[string]any{"note": "x"}); got.code() != "invalid" {
			t.Errorf("%d %s", got.status, got.body)
		}
		var d detailView
		w.post("/api/v1/tickets/"+ticket.ID+"/resolve", map[string]any{"ran": ran, "note": "I looked"}).into(t, &d)
		if want := map[bool]string{true: "ran", false: "pending"}[ran]; d.State != want {
			t.Errorf("ran %v: %s", ran, d.State)
		}
	}
}

func TestAHeldCallIsAnswered(t *testing.T) {
	w := newWorld(t)
	hold := func(command string) approval.Ticket {
		p := approval.Parking{Call: approval.Call{Session: "theirs", Tool: "Bash", Input: bash(command).Input, Cwd: w.cwd}, Lasts: 1 << 40, Risk: permission.MediumRisk, Kin: "Bash(npm test)"}
		ticket, err := w.Tickets.Hold(t.Context(), "codex", p)
		w.must(err)
		return ticket
	}
	ticket := hold("npm test")
	d := w.look(ticket.ID)
	if d.Asker != "codex" || d.State != "pending" || d.Problem != "" || d.Rules == nil || d.Editable {
		t.Errorf("%+v", d)
	}
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": map[string]any{"command": "ls"}}); got.code() != "invalid" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := w.approveAs(ticket.ID, map[string]any{"digest": "sha256:0"}); got.code() != "changed" {
		t.Errorf("%d %s", got.status, got.body)
	}
	w.rules(`{"permissions":{"deny":["Bash(npm:*)"]}}`)
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}); got.code() != "denied" {
		t.Errorf("%d %s", got.status, got.body)
	}
	w.rules(`{}`)
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(t, &d)
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}); d.State != "approved" || got.code() != "answered" {
		t.Errorf("%s, %d %s", d.State, got.status, got.body)
	}
	handed, err := w.Tickets.Hand(t.Context(), ticket.ID, "the guard")
	if err != nil || handed.State != approval.Handed {
		t.Errorf("%s, %v", handed.State, err)
	}
	no := hold("npm test two")
	w.post("/api/v1/tickets/"+no.ID+"/deny", map[string]any{"digest": no.Digest, "reason": "no"}).into(t, &d)
	if d.State != "denied" {
		t.Error(d.State)
	}
}

// A held call is edited like a parked one: checked, judged again, bound to what was shown.
func TestA3_AHeldCallIsEdited(t *testing.T) {
	w := newWorld(t)
	w.rules(`{"permissions":{"deny":["Bash(rm:*)"]}}`)
	hold := func(name string, edits approval.Edits, input session.PendingCall) approval.Ticket {
		p := approval.Parking{Call: approval.Call{Session: name, Tool: input.Tool, Input: input.Input, Cwd: w.cwd}, Lasts: time.Hour, Risk: permission.MediumRisk, Edits: edits}
		ticket, err := w.Tickets.Hold(t.Context(), "codex", p)
		w.must(err)
		return ticket
	}
	ticket := hold("s1", approval.Taken, bash("npm test"))
	if d := w.look(ticket.ID); !d.Editable || d.Fixed != "" {
		t.Errorf("%v %q", d.Editable, d.Fixed)
	}
	edited := map[string]any{"command": "npm test -- --watch=false"}
	var c checkView
	w.post("/api/v1/tickets/"+ticket.ID+"/check", map[string]any{"input": edited}).into(t, &c)
	if !c.Valid || c.Digest == ticket.Digest || c.Rules == nil {
		t.Errorf("%+v", c)
	}
	for _, attack := range []struct {
		input  any
		digest string
		code   string
	}{
		{map[string]any{"command": "rm -r build"}, ticket.Digest, "denied"},
		{map[string]any{"command": "rm -rf ~/work"}, ticket.Digest, "denied"},
		{map[string]any{"command": "git push --force origin main"}, ticket.Digest, "confirm"},
		{map[string]any{"comand": "npm test"}, ticket.Digest, "invalid"},
		{edited, "sha256:0", "changed"},
		{edited, c.Digest, "changed"}, // what the person was shown is what the agent asked for
	} {
		if got := w.approveAs(ticket.ID, map[string]any{"digest": attack.digest, "input": attack.input, "confirm": "Bash"}); got.code() != attack.code {
			t.Errorf("%v: %d %s", attack, got.status, got.body)
		}
	}
	if w.state(ticket.ID) != approval.Pending {
		t.Fatal(w.state(ticket.ID))
	}
	var d detailView
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": edited}).into(t, &d)
	if d.State != "approved" || string(d.Edited) != `{"command":"npm test -- --watch=false"}` {
		t.Errorf("%s %s", d.State, d.Edited)
	}
	handed, err := w.Tickets.Hand(t.Context(), ticket.ID, "the guard")
	if err != nil || handed.Answer.Digest != c.Digest || string(handed.Answer.Input) != string(d.Edited) {
		t.Errorf("%+v, %v", handed.Answer, err)
	}
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": map[string]any{"command": "npm run all"}}); got.status != 409 {
		t.Errorf("after the yes was used: %d %s", got.status, got.body)
	}

	for _, fixed := range []struct {
		ticket approval.Ticket
		says   string
	}{
		{hold("s2", approval.NotTaken, bash("npm test")), "no way to be given another input"},
		{hold("s3", approval.OtherWords, bash("npm test")), "in other words"},
		{hold("s4", approval.Unsaid, bash("npm test")), "runs exactly the call"},
		{hold("s5", approval.Taken, call("codex:apply_patch", map[string]any{"command": "x"})), "nobody could judge another input"},
	} {
		d := w.look(fixed.ticket.ID)
		if d.Editable || !strings.Contains(d.Fixed, fixed.says) || d.Problem != "" {
			t.Errorf("%v %q %q", d.Editable, d.Fixed, d.Problem)
		}
		if got := w.approveAs(fixed.ticket.ID, map[string]any{"digest": fixed.ticket.Digest, "input": map[string]any{"command": "ls"}, "confirm": d.word()}); got.code() != "invalid" || !strings.Contains(got.body, fixed.says) {
			t.Errorf("%s: %d %s", fixed.says, got.status, got.body)
		}
		w.approveAs(fixed.ticket.ID, map[string]any{"digest": fixed.ticket.Digest, "confirm": d.word()}).into(t, new(detailView))
	}
}

// word is what has to be typed; empty when nothing has to.
func (d detailView) word() string {
	if d.Confirm == nil {
		return ""
	}
	return d.Confirm.Word
}

func TestTheDifferenceOfTwoInputs(t *testing.T) {
	d := difference([]string{"a", "b", "c"}, []string{"a", "x", "c"})
	if !slices.Equal(d, []string{" a", "-b", "+x", " c"}) {
		t.Errorf("%q", d)
	}
}

func TestReadiness(t *testing.T) {
	w := newWorld(t)
	if got := w.get("/readyz"); got.status != 503 || got.code() != "busy" {
		t.Errorf("nobody follows: %d %s", got.status, got.body)
	}
	w.following.Store(true)
	if got := w.get("/readyz"); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	w.ailments = append(w.ailments, func() error { return os.ErrDeadlineExceeded })
	if got := w.get("/readyz"); got.status != 503 || strings.Contains(got.body, "deadline") {
		t.Errorf("an ailment: %d %s", got.status, got.body)
	}
	w.ailments = nil
	w.must(w.Tickets.Close())
	if got := w.get("/readyz"); got.status != 503 || strings.Contains(got.body, w.top) {
		t.Errorf("closed: %d %s", got.status, got.body)
	}
	if got := w.get("/healthz"); got.status != 200 || strings.TrimSpace(got.body) != `{"ok":true}` {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := w.get("/api/v1/tickets"); got.status != 503 || got.code() != "internal" || strings.Contains(got.body, w.top) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// What is shown of a change says how much of it that is. Of a call that is over it is what
// the call was for, whatever the file says by now, and what had led to it.
func TestAChangeSaysWhatItShows(t *testing.T) {
	w := newWorld(t)
	long := w.park(call("Write", map[string]string{"file_path": "long.txt", "content": strings.Repeat("line\n", 1500)}))[0]
	if c := w.look(long.ID).Change; c == nil || c.Of != 1500 || len(c.Lines) != 401 {
		t.Fatalf("%+v", c)
	}
	id := session.NewID()
	ticket := w.parkIn(id, call("Edit", map[string]string{"file_path": "a.txt", "old_string": "one", "new_string": "two"}))[0]
	if c := w.look(ticket.ID).Change; c == nil || c.Of != 0 || !strings.Contains(c.Note, "cannot be read") {
		t.Fatalf("%+v", c)
	}
	w.post("/api/v1/tickets/"+ticket.ID+"/deny", map[string]any{"digest": ticket.Digest, "reason": "no"}).into(t, new(detailView))
	tr, err := w.Sessions.Resume(id)
	w.must(err)
	w.must(tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{model.TextBlock("what came afterwards")}}))
	w.must(tr.Close())
	d := w.look(ticket.ID)
	if c := d.Change; c == nil || !slices.Equal(c.Lines, []string{"-one", "+two"}) || strings.Contains(c.Note, "fail") {
		t.Errorf("%+v", c)
	}
	if n := len(d.Context.Turns); n == 0 || d.Context.Turns[n-1].Text != "I will do that." || d.Context.Prompt != "deploy the site" {
		t.Errorf("%+v", d.Context)
	}
}
