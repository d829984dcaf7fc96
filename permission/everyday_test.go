package permission_test

import (
	"os"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestS14_EverydayCommands: what coding agents run all day is not asked about without need. The
// commands of testdata/everyday.txt that are "free" run without any rule, those that are "covered"
// where a rule allows all of Bash and others deny some commands and files. Those that are "asked"
// may show a denied file, or hold a program in another language.
func TestS14_EverydayCommands(t *testing.T) {
	text, err := os.ReadFile("testdata/everyday.txt")
	if err != nil {
		t.Fatal(err)
	}
	without := newWorld(t, lists{})
	covered := newWorld(t, lists{
		Allow: []string{"Bash(*)"}, Ask: []string{"Bash(terraform apply:*)"},
		Deny: []string{"Bash(rm -rf /:*)", "Bash(git push:*)", "Bash(npm publish:*)", "Read(./.env)", "Read(~/.ssh/**)"},
	})
	seen := 0
	for section := range strings.SplitSeq(strings.TrimPrefix(string(text), "== "), "\n== ") {
		name, commands, _ := strings.Cut(section, "\n@@\n")
		w, want := covered, permission.Allow
		switch name {
		case "free":
			w = without
		case "covered":
		case "asked":
			want = permission.Ask
		default:
			t.Fatalf("section %q", name)
		}
		for command := range strings.SplitSeq(strings.TrimSuffix(commands, "\n"), "\n@@\n") {
			seen++
			if d := w.bash(command); d.Behavior != want {
				t.Errorf("%s, %q: %v (%s), want %v", name, command, d.Behavior, d.Message(), want)
			}
		}
	}
	if seen < 200 {
		t.Errorf("%d commands, want at least 200", seen)
	}
}
