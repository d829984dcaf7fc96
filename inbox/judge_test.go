package inbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// A server that does not have the directory of a session lets people answer all the same: the
// worker that has it asks its rules before the call runs. Another input nobody here can judge.
func TestD8_ADirectoryThatIsOnAnotherMachine(t *testing.T) {
	w := newWorld(t)
	w.elsewhere()
	one := map[string]any{"question": "Deploy?", "header": "Deploy", "multiSelect": false, "options": []any{map[string]string{"label": "Yes", "description": "now"}, map[string]string{"label": "No", "description": "never"}}}
	ticket, edited, asks := w.park(bash("npm test"))[0], w.park(bash("npm test"))[0], w.park(call("AskUserQuestion", map[string]any{"questions": []any{one}}))[0]
	file := w.park(call("Read", map[string]string{"file_path": "a.txt"}))[0]
	w.must(os.Rename(w.cwd, w.cwd+".away"))
	d := w.look(ticket.ID)
	why := "the directory " + w.cwd + " does not exist here"
	if !d.MayAnswer || d.Problem != "" || d.Editable || !strings.Contains(d.Unjudged, why) || !strings.Contains(d.Fixed, why+", so nobody here could judge another input") {
		t.Errorf("%v %q %v %q %q", d.MayAnswer, d.Problem, d.Editable, d.Unjudged, d.Fixed)
	}
	a := w.post("/api/v1/tickets/"+edited.ID+"/approve", map[string]any{"digest": edited.Digest, "input": map[string]string{"command": "npm run lint"}})
	if a.status != 409 || a.code() != "changed" || !strings.Contains(a.body, why) || !strings.Contains(a.body, "approve it as it is") || w.state(edited.ID) != approval.Pending {
		t.Errorf("%d %s, %s", a.status, a.body, w.state(edited.ID))
	}
	if a := w.check(edited.ID, map[string]string{"command": "npm run lint"}); a.status != 200 || !strings.Contains(a.body, `"valid":false`) || !strings.Contains(a.body, why) {
		t.Errorf("%d %s", a.status, a.body)
	}
	w.yes(ticket).into(t, &d)
	if found := w.found(ticket.ID); found.State != approval.Approved || found.Answer.Risk != ticket.Risk || d.State != "approved" {
		t.Errorf("%s, %+v", found.State, found.Answer)
	}
	if d := w.look(asks.ID); d.Fixed != "" {
		t.Errorf("the questions: %q", d.Fixed)
	}
	w.post("/api/v1/tickets/"+asks.ID+"/approve", map[string]any{"digest": asks.Digest, "answers": []string{"1=Yes"}}).into(t, new(detailView))
	d = w.look(file.ID)
	if len(d.Consequences.Files) != 1 || d.Consequences.Files[0].Access != "reaches" || d.Consequences.Files[0].Path != filepath.Join(w.cwd, "a.txt") {
		t.Errorf("%+v", d.Consequences.Files)
	}
	newSchemas(t).answer("GET", "/api/v1/tickets/{id}", w.get("/api/v1/tickets/"+file.ID))
}

// What a yes needs by the settings of the server itself it needs also then.
func TestA4_TheServersOwnTermsForACallElsewhere(t *testing.T) {
	c := newCrowd(t)
	c.elsewhere()
	c.requester = "abe@desk"
	ticket := c.park(bash("npm test"))[0]
	c.must(os.Rename(c.cwd, c.cwd+".away"))
	own := filepath.Join(c.top, "home", ".claude")
	c.must(os.MkdirAll(own, 0o755))
	c.must(os.WriteFile(filepath.Join(own, "settings.json"), []byte(`{"assent":{"approvals":{"any":{"notRequester":true}}}}`), 0o644))
	if d := c.as("abe").look(ticket.ID); d.MayAnswer || d.Terms == nil || !d.Terms.NotRequester {
		t.Errorf("%v %+v", d.MayAnswer, d.Terms)
	}
	if a := c.as("abe").yes(ticket); a.status != 403 || c.state(ticket.ID) != approval.Pending {
		t.Errorf("%d %s", a.status, a.body)
	}
	c.as("ben").yes(ticket).into(t, new(detailView))
	if c.state(ticket.ID) != approval.Approved {
		t.Error(c.state(ticket.ID))
	}
}

// Where a session can go on only here its directory has to be here, too.
func TestD8_ADirectoryThatIsGone(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.must(os.Rename(w.cwd, w.cwd+".away"))
	if a := w.yes(ticket); a.status != 409 || !strings.Contains(a.body, "does not exist here") || w.state(ticket.ID) != approval.Pending {
		t.Errorf("%d %s", a.status, a.body)
	}
}
