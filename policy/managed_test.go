package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// administered is a checker with a file of the administrator's.
func administered(t *testing.T, text string) (c *Checker, file string) {
	t.Helper()
	c = newTestChecker(t)
	file = filepath.Join(t.TempDir(), "managed.json")
	c.Settings.ManagedFiles = []string{file}
	administer(t, file, text, time.Now().Add(-time.Hour))
	return c, file
}

func administer(t *testing.T, file, text string, written time.Time) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, written, written); err != nil {
		t.Fatal(err)
	}
}

// What the administrator restricts holds beside permissions that a query brings; what
// the administrator grants does not.
func TestS5_ManagedLimitsHoldBesideGivenPermissions(t *testing.T) {
	const managed = `{"permissions": {"deny": ["Bash(git push:*)", "Read(~/secret/**)", "Edit(/locked/**)"], "ask": ["Bash(make:*)"], "allow": ["Bash(npm:*)"]}}`
	for call, want := range map[string]permission.Behavior{
		"Bash(git push)": permission.Deny, "Bash(make)": permission.Ask, "Bash(npm test)": permission.Ask, "Bash(tk x)": permission.Allow,
		"Read(/home/dev/secret/k)": permission.Deny, "Edit(locked/x)": permission.Deny,
	} {
		c, _ := administered(t, managed)
		p := Permissions{Allow: []string{"Bash(git:*)", "Bash(make:*)", "Bash(tk:*)", "Read", "Edit"}}
		parsed, err := ParseCall(call)
		if err != nil {
			t.Fatal(err)
		}
		j := judged(t, c, Query{Tool: parsed.Tool, Input: parsed.Input, Permissions: &p})
		if j.Decision.Behavior != want {
			t.Errorf("%s: got %v because %s, want %v", call, j.Decision.Behavior, j.Decision.Message(), want)
		}
	}
}

func TestS5_ManagedModeHoldsBesideGivenPermissions(t *testing.T) {
	for _, c := range []struct {
		managed    string
		mode, want permission.Mode
		told       int
	}{
		{`{"permissions": {"defaultMode": "plan"}}`, 0, permission.Plan, 0},
		{`{"permissions": {"defaultMode": "plan"}}`, permission.BypassPermissions, permission.Plan, 1},
		{`{"permissions": {"defaultMode": "acceptEdits"}}`, 0, permission.Default, 0},
		{`{"permissions": {"defaultMode": "acceptEdits"}}`, permission.Plan, permission.Plan, 0},
		{`{"permissions": {"disableBypassPermissionsMode": "disable"}}`, permission.BypassPermissions, permission.Default, 1},
		{`{}`, permission.BypassPermissions, permission.BypassPermissions, 0},
	} {
		checker, _ := administered(t, c.managed)
		told := 0
		checker.Notice = func(reports []settings.Report) { told += len(reports) }
		for range 2 {
			j := judged(t, checker, Query{Tool: "Bash", Input: []byte(`{"command":"make"}`), Mode: c.mode, Permissions: &Permissions{}})
			if got := j.Reply().Mode; got != c.want.String() {
				t.Errorf("%s with %v: %s, want %v", c.managed, c.mode, got, c.want)
			}
		}
		if told != c.told {
			t.Errorf("%s with %v: %d reports, want %d", c.managed, c.mode, told, c.told)
		}
	}
}

// The administrator's files are looked at before each query, like all others.
func TestS35_ManagedFilesChangeBesideGivenPermissions(t *testing.T) {
	c, file := administered(t, `{"permissions": {"deny": ["Bash(a)"]}}`)
	expect := func(command string, want permission.Behavior) {
		t.Helper()
		j := judged(t, c, Query{Tool: "Bash", Input: []byte(`{"command":"` + command + `"}`), Permissions: &Permissions{Allow: []string{"Bash"}}})
		if j.Decision.Behavior != want {
			t.Errorf("%s: got %v because %s, want %v", command, j.Decision.Behavior, j.Decision.Message(), want)
		}
	}
	expect("a", permission.Deny)
	expect("b", permission.Allow)
	administer(t, file, `{"permissions": {"deny": ["Bash(b)"]}}`, time.Now().Add(-30*time.Minute))
	expect("a", permission.Allow)
	expect("b", permission.Deny)
	administer(t, file, `{"permissions": `, time.Now().Add(-20*time.Minute))
	expect("b", permission.Deny)

	broken, _ := administered(t, "{")
	if _, err := broken.Judge(Query{Tool: "Bash", Input: []byte(`{"command":"ls"}`), Permissions: &Permissions{}}); err == nil {
		t.Error("a managed file that cannot be read was passed over")
	}
}

// A mode that would be refused is no way out.
func TestFlipsKeepToTheManagedMode(t *testing.T) {
	c, _ := administered(t, `{"permissions": {"defaultMode": "default"}}`)
	j := judged(t, c, Query{Tool: "Edit", Input: []byte(`{"file_path":"x","old_string":"a","new_string":"b"}`), Permissions: &Permissions{}})
	stricter := false
	for _, f := range j.Flips() {
		for _, change := range f.Changes {
			if change.Kind == SetMode && change.Mode.Loosens() {
				t.Errorf("offered: %s", f)
			}
			stricter = stricter || change.Kind == SetMode && change.Mode == permission.Plan
		}
	}
	if !stricter {
		t.Error("plan is not offered any more")
	}
	if len(j.Suggestions) > 0 {
		t.Errorf("suggested: %v", j.Suggestions)
	}
}

func TestWellFormed(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "bücher\n": "bücher\n", "a\xffb": `a\xffb`, "ü\xfe": `ü\xfe`, "\xed\xa0\x80": `\xed\xa0\x80`, "\ufffd": "\ufffd",
	} {
		if got := WellFormed(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := strings.Join(allWellFormed([]string{"a", "\xff"}), " "); got != `a \xff` {
		t.Errorf("got %s", got)
	}
}
