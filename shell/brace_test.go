package shell_test

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// Braces are multiplied out before anything else is expanded: what they put together may be an
// expansion. Each was run in bash 5.2.
func TestBracesMakeExpansions(t *testing.T) {
	for _, src := range []string{"make{$,}{a}", "a=make; {$,}{a}", `echo {$,}[a[\$(make)]]`, "echo {x,$}a", "cat {~,}root/.env", `echo {\\$,}{a}`} {
		if s := shell.Parse(src); s.Problem == nil && s.ReadOnly().Text == "" {
			t.Errorf("%q is read-only", src)
		}
	}
	for _, src := range []string{"cat {~,.}/x", "echo {a,b}$", `echo {\$,}{a}`, "ls x{a,b}/y"} {
		if doubt := shell.Parse(src).ReadOnly(); doubt.Text != "" {
			t.Errorf("%q is not read-only: %s", src, doubt.Text)
		}
	}
}
