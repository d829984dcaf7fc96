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

// conversation is a checker that lives while its files change.
type conversation struct {
	*Checker
	t    *testing.T
	told []string
}

func converse(t *testing.T, project string) *conversation {
	c := &conversation{Checker: onDisk(t, project), t: t}
	c.Notice = func(reports []settings.Report) {
		for _, r := range reports {
			c.told = append(c.told, r.String())
		}
	}
	return c
}

// write changes a file of the workspace; its time is set, so that nothing depends
// on how fast the test runs.
func (c *conversation) write(name, text string, written time.Time) {
	c.t.Helper()
	path := filepath.Join(c.Settings.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
	c.age(name, written)
}

// age says when a file was written. One that is old enough is not read again for
// its own sake.
func (c *conversation) age(name string, written time.Time) {
	c.t.Helper()
	if err := os.Chtimes(filepath.Join(c.Settings.Dir, name), written, written); err != nil {
		c.t.Fatal(err)
	}
}

func (c *conversation) expect(call string, want permission.Behavior) {
	c.t.Helper()
	if j := judgeCall(c.t, c.Checker, call); j.Decision.Behavior != want {
		c.t.Errorf("%s: got %v because %s, want %v", call, j.Decision.Behavior, j.Decision.Message(), want)
	}
}

const projectFile = ".claude/settings.json"

func TestChangedSettingsCountAtOnce(t *testing.T) {
	c := converse(t, `{}`)
	now := time.Now()
	long := func(hours int) time.Time { return now.Add(time.Duration(-hours) * time.Hour) }
	c.write(projectFile, `{}`, long(9))
	c.expect("Bash(ls)", permission.Allow)

	c.write(projectFile, `{"permissions": {"deny": ["Bash(ls)"]}}`, long(8))
	c.expect("Bash(ls)", permission.Deny)

	c.write(".claude/settings.local.json", `{"permissions": {"deny": ["Bash(pwd)"]}}`, long(8))
	c.expect("Bash(pwd)", permission.Deny)

	if err := os.Remove(filepath.Join(c.Settings.Dir, projectFile)); err != nil {
		t.Fatal(err)
	}
	c.expect("Bash(ls)", permission.Allow)
	c.expect("Bash(pwd)", permission.Deny)

	c.write("../home/.claude/settings.json", `{"permissions": {"ask": ["Bash(ls)"]}}`, long(7))
	c.expect("Bash(ls)", permission.Ask)
}

// A file that was just written may be written again within one tick of the clock.
func TestSettingsThatWereJustWritten(t *testing.T) {
	c := converse(t, `{}`)
	written := time.Now().Add(time.Minute) // young, however slow this machine is
	c.write(projectFile, `{"permissions": {"deny": ["Bash(ls)"]}}`, written)
	c.expect("Bash(ls)", permission.Deny)
	c.write(projectFile, `{"permissions": {"deny": ["Bash(cd)"]}}`, written)
	c.expect("Bash(ls)", permission.Allow)
}

// TestFurtherManagedFilesInBetween: a file that the administrator adds counts from the next call on.
func TestFurtherManagedFilesInBetween(t *testing.T) {
	c := converse(t, `{}`)
	root := filepath.Dir(c.Settings.Dir)
	c.Settings.ManagedFiles = []string{filepath.Join(root, "etc", "managed.json")}
	long := time.Now().Add(-time.Hour)
	c.write("../etc/managed.d/20-b.json", `{"permissions": {"deny": ["Bash(pwd)"]}}`, long)
	c.age("../etc/managed.d", long)
	c.expect("Bash(ls)", permission.Allow)
	c.expect("Bash(pwd)", permission.Deny)
	c.write("../etc/managed.d/10-a.json", `{"permissions": {"deny": ["Bash(ls)"]}}`, long)
	c.expect("Bash(ls)", permission.Deny)
}

func TestTrustInBetween(t *testing.T) {
	c := converse(t, `{"permissions": {"allow": ["Bash(make)"]}}`)
	long := time.Now().Add(-time.Hour)
	c.age(projectFile, long)
	c.expect("Bash(make)", permission.Ask)
	if err := settings.Trust(c.Settings, ""); err != nil {
		t.Fatal(err)
	}
	c.expect("Bash(make)", permission.Allow)
	if err := settings.Untrust(c.Settings, ""); err != nil {
		t.Fatal(err)
	}
	c.age("../home/.assent/trust.json", long)
	c.expect("Bash(make)", permission.Ask)
	c.write("../home/.claude.json", `{"projects": {"`+c.Settings.Dir+`": {"hasTrustDialogAccepted": true}}}`, long)
	c.expect("Bash(make)", permission.Allow)
}

// Files that the command line and the administrator name are looked at as well.
func TestNamedFilesInBetween(t *testing.T) {
	c := converse(t, `{}`)
	top := filepath.Dir(c.Settings.Dir)
	c.Settings.ManagedFiles = []string{filepath.Join(top, "managed.json")}
	long := time.Now().Add(-time.Hour)
	c.age(projectFile, long)
	for _, flag := range []string{"more.json", filepath.Join(top, "more.json"), "~/more.json"} {
		c.Settings.Flag = flag
		c.environments, c.loaded = nil, nil
		where := strings.Replace(flag, "~", "../home", 1)
		if filepath.IsAbs(flag) {
			where = "../more.json"
		}
		c.write(where, `{}`, long)
		c.expect("Bash(ls)", permission.Allow)
		c.write(where, `{"permissions": {"deny": ["Bash(ls)"]}}`, long)
		c.expect("Bash(ls)", permission.Deny)
	}
	c.expect("Bash(pwd)", permission.Allow)
	c.write("../managed.json", `{"permissions": {"deny": ["Bash(pwd)"]}}`, long)
	c.expect("Bash(pwd)", permission.Deny)
}

// A link can lead elsewhere without any file having changed.
func TestWorkspaceLinkInBetween(t *testing.T) {
	c := converse(t, `{}`)
	top := filepath.Dir(c.Settings.Dir)
	link := filepath.Join(top, "link")
	point := func(to string) {
		if err := os.MkdirAll(filepath.Join(top, to), 0o755); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(link)
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	point("one")
	c.Settings.Dir = link
	c.expect("Read("+top+"/one/x)", permission.Allow)
	point("two")
	c.expect("Read("+top+"/one/x)", permission.Ask)
	c.expect("Read("+top+"/two/x)", permission.Allow)
}

func TestAdditionalDirectoryLinkInBetween(t *testing.T) {
	c := converse(t, `{}`)
	c.age(projectFile, time.Now().Add(-time.Hour))
	top := filepath.Dir(c.Settings.Dir)
	for _, dir := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(top, "link")
	c.Settings.AddDirs = []string{link}
	for _, to := range []string{"one", "two"} {
		_ = os.Remove(link)
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		c.expect("Read("+top+"/"+to+"/x)", permission.Allow)
	}
	c.expect("Read("+top+"/one/x)", permission.Ask)
}

func TestBrokenInBetween(t *testing.T) {
	c := converse(t, `{}`)
	long := time.Now().Add(-time.Hour)
	c.write(projectFile, `{"permissions": {"deny": ["Bash(ls)"]}}`, long)
	c.expect("Bash(ls)", permission.Deny)

	c.write(projectFile, `{"permissions": {"deny": [`, long)
	c.expect("Bash(ls)", permission.Deny)
	c.expect("Bash(ls)", permission.Deny)
	if len(c.told) != 1 || !strings.Contains(c.told[0], "the file is broken and its last good content stays in force") {
		t.Errorf("told %q", c.told)
	}
	// Another mode is the same place: what was good there holds for it, too.
	call := Query{Tool: "Bash", Input: []byte(`{"command":"ls"}`), Mode: permission.AcceptEdits}
	if j := judged(t, c.Checker, call); j.Decision.Behavior != permission.Deny {
		t.Errorf("got %v", j.Decision.Behavior)
	}

	c.write(projectFile, `{"permissions": {"deny": ["Bash(pwd)"]}}`, long)
	c.expect("Bash(ls)", permission.Allow)
	c.expect("Bash(pwd)", permission.Deny)
	if len(c.told) != 2 || !strings.Contains(c.told[1], "can be read again") {
		t.Errorf("told %q", c.told)
	}
}

// Files that did not change are not read again.
func TestUnchangedSettingsAreKept(t *testing.T) {
	c := converse(t, `{}`)
	c.write(projectFile, `{}`, time.Now().Add(-time.Hour))
	first := judgeCall(t, c.Checker, "Bash(ls)").env
	c.write("main.go", "", time.Now())
	if judgeCall(t, c.Checker, "Bash(ls)").env != first {
		t.Error("the environment was made anew")
	}
}

// The user's file is looked at wherever it is. Where a query names another user's home
// directory it is theirs.
func TestMovedSettingsCountAtOnce(t *testing.T) {
	c := converse(t, `{}`)
	top, long := filepath.Dir(c.Settings.Dir), time.Now().Add(-time.Hour)
	c.Settings.ConfigDir = filepath.Join(top, "moved")
	c.write("../moved/settings.json", `{}`, long)
	c.write("../other/.claude/settings.json", `{"permissions": {"deny": ["Bash(pwd)"]}}`, long)
	c.expect("Bash(ls)", permission.Allow)

	c.write("../moved/settings.json", `{"permissions": {"deny": ["Bash(ls)"]}}`, long.Add(time.Minute))
	c.expect("Bash(ls)", permission.Deny)

	for command, want := range map[string]permission.Behavior{"ls": permission.Allow, "pwd": permission.Deny} {
		q := Query{Tool: "Bash", Input: []byte(`{"command": "` + command + `"}`), Home: filepath.Join(top, "other")}
		if j := judged(t, c.Checker, q); j.Decision.Behavior != want {
			t.Errorf("%s: %s", command, j.Decision.Message())
		}
	}
}
