package settings

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
)

// Only somebody who writes "/" means every directory.
func TestS33_ManagedTrustOfTheRootIsSaidOutright(t *testing.T) {
	for text, want := range map[string]bool{
		`"/"`: true, `"/**"`: true,
		`""`: false, `" "`: false, `"//"`: false, `"/."`: false, `"/x/.."`: false, `"//**"`: false, `"**"`: false, `"."`: false,
	} {
		w := newWorld(t)
		w.put(rule.PolicySettings, `{"assent": {"trustedWorkspaces": [`+text+`]}}`)
		s := w.load()
		if got := s.TrustState().Status == Trusted; got != want {
			t.Errorf("%s trusts: %v", text, got)
		}
		if !want && find(t, s.Reports, UnknownValue).Hint == "" {
			t.Errorf("%s has no hint", text)
		}
		if want && len(s.Reports) > 0 {
			t.Errorf("%s: %v", text, s.Reports)
		}
	}
}

// A directory whose name is no text can be trusted and forgotten like any other.
func TestS33_DirectoryThatIsNotUTF8(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"odd\xff", `odd\xff`, `"odd"`} {
		w.Dir = filepath.Join(w.root, name)
		w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
		if got := w.load().TrustState().Status; got != Untrusted {
			t.Fatalf("%q: %v before anybody trusted it", name, got)
		}
		if err := Trust(w.Options, ""); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if got := w.load().TrustState().Status; got != Trusted {
			t.Errorf("%q: %v", name, got)
		}
		all, err := ListTrusted(w.Options)
		if err != nil || len(all) != 1 || all[0].Dir != w.Dir {
			t.Errorf("%q: listed as %q, %v", name, all, err)
		}
		if err := Untrust(w.Options, ""); err != nil {
			t.Fatal(err)
		}
		if got := w.load().TrustState().Status; got != Untrusted {
			t.Errorf("%q: %v after it was revoked", name, got)
		}
	}
}

// The hint can be pasted: the shell makes the same name of it.
func TestHintsCanBePasted(t *testing.T) {
	for _, name := range []string{"/plain", "/a b", "/it's", "/odd\xff", "/line\nbreak", "/both'\xfe\"\\x", "/tab\t$HOME `x`", "/\u202e", "/\x01z"} {
		bash := exec.CommandContext(t.Context(), "bash", "-c", "printf %s "+shellWord(name))
		bash.Env = []string{"LC_ALL=C.UTF-8"}
		out, err := bash.Output()
		if err != nil || string(out) != name {
			t.Errorf("%q became %s, which is %q, %v", name, shellWord(name), out, err)
		}
	}
}

func TestTrustErrorsSayWhatToDo(t *testing.T) {
	w := newWorld(t)
	w.write(w.StateDir+"/trust.json", "{")
	_, listed := ListTrusted(w.Options)
	for name, err := range map[string]error{"list": listed, "trust": Trust(w.Options, ""), "untrust": Untrust(w.Options, "")} {
		if err == nil || !strings.Contains(err.Error(), w.StateDir+"/trust.json") || !strings.Contains(err.Error(), "mend it or remove it") {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.StateDir = filepath.Join(w.root, "file", "state")
	w.write(filepath.Join(w.root, "file"), "") // nothing can be made below it
	if err := Trust(w.Options, ""); err == nil || !strings.Contains(err.Error(), "set ASSENT_HOME to a directory") {
		t.Errorf("a state directory that cannot be written: %v", err)
	}
}

func TestMissingSettingsFlagSaysWhatToDo(t *testing.T) {
	w := newWorld(t)
	w.Flag = filepath.Join(w.root, "nofile")
	if _, err := Load(w.Options); err == nil || !strings.Contains(err.Error(), "name a file that exists") || strings.Contains(err.Error(), "mend it") {
		t.Errorf("a file that does not exist: %v", err)
	}
	if err := os.Symlink("nowhere", w.Flag); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(w.Options); err == nil {
		t.Errorf("a link to nowhere: %v", err)
	}
}
