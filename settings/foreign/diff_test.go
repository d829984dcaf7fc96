package foreign

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	numbers := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"
	for _, c := range []struct {
		name          string
		before, after []byte
		want          string
	}{
		{"a new file", nil, []byte("a\nb\n"), "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"a removed file", []byte("a\n"), nil, "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"one line", []byte(numbers), []byte(strings.Replace(numbers, "10\n", "ten\n", 1)), "--- f\n+++ f\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"},
		{
			"two places", []byte(numbers), []byte("0\n" + numbers + "21\n"),
			"--- f\n+++ f\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -18,3 +19,4 @@\n 18\n 19\n 20\n+21\n",
		},
		{"no newline at the end", []byte("{}"), []byte("{}\n"), "--- f\n+++ f\n@@ -1 +1 @@\n-{}\n\\ No newline at end of file\n+{}\n"},
		{"CRLF", []byte("a\r\n"), []byte("a\r\nb\r\n"), "--- f\n+++ f\n@@ -1 +1,2 @@\n a\n+b\n"},
	} {
		if got := diffText(Change{File: "f", Before: c.before, After: c.after}); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func diffText(c Change) string {
	var b strings.Builder
	for _, line := range c.Diff() {
		b.WriteString(line.Text + "\n")
	}
	return b.String()
}

// The script leads from one text to the other and keeps what can be kept; patch
// agrees, where there is one.
func TestScript(t *testing.T) {
	patch, _ := exec.LookPath("patch")
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n"}), 1, 30)
		a, b := lines.Draw(t, "a"), lines.Draw(t, "b")
		var from, to []string
		for _, o := range script(a, b) {
			if o.mark != '+' {
				from = append(from, o.line)
			}
			if o.mark != '-' {
				to = append(to, o.line)
			}
		}
		if strings.Join(from, "") != strings.Join(a, "") || strings.Join(to, "") != strings.Join(b, "") {
			t.Fatalf("%q to %q: got %q to %q", a, b, from, to)
		}
		if n++; patch == "" || n > 20 || strings.Join(a, "") == strings.Join(b, "") {
			return
		}
		file := filepath.Join(dir, "f")
		if err := os.WriteFile(file, []byte(strings.Join(a, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(patch, "-s", file)
		cmd.Stdin = strings.NewReader(diffText(Change{File: file, Before: []byte(strings.Join(a, "")), After: []byte(strings.Join(b, ""))}))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("patch: %v\n%s", err, out)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != strings.Join(b, "") {
			t.Fatalf("patch made %q, %v, want %q", got, err, b)
		}
	})
}
