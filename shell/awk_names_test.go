package shell_test

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// TestAwkNames lists the files that awk programs name by constants and variables.
func TestAwkNames(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		command string
		mode    shell.AccessMode
		want    string
	}{
		{`awk 'BEGIN{print "x" > "out"}'`, shell.Writes, "out"},
		{`awk 'BEGIN{f="out"; print "x" > f}'`, shell.Writes, "out"},
		{`awk 'BEGIN{f = "o" "ut"; print "x" >> f}'`, shell.Writes, "out"},
		{`awk 'BEGIN{d="dir"; print "x" > d "/out"}'`, shell.Writes, "dir/out"},
		{`awk 'BEGIN{d="dir"; print "x" > (d "/out")}'`, shell.Writes, "dir/out"},
		{`awk 'BEGIN{a="x"; b=a "y"; printf("%s", 1) > b}'`, shell.Writes, "xy"},
		{`awk -v f=out '{print > f}' a`, shell.Writes, "out"},
		{`awk -vf=out '{print > f}' a`, shell.Writes, "out"},
		{`gawk --assign=f=out '{print > f}' a`, shell.Writes, "out"},
		{`awk '{print > f}' f=out a`, shell.Writes, "out"},
		{`awk '{print > FILENAME}' a`, shell.Writes, "a"},
		{`awk '{print > ARGV[1]}' a`, shell.Writes, "a"},
		{`F=out awk '{print > ENVIRON["F"]}' a`, shell.Writes, "out"},
		{`awk 'BEGIN{split(".git/config x", n); print > n[1]; s=".git/config"}'`, shell.Writes, ".git/config"},
		{`awk '{print > $1 ".txt"}' a`, shell.Writes, "\xff.txt"},
		{`awk -v f=in 'BEGIN{while((getline l < f)>0) print l}'`, shell.Reads, "in"},
		{`awk 'BEGIN{f="in"; getline x < f; print x}'`, shell.Reads, "in"},
		{`awk '{getline x < (d "/in")}' d=dir a`, shell.Reads, "dir/in"},
	} {
		found := shell.Parse(row.command).SureAccesses()
		if !slices.ContainsFunc(found, func(a shell.Access) bool { return a.Path == row.want && a.Mode == row.mode }) {
			t.Errorf("%s: no access %s %q in %v", row.command, row.mode, row.want, found)
		}
	}
	for _, command := range []string{
		`awk '$1 > max {print}' max=3 a`, `awk -v n=3 '{ if ($1 > n) print $2 }' a`, `awk '{print ($1 > n)}' n=3 a`, `awk '$1 != d' d=.git a`,
		`awk 'BEGIN{f="out"} {print f}' a`, `awk '{x = x ">" y; print x}' y=.git a`,
	} {
		for _, a := range shell.Parse(command).SureAccesses() {
			if a.Mode != shell.Reads {
				t.Errorf("%s: writes %q", command, a.Path)
			}
		}
	}
}
