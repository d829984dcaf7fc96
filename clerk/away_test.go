package clerk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
)

func TestD8_DirectoriesThatAreNotHere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, away := range map[string]bool{dir: false, filepath.Join(dir, "none"): true, file: true, filepath.Join(file, "below"): true} {
		if got := Missing(path); (got != nil) != away || away && !strings.Contains(got.Error(), path+" does not exist here") {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, err := range []error{nil, fs.ErrPermission, &settings.BrokenError{File: filepath.Join(dir, "settings.json"), Problem: "a brace is missing"}} {
		if got := Closed(dir, err); got != nil {
			t.Errorf("%v: %v", err, got)
		}
	}
}

// A terminal shows no more of this machine than a page does, where a call may run elsewhere.
func TestT7_ACallThatRunsElsewhereIsShownWithoutItsFile(t *testing.T) {
	p := waitingIn(t, "Bash(forbidden)", session.PendingCall{ToolUseID: "a", Tool: "Write", Input: strictjson.Raw(`{"file_path":"f","content":"new\n"}`)})
	p.check(os.WriteFile(filepath.Join(p.cwd, "f"), []byte("old\n"), 0o600))
	shown := func() *FileChange {
		t.Helper()
		s, err := p.Show(t.Context(), sessionID)
		if p.check(err); len(s.Calls) != 1 || s.Calls[0].Change == nil {
			t.Fatalf("%+v", s)
		}
		return s.Calls[0].Change
	}
	if got := strings.Join(shown().Lines, " "); got != "-old +new" {
		t.Error(got)
	}
	p.check(p.need())
	d, err := depot.On(t.Context(), p.tickets.Database(), "test")
	p.check(err)
	p.store.Depot = d.Sessions(nil)
	if got := shown(); strings.Join(got.Lines, " ") != "+new" || got.Note != Elsewhere.String() {
		t.Errorf("%+v", got)
	}
}

// A directory that is away keeps nobody from approving a call as it is, if it runs elsewhere.
func TestD8_ApprovedWithoutTheDirectory(t *testing.T) {
	p := waitingIn(t, "Bash(forbidden)", session.PendingCall{ToolUseID: "a", Tool: "Bash", Input: strictjson.Raw(`{"command":"deploy"}`), Risk: "medium"})
	p.check(p.need())
	d, err := depot.On(t.Context(), p.tickets.Database(), "test")
	p.check(err)
	m, err := p.One(t.Context(), sessionID, ToApprove)
	p.check(err)
	m.Call.Cwd = filepath.Join(p.cwd, "gone")
	_, err = p.ApproveThis(t.Context(), m, Yes{By: "ana"})
	if _, away := errors.AsType[*Away](err); !away || KindOf(err) != Broken {
		t.Errorf("where it runs here: %v", err)
	}
	p.store.Depot = d.Sessions(nil)
	came, err := p.store.Resume(sessionID)
	p.check(err)
	p.check(came.Close())
	_, err = p.ApproveThis(t.Context(), m, Yes{By: "ana", Input: strictjson.Raw(`{"command":"deploy -n"}`)})
	if KindOf(err) != Refused || !strings.Contains(err.Error(), "approve it as it is") {
		t.Errorf("with another input: %v", err)
	}
	if after, err := p.ApproveThis(t.Context(), m, Yes{By: "ana"}); err != nil || after.Standing != Approved || after.Ticket.Answer.Risk != m.Risk() {
		t.Errorf("%+v, %v", after, err)
	}
}
