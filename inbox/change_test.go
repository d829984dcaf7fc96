package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
)

const canary = "CANARY of the server"

// secret is a file that the server can read, outside of the project.
func (w *world) secret() string {
	w.t.Helper()
	path := filepath.Join(w.top, "secret.txt")
	w.must(os.WriteFile(path, []byte(canary+"\n"), 0o600))
	return path
}

// elsewhere lets the sessions lie in a database, as those do that workers take.
func (w *world) elsewhere() {
	w.t.Helper()
	d, err := depot.On(w.t.Context(), w.Tickets.Database(), "test")
	w.must(err)
	w.Sessions.Depot = d.Sessions(nil)
}

func (w *world) check(id string, input any) answer {
	w.t.Helper()
	return w.post("/api/v1/tickets/"+id+"/check", map[string]any{"input": input})
}

// Whoever looks at calls, or answers them, does not read the disk of the server: an input of
// his own shows only the files to which the parked call leads.
func TestT7_ACheckReadsNoOtherFile(t *testing.T) {
	c := newCrowd(t)
	c.must(os.WriteFile(filepath.Join(c.cwd, "a.txt"), []byte("one\n"), 0o644))
	secret := c.secret()
	write := func(path string) map[string]string { return map[string]string{"file_path": path, "content": "x\n"} }
	waits, over := c.park(call("Write", write("a.txt")))[0], c.park(call("Write", write("a.txt")))[0]
	edits := c.park(call("Edit", map[string]string{"file_path": "a.txt", "old_string": "one", "new_string": "1"}))[0]
	_, err := c.Tickets.Deny(t.Context(), over.ID, over.Digest, "abe", "no")
	c.must(err)
	for name, token := range map[string]string{"a viewer": c.tokens["vera"], "the program of a viewer": c.program("vera", people.Viewer)} {
		w := *c.world
		w.bearer = token
		for _, ticket := range []approval.Ticket{waits, over} {
			if a := w.check(ticket.ID, write(secret)); a.status != 403 || strings.Contains(a.body, canary) {
				t.Errorf("%s: %d %s", name, a.status, a.body)
			}
		}
	}
	abe := c.as("abe")
	c.must(os.Symlink(secret, filepath.Join(c.cwd, "link")))
	for name, tt := range map[string]struct {
		ticket approval.Ticket
		input  any
		lines  []string
		says   string
	}{
		"another file":           {waits, write(secret), []string{"+x"}, "none of those to which the parked call leads"},
		"by dots":                {waits, write("../secret.txt"), []string{"+x"}, "none of those"},
		"by a link":              {waits, write("link"), []string{"+x"}, "none of those"},
		"an edit of another":     {edits, map[string]string{"file_path": secret, "old_string": "CANARY", "new_string": "x"}, []string{"-CANARY", "+x"}, "none of those"},
		"the file of the call":   {waits, map[string]string{"file_path": filepath.Join(c.cwd, "a.txt"), "content": "y\n"}, []string{"-one", "+y"}, ""},
		"the call itself":        {waits, write("a.txt"), []string{"-one", "+x"}, ""},
		"one that is over":       {over, write("a.txt"), []string{"+x"}, "was not looked at"},
		"another of one over":    {over, write(secret), []string{"+x"}, "was not looked at"},
		"what cannot be judged":  {waits, map[string]any{"file_path": secret, "content": "x\n", "more": 1}, []string{"+x"}, "none of those"},
		"a name that is nothing": {waits, write("\x00"), []string{"+x"}, "none of those"},
	} {
		a := abe.check(tt.ticket.ID, tt.input)
		var v checkView
		a.into(t, &v)
		if strings.Contains(a.body, canary) {
			t.Errorf("%s: the file is shown: %s", name, a.body)
		}
		if v.Change == nil || !slices.Equal(v.Change.Lines, tt.lines) || !strings.Contains(v.Change.Note, tt.says) || tt.says == "" && v.Change.Note != "" {
			t.Errorf("%s: %+v", name, v.Change)
		}
	}
}

// Approving with another input is no way to read a file either.
func TestT7_AnEditedYesReadsNoOtherFile(t *testing.T) {
	w := newWorld(t)
	secret := w.secret()
	ticket := w.park(call("Write", map[string]string{"file_path": "a.txt", "content": "x\n"}))[0]
	body := map[string]any{"digest": ticket.Digest, "undo": true, "input": map[string]string{"file_path": secret, "content": "x\n"}, "confirm": "secret.txt"}
	a := w.post("/api/v1/tickets/"+ticket.ID+"/approve", body)
	var d detailView
	if a.into(t, &d); strings.Contains(a.body, canary) || d.EditedChange == nil || !slices.Equal(d.EditedChange.Lines, []string{"+x"}) {
		t.Errorf("%s", a.body)
	}
}

// Where a worker takes a session nobody knows on which machine, and as whom: nothing of this one
// is shown in its place.
func TestT7_ACallThatRunsElsewhereShowsNothingOfTheServer(t *testing.T) {
	w := newWorld(t)
	w.requester = "root@build-7"
	secret := w.secret()
	w.elsewhere()
	file := map[string]string{"file_path": secret, "content": "hello\n"}
	ticket := w.park(call("Write", file))[0]
	word := w.park(bash("frobnicate project notes.txt sub/x " + secret))[0]
	held, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: approval.Call{Session: "thread-1", ToolUseID: "h", Tool: "Write", Input: call("Write", file).Input, Cwd: w.cwd}, By: "guard", Risk: permission.LowRisk})
	w.must(err)
	for id, where := range map[string]venue{ticket.ID: aWorker, word.ID: aWorker, held.ID: theAgent} {
		a := w.get("/api/v1/tickets/" + id)
		var d detailView
		a.into(t, &d)
		newSchemas(t).answer("GET", "/api/v1/tickets/{id}", a)
		if c := d.Consequences; c.Where != where || c.Host != "" || c.User != "" || strings.Contains(a.body, canary) || d.Doubt != "" {
			t.Errorf("%+v, %q: %s", c, d.Doubt, a.body)
		}
		if id != word.ID && (d.Change == nil || !slices.Equal(d.Change.Lines, []string{"+hello"}) || !strings.Contains(d.Change.Note, "may be on another machine")) {
			t.Errorf("%+v", d.Change)
		}
	}
	if d := w.look(ticket.ID); d.Requester != "root@build-7" {
		t.Error(d.Requester)
	}
	a := w.check(ticket.ID, map[string]string{"file_path": secret, "content": "bye\n"})
	if a.status != 200 || strings.Contains(a.body, canary) || !strings.Contains(a.body, "may be on another machine") {
		t.Error(a.body)
	}
	// Which words are files is not asked of this disk.
	var named []string
	for _, f := range w.look(word.ID).Consequences.Files {
		named = append(named, filepath.Base(f.Path))
	}
	if slices.Sort(named); !slices.Equal(named, []string{"notes.txt", "secret.txt", "x"}) {
		t.Error(named)
	}
}

// The same call, where it runs here.
func TestT7_ACallThatRunsHereShowsWhere(t *testing.T) {
	w := newWorld(t)
	secret := w.secret()
	ticket := w.park(call("Write", map[string]string{"file_path": secret, "content": "hello\n"}))[0]
	host, user := machine()
	d := w.look(ticket.ID)
	if c := d.Consequences; c.Where != here || c.Host != host || c.User != user {
		t.Errorf("%+v", c)
	}
	if d.Change == nil || !slices.Equal(d.Change.Lines, []string{"-" + canary, "+hello"}) || d.Doubt == "" {
		t.Errorf("%+v %q", d.Change, d.Doubt)
	}
}
