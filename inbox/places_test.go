package inbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// diskLinks are those of the disk.
type diskLinks struct{}

func (diskLinks) Readlink(path string) (string, error) {
	target, err := os.Readlink(path)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", nil
	}
	return target, err
}

// linked is a world where links are followed, with a directory d in the project and one
// outside of it.
func linked(t testing.TB) (w *world, outside string) {
	t.Helper()
	w = newWorld(t)
	top, err := filepath.EvalSymlinks(w.top)
	w.must(err)
	w.top, w.cwd = top, filepath.Join(top, "project")
	plain := w.Checker
	w.Checker = func(cwd string) (*policy.Checker, error) {
		c, err := plain(cwd)
		if err == nil {
			c.Links, c.Settings.Home = diskLinks{}, filepath.Join(top, "home")
		}
		return c, err
	}
	outside = filepath.Join(top, "outside")
	w.must(errors.Join(os.Mkdir(outside, 0o755), os.Mkdir(filepath.Join(w.cwd, "d"), 0o755)))
	return w, outside
}

func (w *world) approveOnly(ticket approval.Ticket, more map[string]any) answer {
	w.t.Helper()
	body := map[string]any{"digest": ticket.Digest}
	for name, value := range more {
		body[name] = value
	}
	return w.post("/api/v1/tickets/"+ticket.ID+"/approve", body)
}

func (w *world) found(id string) approval.Ticket {
	w.t.Helper()
	ticket, err := w.Tickets.Find(w.t.Context(), id)
	w.must(err)
	return ticket
}

// While a person reads, the path comes to lead to another file. The yes is to the one that
// was shown, so it is refused, and the person is told both.
func TestT7_AYesIsForTheFileThatWasShown(t *testing.T) {
	w, outside := linked(t)
	d := filepath.Join(w.cwd, "d")
	w.must(errors.Join(os.WriteFile(filepath.Join(d, "a.cfg"), []byte("a"), 0o600), os.WriteFile(filepath.Join(outside, "a.cfg"), []byte("secret"), 0o600)))
	tickets := w.park(call("Write", map[string]string{"file_path": "d/new.cfg", "content": "x"}), call("Read", map[string]string{"file_path": filepath.Join(d, "a.cfg")}))
	w.look(tickets[0].ID)
	w.must(errors.Join(os.Rename(d, d+".was"), os.Symlink(outside, d)))
	for i, name := range []string{"new.cfg", "a.cfg"} {
		got := w.approveOnly(tickets[i], nil)
		if got.status != 409 || got.code() != "changed" || !strings.Contains(got.body, filepath.Join(outside, name)) || !strings.Contains(got.body, filepath.Join(d, name)) {
			t.Errorf("%d: %s", got.status, got.body)
		}
		if state := w.found(tickets[i].ID).State; state != approval.Pending {
			t.Errorf("%s: %s", name, state)
		}
	}
}

// Who has looked again, and says which file was shown, means that one.
func TestT7_TheNewFileCanBeMeant(t *testing.T) {
	w, outside := linked(t)
	d, write := filepath.Join(w.cwd, "d"), call("Write", map[string]string{"file_path": "d/new.cfg", "content": "x"})
	was, is := []string{filepath.Join(d, "new.cfg")}, []string{filepath.Join(outside, "new.cfg")}
	first, second, third := w.park(write)[0], w.park(write)[0], w.park(call("Read", map[string]string{"file_path": "d/new.cfg"}))[0]
	if seen := w.look(first.ID); !slices.Equal(seen.Places, was) || seen.Moved != "" {
		t.Errorf("%q, %q", seen.Places, seen.Moved)
	}
	if got := w.approveOnly(first, map[string]any{"places": was}); got.status != 200 {
		t.Errorf("%d: %s", got.status, got.body)
	}
	w.must(errors.Join(os.Remove(d), os.Symlink(outside, d)))
	seen := w.look(second.ID)
	if !slices.Equal(seen.Places, is) || !strings.Contains(seen.Moved, "it led to "+was[0]+" when it was parked") {
		t.Errorf("%q, %q", seen.Places, seen.Moved)
	}
	for _, shown := range [][]string{nil, {}, was, append(was, is...)} {
		if got := w.approveOnly(second, map[string]any{"places": shown}); got.code() != "changed" {
			t.Errorf("%q: %d: %s", shown, got.status, got.body)
		}
	}
	batch := w.post("/api/v1/batch", map[string]any{"approve": []any{map[string]any{"id": third.ID, "digest": third.Digest, "places": was}}})
	if !strings.Contains(batch.body, "it leads to a file that its line does not name") || w.found(third.ID).State != approval.Pending {
		t.Error(batch.body)
	}
	if got := w.approveOnly(second, map[string]any{"places": seen.Places}); got.status != 200 || !slices.Equal(w.found(second.ID).Answer.Places, is) {
		t.Errorf("%d: %s", got.status, got.body)
	}
	if seen := w.look(first.ID); !slices.Equal(seen.Places, was) { // those of the yes
		t.Errorf("%q", seen.Places)
	}
}

// With an input of the person's own the yes is for the file that this names, as long as no link
// leads elsewhere; behind one it must be named.
func TestT7_AnInputThatLeadsElsewhere(t *testing.T) {
	w, outside := linked(t)
	w.must(os.Symlink(outside, filepath.Join(w.cwd, "link")))
	write := call("Write", map[string]string{"file_path": "d/new.cfg", "content": "x"})
	ticket, second := w.park(write)[0], w.park(write)[0]
	behind := map[string]any{"input": map[string]string{"file_path": "link/b.cfg", "content": "x"}}
	if got := w.approveOnly(ticket, behind); got.code() != "changed" || !strings.Contains(got.body, filepath.Join(outside, "b.cfg")) {
		t.Errorf("%d: %s", got.status, got.body)
	}
	var checked checkView
	w.post("/api/v1/tickets/"+ticket.ID+"/check", behind).into(t, &checked)
	if !slices.Equal(checked.Places, []string{filepath.Join(outside, "b.cfg")}) {
		t.Errorf("%q", checked.Places)
	}
	plain := map[string]any{"input": map[string]string{"file_path": "d/b.cfg", "content": "x"}}
	if got := w.approveOnly(ticket, plain); got.status != 200 || !slices.Equal(w.found(ticket.ID).Answer.Places, []string{filepath.Join(w.cwd, "d", "b.cfg")}) {
		t.Errorf("%d: %s", got.status, got.body)
	}
	behind["places"] = checked.Places
	if got := w.approveOnly(second, behind); got.status != 200 || !slices.Equal(w.found(second.ID).Answer.Places, checked.Places) {
		t.Errorf("%d: %s", got.status, got.body)
	}
}

// A ticket that does not say where its call led is no word that it led anywhere.
func TestT7_NobodyWasShownWhereItLeads(t *testing.T) {
	w, _ := linked(t)
	held, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: approval.Call{Session: "theirs", Tool: "Write", Input: call("Write", map[string]string{"file_path": "d/a", "content": "x"}).Input, Cwd: w.cwd}, Lasts: time.Hour, Risk: permission.MediumRisk})
	w.must(err)
	if got := w.approveOnly(held, nil); got.code() != "changed" {
		t.Errorf("%d: %s", got.status, got.body)
	}
	if got := w.approveOnly(held, map[string]any{"places": w.look(held.ID).Places}); got.status != 200 {
		t.Errorf("%d: %s", got.status, got.body)
	}
}

// Any process of the user can write a line on the socket. What a person reads of a call that
// only its guard understands is not rewritten by one, and no line says what sort of call it is.
func TestT16_NoLineRewritesWhatAPersonReads(t *testing.T) {
	w := newWorld(t)
	keeper := w.keeper()
	patch := line.Hold{
		Asker: "codex", Session: "theirs", Tool: "codex:apply_patch", Input: call("", map[string]string{"command": "*** Begin Patch"}).Input, Cwd: w.cwd,
		Why: "no rule allows it", Risk: "medium", Kin: "codex:apply_patch", Places: []string{filepath.Join(w.cwd, "a")}, LastsMS: time.Hour.Milliseconds(),
	}
	id := keeper.Keep(t.Context(), patch).Ticket
	was := w.look(id)
	if files := was.Consequences.Files; len(files) != 1 || files[0].Path != patch.Places[0] || !files[0].Inside {
		t.Errorf("%+v", files) // where it leads is on the page
	}
	patch.Why, patch.Kin, patch.LastsMS, patch.Risk = "reviewed by security, safe", "Bash(ls)", 100_000, "low"
	if again := keeper.Keep(t.Context(), patch).Ticket; again != id {
		t.Fatal(again)
	}
	if is := w.look(id); is.Why != was.Why || is.Kin != "codex:apply_patch" || !is.Expires.Equal(was.Expires) || is.Risk != "medium" || !slices.Equal(is.Places, patch.Places) {
		t.Errorf("%+v, %+v", was, is)
	}
	patch.Session = "others" // a line that comes first
	if first := w.look(keeper.Keep(t.Context(), patch).Ticket); first.Kin != "codex:apply_patch" || !strings.HasPrefix(first.Why, "its guard says: ") {
		t.Errorf("%q, %q", first.Kin, first.Why)
	}
}

// The word that has to be typed names the file that would be written, and not a name that
// the model has chosen for it.
func TestT16_TheWordNamesTheFileBehindALink(t *testing.T) {
	w, _ := linked(t)
	rc := filepath.Join(w.top, "home", ".bashrc")
	w.must(errors.Join(os.WriteFile(rc, nil, 0o600), os.Symlink(rc, filepath.Join(w.cwd, "d", "a.txt"))))
	ticket := w.park(call("Write", map[string]string{"file_path": "d/a.txt", "content": "x"}))[0]
	if c := w.look(ticket.ID).Confirm; c == nil || c.Word != ".bashrc" {
		t.Errorf("%+v", c)
	}
	// Where both have the same name, it says which of them is meant.
	deep := filepath.Join(w.top, "outside", "x", ".git", "hooks")
	long := filepath.Join(w.top, "outside", strings.Repeat("long", 9), ".git", "hooks")
	w.must(errors.Join(os.MkdirAll(deep, 0o755), os.MkdirAll(long, 0o755), os.Symlink(filepath.Join(w.top, "outside"), filepath.Join(w.cwd, "out")), os.Symlink(filepath.Dir(rc), filepath.Join(w.cwd, "docs")), os.Symlink(filepath.Dir(filepath.Dir(deep)), filepath.Join(w.cwd, "link")), os.Symlink(filepath.Dir(filepath.Dir(long)), filepath.Join(w.cwd, "far"))))
	for given, want := range map[string]string{
		"docs/.bashrc": "home/.bashrc", "out/x/.git/hooks/pre-push": "outside/x/.git/hooks/pre-push", "link/.git/hooks/pre-push": "x/.git/hooks/pre-push",
		"far/.git/hooks/pre-push": strings.Repeat("long", 9), ".git/hooks/pre-push": "pre-push", filepath.Join(w.cwd, ".git/hooks/pre-push"): "pre-push",
	} {
		ticket := w.park(call("Write", map[string]string{"file_path": given, "content": "x"}))[0]
		if c := w.look(ticket.ID).Confirm; c == nil || c.Word != want {
			t.Errorf("%s: %+v, want %s", given, c, want)
		}
	}
}

// Somebody puts a link to a protected file into the place of a name, and takes it away, all
// the time. No yes is one to write that file unless its word was typed.
func TestT7_RacingLinksWhileSomebodyApproves(t *testing.T) {
	// An answer looks at all calls of its kind, so that many in one world take ever longer.
	const each = 50
	count := 300
	if os.Getenv("ASSENT_SOAK") != "" {
		count = 20_000
	}
	outcomes := map[string]int{}
	for range count / each {
		raceLinks(t, each, outcomes)
	}
	t.Log(outcomes)
	if outcomes["escaped"] != 0 || outcomes["approved"] == 0 || outcomes["approved"] == count {
		t.Errorf("%v", outcomes)
	}
}

// raceLinks approves calls in a world of their own while the link comes and goes, and counts what
// became of them.
func raceLinks(t *testing.T, count int, outcomes map[string]int) {
	t.Helper()
	w, _ := linked(t)
	rc, name := filepath.Join(w.top, "home", ".zprofile"), filepath.Join(w.cwd, "d", "zz")
	w.must(os.WriteFile(rc, nil, 0o600))
	ctx, stop := context.WithCancel(t.Context())
	var attacker sync.WaitGroup
	attacker.Go(func() {
		for ctx.Err() == nil {
			_ = os.Symlink(rc, name)
			_ = os.Remove(name)
		}
	})
	defer attacker.Wait()
	defer stop()
	for range count {
		ticket := w.park(call("Write", map[string]string{"file_path": "d/zz", "content": "x"}))[0]
		got := w.approveOnly(ticket, nil)
		if got.status != 200 {
			outcomes[got.code()]++
			continue
		}
		if outcomes["approved"]++; !slices.Equal(w.found(ticket.ID).Answer.Places, []string{name}) {
			outcomes["escaped"]++
		}
	}
}
