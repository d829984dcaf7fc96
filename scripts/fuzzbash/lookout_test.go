//go:build linux

package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

func newLookout(t *testing.T) *lookout {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can confine the scripts of a test")
	}
	programs, err := newStore(t.TempDir() + "/store")
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSandbox(t.TempDir(), programs, byChroot, byChroot.user(0))
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge()
	if err != nil {
		t.Fatal(err)
	}
	return &lookout{j, s}
}

// A judgement that allowed everything would be found out: each kind of thing is seen.
func TestWhatAScriptDoesIsSeen(t *testing.T) {
	l := newLookout(t)
	all := make(verdict, len(regimes))
	for i := range all {
		all[i] = permission.Allow
	}
	tests := []struct{ script, kind, what string }{
		{"echo hi; cat f; ls -a", "", ""},
		{"make", "ran", "make"},
		{"npm publish x", "ran", "npm publish x"},
		{"(npm publish; true) & exit", "ran", "npm publish"},
		{"env -i \"$(command -v make)\"", "ran", "make"},
		{"npm --version", "", ""},
		{"command -p make", "ran", "make"},
		{"/usr/bin/make", "ran", "make"},
		{"sh -lc make", "ran", "make"},
		{"env -i make", "ran", "make"},
		{"mkdir x; dd; mv f x; echo /*/mkdir", "", ""},
		{"sh make; sh -f make; bash -f make", "", ""},
		{"PATH=; ls", "ran", "./planted"},
		{"printf 'x%n' PATH; ls", "ran", "./planted"},
		{"cat .env", "opened", ".env"},
		{"cat < link", "opened", ".env"},
		{"cd sub; cat ../.env", "opened", ".env"},
		{"echo hi > new", "changed", "new"},
		{"echo hi >> f", "changed", "f"},
		{"sed -i s/one/two/ f", "changed", "f"},
		{"cd .git/hooks; : > x", "changed", ".git/hooks/x"},
	}
	for _, test := range tests {
		o, err := l.run(&shells[0], test.script)
		if err != nil {
			t.Fatalf("%q: %v", test.script, err)
		}
		var kind, what string
		if f := l.broken(all, o); f != nil {
			kind, what = f.kind, f.what
		}
		// Another file may be written first, by a program that replaces one.
		if kind != test.kind || what != test.what && kind != "changed" {
			t.Errorf("%q: %s %q, want %s %q", test.script, kind, what, test.kind, test.what)
		}
	}
	if text, err := os.ReadFile(l.jail + workDir + "/f"); err != nil || string(text) != files["f"] {
		t.Errorf("f is %q, %v: what a script changes is put back", text, err)
	}
}

func TestEndlessScriptIsEnded(t *testing.T) {
	l := newLookout(t)
	begin := time.Now()
	if _, err := l.run(&shells[0], "set -m; cat <(while :; do read -t 1 a < <(read b); done) & while :; do :; done"); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 10*patience {
		t.Errorf("it took %v", took)
	}
}

// What a script leaves behind, without the descriptor that is watched, changes nothing under the next.
func TestWhatIsLeftBehindIsEnded(t *testing.T) {
	l := newLookout(t)
	for range 20 {
		for _, script := range []string{fmt.Sprintf("exec %d>&-; (while :; do echo hi > f; done) & exit", held), "cat f"} {
			o, err := l.run(&shells[0], script)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range o.events {
				if e.changed && script == "cat f" {
					t.Fatalf("%s was changed", e.path)
				}
			}
		}
	}
}
