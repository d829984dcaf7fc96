package inbox

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/session"
)

// A person chooses where a rule stands, and is shown the file of each place.
func TestA3_TheFileOfEveryPlace(t *testing.T) {
	w := newWorld(t)
	u := w.look(w.park(bash("npm run lint"))[0].ID).Suggestion.Updates[0]
	want := map[string]string{
		"local": filepath.Join(w.cwd, ".claude", "settings.local.json"), "project": filepath.Join(w.cwd, ".claude", "settings.json"), "user": filepath.Join(w.top, "home", ".claude", "settings.json"),
	}
	if !maps.Equal(u.Files, want) {
		t.Errorf("%v", u.Files)
	}
}

// What lasts as long as a session covers no calls of others, and a mode is for what comes.
func TestA3_OnlyItsOwnCallsForASession(t *testing.T) {
	w := newWorld(t)
	w.park(bash("npm test -- --fast"))
	s := w.look(w.park(bash("npm test"), bash("npm test -- --all"))[0].ID).Suggestion
	if s == nil || s.Covers != 2 || s.Session.Covers != 1 || len(s.Session.Examples) != 1 || !strings.Contains(s.Session.Examples[0].Sentence, "--all") {
		t.Errorf("%+v", s)
	}
	write := func(name string) session.PendingCall {
		return call("Write", map[string]string{"file_path": filepath.Join(w.cwd, name), "content": "x"})
	}
	w.park(write("a"), write("b"))
	s = w.look(w.park(write("c"), write("d"))[0].ID).Suggestion
	if s == nil || s.Updates[0].Type != "setMode" || s.Covers != 0 || s.Session.Covers != 0 || len(s.Examples) != 0 {
		t.Errorf("%+v", s)
	}
}

// Whoever looks for a rule and finds none is told why.
func TestA3_WhyThereIsNoRule(t *testing.T) {
	w := newWorld(t)
	w.rules(`{"permissions":{"allow":["Bash(make:*)"],"ask":["Bash(git push:*)"],"deny":["Bash(npm publish:*)"]}}`)
	for command, want := range map[string]string{
		"make":          "the rules let it run already; it was a hook that stopped it",
		"git push":      "a rule wants such calls asked each time: rule Bash(git push:*)",
		"npm publish":   "the rules deny it: rule Bash(npm publish:*)",
		`bash -c "$X"`:  "nobody can say whether another rule is about it: rule Bash(npm publish:*)",
		"rm -rf ~/work": "no rule for calls like this would be safe",

		"echo x > .claude/settings.json": "only a person can let it run, each time: ",
	} {
		d := w.look(w.park(bash(command))[0].ID)
		if d.Suggestion != nil || !strings.Contains(d.NoRule, want) {
			t.Errorf("%s: %+v %q", command, d.Suggestion, d.NoRule)
		}
	}
	if d := w.look(w.park(bash("npm test"))[0].ID); d.Suggestion == nil || d.NoRule != "" || d.StoppedBy != byHook {
		t.Errorf("%+v %q %s", d.Suggestion, d.NoRule, d.StoppedBy)
	}
}

// What the agent wanted and what a person has made of it stand side by side.
func TestA3_AnEditedCallShowsBoth(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.cwd, "a.txt")
	ticket := w.park(call("Write", map[string]string{"file_path": path, "content": "world\n"}))[0]
	if d := w.look(ticket.ID); d.EditedChange != nil || !slices.Equal(d.Change.Lines, []string{"+world"}) {
		t.Errorf("%+v %+v", d.Change, d.EditedChange)
	}
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": map[string]string{"file_path": path, "content": "WORLD\n"}}).into(t, new(detailView))
	d := w.look(ticket.ID)
	if !slices.Equal(d.Change.Lines, []string{"+world"}) || !strings.Contains(string(d.Input), `"world\n"`) {
		t.Errorf("%+v %s", d.Change, d.Input)
	}
	if d.EditedChange == nil || !slices.Equal(d.EditedChange.Lines, []string{"+WORLD"}) || !strings.Contains(string(d.Edited), `"WORLD\n"`) {
		t.Errorf("%+v %s", d.EditedChange, d.Edited)
	}
}

// The words of a sentence are not listed as files; what is one, or lies elsewhere, is.
func TestA3_WordsAreNoFiles(t *testing.T) {
	w := newWorld(t)
	w.must(os.MkdirAll(filepath.Join(w.cwd, "src"), 0o755))
	w.must(os.WriteFile(filepath.Join(w.cwd, "notes"), nil, 0o644))
	d := w.look(w.park(bash("npm run lint this is a and/or b notes src/new.js ../elsewhere .claude/settings.json"))[0].ID)
	var got []string
	for _, f := range d.Consequences.Files {
		got = append(got, f.Access+" "+strings.TrimPrefix(f.Path, w.top))
	}
	want := []string{"may read /project/notes", "may read /project/src/new.js", "may read /elsewhere", "may read /project/.claude/settings.json"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The tools change no file that the model has not seen, and whoever decides is told before.
func TestA3_AnEditThatWillFailIsTold(t *testing.T) {
	w := newWorld(t)
	seen, other := filepath.Join(w.cwd, "seen"), filepath.Join(w.cwd, "other")
	for _, path := range []string{seen, other} {
		w.must(os.WriteFile(path, []byte("one\n"), 0o644))
	}
	edit := func(path string) session.PendingCall {
		return call("Edit", map[string]string{"file_path": path, "old_string": "one", "new_string": "two"})
	}
	fresh := call("Write", map[string]string{"file_path": filepath.Join(w.cwd, "new"), "content": "x"})
	tickets := w.park(edit(seen), edit(other), fresh)
	tr, err := w.Sessions.Resume(tickets[0].Session)
	w.must(err)
	w.must(tr.Append(session.Saw, map[string]string{"path": seen, "digest": "x"}))
	w.must(tr.Close())
	for i, told := range []bool{false, true, false} {
		if d := w.look(tickets[i].ID); strings.Contains(d.Doubt, "has not been read in this session") != told {
			t.Errorf("%d: %q", i, d.Doubt)
		}
	}
}

// A guard waits only for a while. Whoever answers later knows that nothing happens at once.
func TestA1_AGuardThatHasGivenUp(t *testing.T) {
	w := newWorld(t)
	var moved []string
	keeper := w.keeper().Telling(func(session string) { moved = append(moved, session) })
	hold := line.Hold{Asker: "codex", Session: "theirs", Tool: "Bash", Input: bash("make").Input, Cwd: w.cwd, Risk: "low", LastsMS: time.Hour.Milliseconds()}
	ticket := keeper.Keep(t.Context(), hold).Ticket
	if d := w.look(ticket); d.Guard != guardUnknown || d.StoppedBy != byRules {
		t.Errorf("nobody holds calls here: %q %q", d.Guard, d.StoppedBy)
	}
	w.Server.held = keeper
	if d := w.look(ticket); d.Guard != guardGone || !slices.Equal(moved, []string{"theirs"}) {
		t.Errorf("%q %q", d.Guard, moved)
	}
	w.Server.held = w.keeper()
	if d := w.look(ticket); d.Guard != guardUnknown {
		t.Errorf("the server was started anew: %q", d.Guard)
	}
	if d := w.look(w.park(bash("make"))[0].ID); d.Guard != "" {
		t.Errorf("no guard holds it: %q", d.Guard)
	}
}
