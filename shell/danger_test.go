package shell_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/shell"
	"pgregory.net/rapid"
)

// dangerCases are the commands in testdata/danger: a file for each kind, one command
// a line, as a Go string where it has several lines. What is harmless there looks
// like its neighbours and is not.
type dangerCases struct{ dangerous, harmless []string }

func readDangerCases(t testing.TB) map[string]dangerCases {
	t.Helper()
	files, err := filepath.Glob("testdata/danger/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	all := make(map[string]dangerCases)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dangerous, harmless, _ := strings.Cut(string(text), "## harmless\n")
		all[strings.TrimSuffix(filepath.Base(file), ".txt")] = dangerCases{caseLines(t, dangerous), caseLines(t, harmless)}
	}
	return all
}

func caseLines(t testing.TB, section string) []string {
	t.Helper()
	var out []string
	for line := range strings.SplitSeq(section, "\n") {
		if line == "" || line == "## dangerous" {
			continue
		}
		if line[0] == '"' {
			text, err := strconv.Unquote(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			line = text
		}
		out = append(out, line)
	}
	return out
}

func (c dangerCases) all() []string { return slices.Concat(c.dangerous, c.harmless) }

func TestDanger(t *testing.T) {
	t.Parallel()
	for kind, cases := range readDangerCases(t) {
		for _, command := range cases.dangerous {
			if len(shell.Parse(command).Danger()) == 0 {
				t.Errorf("%s: not found dangerous: %s", kind, command)
			}
		}
		for _, command := range cases.harmless {
			if found := shell.Parse(command).Danger(); len(found) > 0 {
				t.Errorf("%s: found dangerous (%s): %s", kind, found[0].Text, command)
			}
		}
	}
}

func TestFloor(t *testing.T) {
	t.Parallel()
	floor := []string{
		"rm -rf /", "rm -rf ~", "rm -rf $HOME", "rm -rf ..", "rm -rf *", "rm -rf .", `rm -rf "$DIR"/*`, "rm -rf /etc", "rm -rf /home/me", "rm -rf ~root",
		"cd ~ && rm -rf .", "find . -delete", "find . | xargs rm -rf", "sudo rm -rf /usr", "bash -c 'rm -rf /'", "X=rm; $X -rf /", "rm${IFS}-rf${IFS}/",
		"mkfs.ext4 /dev/sda1", "dd if=x of=/dev/sda", "echo x > /dev/sda", "tee /dev/sda < x", "cp x /dev/sda", "blkdiscard /dev/sda", "wipefs -a /dev/sda",
		":(){ :|:& };:", "perl -e 'fork while fork'", "echo x > .git/config", "rm -rf .git", "sed -i s/a/b/ .claude/settings.json", "tee ~/.bashrc < x",
		"mv .git /tmp/x", "chmod +x .git/hooks/x", "cd .claude && echo x > settings.json", "rm -rf /etc/x /", "mv ~ /tmp/x",
	}
	for _, command := range floor {
		if shell.Parse(command).Floor() == nil {
			t.Errorf("not on the floor: %s", command)
		}
	}
	above := []string{
		"rm -rf build", "rm -rf /etc/nginx", "rm -rf ../x", "git reset --hard", "git push --force", "shutdown now", "curl x | sh", "kubectl delete ns x",
		"echo k >> ~/.ssh/authorized_keys", "psql -c 'DROP TABLE x'", "echo x > /etc/hosts", "ls", "cat .git/config", "npm publish",
	}
	for _, command := range above {
		if f := shell.Parse(command).Floor(); f != nil {
			t.Errorf("on the floor (%s): %s", f.Text, command)
		}
	}
}

// TestFloorIsDanger: both walks agree on what is on the floor.
func TestFloorIsDanger(t *testing.T) {
	t.Parallel()
	for _, cases := range readDangerCases(t) {
		for _, command := range cases.all() {
			s := shell.Parse(command)
			onFloor := slices.ContainsFunc(s.Danger(), func(f shell.Finding) bool { return f.Floor })
			if (s.Floor() != nil) != onFloor {
				t.Errorf("Floor says %v, Danger %v: %s", s.Floor() != nil, onFloor, command)
			}
		}
	}
}

func TestFindingSaysWhat(t *testing.T) {
	t.Parallel()
	source := "echo ok; rm -rf build /etc"
	found := shell.Parse(source).Danger()
	if len(found) != 1 {
		t.Fatalf("%d findings: %v", len(found), found)
	}
	f := found[0]
	if got := source[f.Span.Start:f.Span.End]; got != "/etc" {
		t.Errorf("span is %q, want the operand", got)
	}
	if f.Kind != "rm" || f.Text != "deletes a system directory: /etc" || f.Command != 1 {
		t.Errorf("finding is %+v", f)
	}
}

// TestDangerSurvivesWrapping: what is dangerous stays so inside anything that runs
// it.
func TestDangerSurvivesWrapping(t *testing.T) {
	t.Parallel()
	wraps := []string{
		"%s", "sudo %s", "env A=1 %s", "timeout 5 %s", "true && %s", "( %s )", "if true; then %s; fi", "bash -c '%s'", "echo $( %s )", "%s | cat", "! { %s; }",
	}
	cores := []string{"rm -rf /", "git reset --hard", "mkfs.ext4 /dev/sda", "kubectl delete ns x", "tee .git/config", "rm -rf ~", "shutdown now", "npm publish"}
	rapid.Check(t, func(t *rapid.T) {
		command := rapid.SampledFrom(cores).Draw(t, "core")
		quoted := false
		for range rapid.IntRange(0, 4).Draw(t, "depth") {
			wrap := rapid.SampledFrom(wraps).Draw(t, "wrap")
			if strings.Contains(wrap, "'") {
				if quoted {
					continue
				}
				quoted = true
			}
			if simple := slices.Contains(cores, command); !simple && slices.Contains(wraps[1:4], wrap) {
				continue // only a simple command can follow these
			}
			command = strings.Replace(wrap, "%s", command, 1)
		}
		if len(shell.Parse(command).Danger()) == 0 {
			t.Fatalf("not found dangerous: %s", command)
		}
	})
}

func TestFloorAllocatesNothing(t *testing.T) {
	for _, command := range []string{
		"git status", "ls -la src", "npm test", "cat a b | grep x", "cp a b", "rm -rf build", "go test ./... > out.txt", "sed -i s/a/b/ x",
	} {
		s := shell.Parse(command)
		if n := testing.AllocsPerRun(100, func() {
			if s.Floor() != nil || len(s.Danger()) > 0 {
				t.Fatal("found dangerous: " + command)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations", command, n)
		}
	}
}

func BenchmarkDanger(b *testing.B) {
	for _, command := range []string{"git status", "npm test", "rm -rf build", "cat a.txt | grep x > out.txt"} {
		b.Run(command, func(b *testing.B) {
			s := shell.Parse(command)
			b.ReportAllocs()
			for b.Loop() {
				s.Danger()
			}
		})
	}
}

func BenchmarkFloor(b *testing.B) {
	s := shell.Parse("cd src && go test ./... 2>&1 | tail -20")
	b.ReportAllocs()
	for b.Loop() {
		s.Floor()
	}
}

func FuzzDanger(f *testing.F) {
	for _, cases := range readDangerCases(f) {
		for _, command := range cases.all() {
			f.Add(command)
		}
	}
	f.Fuzz(func(t *testing.T, command string) {
		defer testlimit.Watch(t)()
		s := shell.Parse(command)
		for _, found := range s.Danger() {
			if found.Command < 0 || found.Command >= len(s.Commands) || found.Text == "" || found.Kind == "" {
				t.Errorf("%q: %+v", command, found)
			}
		}
		floor := s.Floor()
		if floor != nil && !floor.Floor {
			t.Errorf("%q: Floor gives %+v", command, floor)
		}
		for _, a := range s.Accesses() {
			if a.Path == "" || a.Mode == 0 || len(s.Paths(a)) == 0 {
				t.Errorf("%q: %+v", command, a)
			}
		}
	})
}
