package inbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// A sentence shows a call in full when nothing is cut, masked or left out of it that decides
// over what happens.
func TestT16_ShownInFull(t *testing.T) {
	long := strings.Repeat("logs/run ", 20)
	for _, test := range []struct {
		tool, input string
		want        client.Shown
	}{
		{"Bash", `{"command":"npm test"}`, client.InFull},
		{"Bash", `{"command":"git push origin main","description":"it is harmless","timeout":5}`, client.InFull},
		{"Bash", `{"command":"npm test","description":"` + long + `"}`, client.InFull},
		{"Bash", `{"command":"touch ` + long + ` deployed ` + long + `"}`, client.InPart},
		{"Bash", `{"command":"make one","dangerouslyDisableSandbox":true}`, client.InPart},
		{"Bash", `{"command":"make one","run_in_background":true}`, client.InPart},
		{"Bash", `{"command":"deploy --token production"}`, client.HasMask},
		{"Bash", `{"comand":"ls"}`, client.InPart},
		{"Bash", `{"command":7}`, client.InPart},
		{"Bash", `{"command":"` + strings.Repeat(`\u202e`, 40) + `"}`, client.InPart}, // which take more room when they are seen
		{"Bash", `nonsense`, client.InPart},
		{"Read", `{"file_path":"a.txt","offset":3}`, client.InFull},
		{"Read", `{"file_path":"` + strings.Repeat("d/", 70) + `a"}`, client.InPart},
		{"Grep", `{"pattern":"TODO","path":"src","output_mode":"content"}`, client.InFull},
		{"Grep", `{"pattern":"` + long + `"}`, client.InPart},
		{"Glob", `{"pattern":"*.go"}`, client.InFull},
		{"WebFetch", `{"url":"https://go.dev/doc","prompt":"what is new"}`, client.InFull},
		{"WebFetch", `{"url":"https://go.dev/doc?x=1"}`, client.InPart},
		{"WebFetch", `{"url":"https://me@go.dev/doc"}`, client.InPart},
		{"WebFetch", `{"url":"https://go.dev/` + strings.Repeat("d/", 70) + `"}`, client.InPart},
		{"WebFetch", `{"url":"not a url"}`, client.InPart},
		{"WebSearch", `{"query":"go 1.26"}`, client.InFull},
		{"Write", `{"file_path":"a.txt","content":"x"}`, client.InPart},
		{"Write", `{"file_path":"a.txt"}`, client.InPart},
		{"Edit", `{"file_path":"a.txt","old_string":"a","new_string":"b"}`, client.InPart},
		{"NotebookEdit", `{"notebook_path":"a.ipynb"}`, client.InPart},
		{"Task", `{"prompt":"p","description":"d","subagent_type":"x"}`, client.InPart},
		{"AskUserQuestion", `{"questions":[{"question":"Which one?"}]}`, client.InPart},
		{"ExitPlanMode", `{"plan":"p"}`, client.InPart},
		{"mcp__shop__refund", `{"amount":120,"order":"A-17"}`, client.InFull},
		{"mcp__shop__refund", `{}`, client.InFull},
		{"mcp__shop__refund", `{"amount":120,"lines":[1]}`, client.InPart},
		{"mcp__shop__refund", `{"a":1,"b":2,"c":3,"d":4,"e":5}`, client.InPart},
		{"mcp__shop__refund", `{"` + long + `":1}`, client.InPart},
		{"mcp__shop__refund", `{"note":"` + strings.Repeat("x", 61) + `"}`, client.InPart},
		{"mcp__shop__login", `{"password":"hunter2"}`, client.HasMask},
		{"mcp__shop__" + long, `{}`, client.InPart},
		{"codex:apply_patch", `{"command":"*** Begin Patch ` + long + `"}`, client.InPart},
	} {
		call := approval.Call{Tool: test.tool, Input: strictjson.Raw(test.input), Cwd: "/p"}
		if got := ShownBy(call, nil); got != test.want {
			t.Errorf("%s %.200s: %s, want %s (%s)", test.tool, test.input, got, test.want, Sentence(call))
		}
		if (WhyAlone(test.want) == "") != (test.want == client.InFull) {
			t.Errorf("%s: %q", test.want, WhyAlone(test.want))
		}
	}
}

// Where a call leads is shown by its sentence only if that is the path as given, in the
// directory that stands beside it.
func TestT7_ShownWhereItLeads(t *testing.T) {
	top := t.TempDir()
	dir, other := filepath.Join(top, "project"), filepath.Join(top, "name")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Symlink(dir, other)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		cwd, given, place string
		want              client.Shown
	}{
		{dir, "a.txt", dir + "/a.txt", client.InFull},
		{dir, "./d/../a.txt", dir + "/a.txt", client.InFull},
		{dir, dir + "/a.txt", dir + "/a.txt", client.InFull},
		{dir, "docs/a.txt", top + "/outside/a.txt", client.Elsewhere},
		{dir, "docs/a.txt", dir + "/src/a.txt", client.Elsewhere},
		{dir, "../outside/a.txt", top + "/outside/a.txt", client.Elsewhere},
		{dir, top + "/outside/a.txt", top + "/outside/a.txt", client.Elsewhere},
		{other, "a.txt", dir + "/a.txt", client.InFull},
		{other, other + "/a.txt", dir + "/a.txt", client.InFull},
		{other, dir + "/a.txt", dir + "/a.txt", client.Elsewhere},
		{other, "docs/a.txt", dir + "/a.txt", client.Elsewhere},
	} {
		input, err := strictjson.Marshal(map[string]string{"file_path": test.given})
		if err != nil {
			t.Fatal(err)
		}
		call := approval.Call{Tool: "Read", Input: input, Cwd: test.cwd}
		if got := ShownBy(call, []string{test.place}); got != test.want {
			t.Errorf("%s in %s leads to %s: %s, want %s", test.given, test.cwd, test.place, got, test.want)
		}
	}
	patch := approval.Call{Tool: "patch", Input: strictjson.Raw(`{"diff":"x"}`), Cwd: dir}
	if got := ShownBy(patch, []string{dir + "/a.txt"}); got != client.Elsewhere {
		t.Error(got)
	}
}

// A batch has only calls of which the person could read everything.
func TestT16_NoBatchHasWhatNobodyCouldRead(t *testing.T) {
	w, outside := linked(t)
	w.must(os.Symlink(outside, filepath.Join(w.cwd, "docs")))
	padding := strings.Repeat("logs/run ", 20)
	read := func(path string) session.PendingCall { return call("Read", map[string]string{"file_path": path}) }
	for name, one := range map[string]struct {
		call session.PendingCall
		want string
	}{
		"plain":      {call("Bash", map[string]string{"command": "touch logs/run"}), ""},
		"a file":     {read("d/a.cfg"), ""},
		"cut":        {call("Bash", map[string]string{"command": "touch " + padding + "deployed " + padding}), "its line does not show all of it"},
		"contents":   {call("Write", map[string]string{"file_path": "d/x", "content": "y"}), "its line does not show all of it"},
		"a link":     {read("docs/a.cfg"), "it leads to a file that its line does not name"},
		"elsewhere":  {read(filepath.Join(outside, "a.cfg")), "outside of its directory"},
		"long value": {call("WebFetch", map[string]string{"url": "https://go.dev/?" + padding, "prompt": "p"}), "its line does not show all of it"},
	} {
		ticket := w.park(one.call)[0]
		listed := w.listed(ticket.ID)
		if (listed.Shown == client.InFull) != (one.want == "") || !slices.Equal(listed.Places, ticket.Places) {
			t.Errorf("%s: %+v", name, listed)
		}
		got := w.post("/api/v1/batch", map[string]any{"approve": []any{map[string]any{"id": ticket.ID, "digest": ticket.Digest, "places": listed.Places}}})
		if one.want == "" && w.state(ticket.ID) != approval.Approved || one.want != "" && (w.state(ticket.ID) != approval.Pending || !strings.Contains(got.body, one.want) || !strings.Contains(got.body, "open it first")) {
			t.Errorf("%s: %s, %s", name, w.state(ticket.ID), got.body)
		}
	}
}

// listed is a ticket as the list shows it.
func (w *world) listed(id string) (found client.Item) {
	w.t.Helper()
	var list client.List
	w.get("/api/v1/tickets?limit=200").into(w.t, &list)
	for _, i := range list.Tickets {
		if i.ID == id {
			found = i
		}
	}
	return found
}
