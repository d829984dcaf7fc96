package permission_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// disk is a file system with these files, in the directories that their names say, and no
// links.
type disk []string

func (disk) Readlink(string) (string, error) { return "", nil }

func (d disk) Exists(path string) (bool, error) {
	dir, wantsDir := strings.CutSuffix(path, "/.")
	return slices.ContainsFunc(d, func(file string) bool { return !wantsDir && file == path || strings.HasPrefix(file, dir+"/") }), nil
}

func (d disk) List(dir string, _ int) (found permission.Listing, _ error) {
	for _, file := range d {
		rest, ok := strings.CutPrefix(file, strings.TrimSuffix(dir, "/")+"/")
		switch name, _, below := strings.Cut(rest, "/"); {
		case !ok:
		case below && !slices.Contains(found.Dirs, name):
			found.Dirs = append(found.Dirs, name)
		case !below && name[0] == '.':
			found.Hidden = append(found.Hidden, name)
		}
		found.Read++
	}
	return found, nil
}

var gitDisk = disk{
	project + "/.git/HEAD", project + "/secret.txt", project + "/main.go", project + "/src/a.go", project + "/src/secret.txt", project + "/.claude/settings.json", project + "/clean/x.go",
}

// TestP12_GitPathspecsReadDenied: what git finds with a pattern, or shows of its own
// accord, may be what a rule denies to read.
func TestP12_GitPathspecsReadDenied(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(secret.txt)"}})
	w.engine = engine(gitDisk)
	for _, command := range []string{
		"git grep '' -- 'sec*'", "git grep SECRET", "git log -p -- ':secret.txt'", "git log -p", "git log -u", "git log --patch", "git diff", "git diff HEAD~1", "git show", "git show HEAD", "git diff -- .", "git grep x -- src",
		"git log -p -- src", "git show HEAD -- ':!main.go'", "git log -L1,5:secret.txt", "git stash show -p", "git grep main.go", "git log -p -S main.go", "git diff -G main.go", "git log -p --full-diff -- main.go", "git cat-file -p HEAD",
		"git cat-file --batch", "git diff --stat -p", "git status -v", "git --icase-pathspecs log -p -- SECRET.TXT", "git diff --no-index main.go src", "git show HEAD:secret.txt", "git diff 'sec*'", "git diff -- 's?cret.txt'", "git diff -- 's[e]cret.txt'",
	} {
		if d := w.bash(command); d.Behavior == permission.Allow {
			t.Errorf("%s: %s", command, d.Message())
		}
	}
	for _, command := range []string{
		"git log", "git log --oneline", "git diff --stat", "git diff --name-only HEAD~1", "git show --stat", "git show HEAD:main.go", "git diff -- main.go", "git diff main.go", "git diff HEAD main.go", "git diff --cached main.go", "git grep x -- main.go",
		"git log -p -- main.go", "git status", "git ls-files", "git branch", "git blame main.go", "git cat-file -t HEAD", "git log -p -- clean/x.go",
	} {
		if d := w.bash(command); d.Behavior != permission.Allow {
			t.Errorf("%s: %s", command, d.Message())
		}
	}
}

// TestP12_GitShowsElsewhere: without a rule about files of the repository everything of
// it may be shown.
func TestP12_GitShowsElsewhere(t *testing.T) {
	for _, rules := range []lists{{}, {Deny: []string{"Read(~/.ssh/**)", "Read(//etc/shadow)"}}} {
		w := newWorld(t, rules)
		w.engine = engine(gitDisk)
		for _, command := range []string{"git grep x", "git diff", "git log -p", "git show HEAD", "git grep -n x -- '*.go'", "git log -p -- ':main.go'"} {
			if d := w.bash(command); d.Behavior != permission.Allow {
				t.Errorf("%v: %s: %s", rules.Deny, command, d.Message())
			}
		}
	}
}

// TestP12_GitReadsAboveTheDirectory: git shows the whole repository from wherever in it it
// runs.
func TestP12_GitReadsAboveTheDirectory(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(/" + project + "/secret.txt)"}}, at(project+"/clean", home))
	w.engine = engine(gitDisk)
	for command, want := range map[string]permission.Behavior{"git diff": permission.Ask, "git grep x -- :/": permission.Ask, "git grep x": permission.Allow, "git diff -- .": permission.Allow} {
		if d := w.bash(command); d.Behavior != want {
			t.Errorf("%s: %s", command, d.Message())
		}
	}
}

// TestP12_GitPathspecsWriteDenied: nor does a pattern get around a rule against editing.
func TestP12_GitPathspecsWriteDenied(t *testing.T) {
	for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions} {
		w := newWorld(t, lists{Allow: []string{"Bash(git:*)"}, Deny: []string{"Edit(secret.txt)"}}, inMode(mode))
		w.engine = engine(gitDisk)
		for _, command := range []string{
			"git rm 'sec*'", "git stash push secret.txt", "git stash -- secret.txt", "git checkout -- 'sec*'", "git restore ':secret.txt'", "git rm -r src", "git checkout src", "git checkout -- .", "git restore --pathspec-from-file=x", "git mv src other",
			"git mv secret.txt x", "git mv x secret.txt", "git checkout HEAD src", "git stash push -- src", "git clean -fd 's*'",
		} {
			if d := w.bash(command); d.Behavior == permission.Allow {
				t.Errorf("%v: %s: %s", mode, command, d.Message())
			}
		}
		for _, command := range []string{"git checkout main", "git checkout -b feature", "git rm main.go", "git restore main.go", "git checkout -- main.go", "git stash", "git mv main.go cmd.go", "git stash push main.go", "git stash pop"} {
			if d := w.bash(command); d.Behavior != permission.Allow {
				t.Errorf("%v: %s: %s", mode, command, d.Message())
			}
		}
	}
}

// TestP10_GitPathspecsAndProtectedPaths: a pattern of git that may find a protected path
// needs a person in every mode.
func TestP10_GitPathspecsAndProtectedPaths(t *testing.T) {
	for _, links := range []permission.Links{gitDisk, permission.NoLinks{}} {
		w := newWorld(t, lists{Allow: []string{"Bash(git:*)"}}, inMode(permission.BypassPermissions))
		w.engine = engine(links)
		for _, command := range []string{
			"git stash push .claude/settings.json", "git rm -q '*.json'", "git rm -r '.cl*'", "git rm -r '*'", "git rm -r :/", "git rm ':(glob)**/settings.json'", "git rm -- ':!src'", "git stash push -u -- .claude", "git checkout -- '*.json'",
			"git restore ':(top)x'", "git mv .claude x", "git mv x .claude/settings.json", "git rm *.json", "git stash push '*.json'", "git checkout evil -- '.cl*'",
		} {
			if d := w.bash(command); d.Behavior != permission.Ask || !d.NeedsPerson {
				t.Errorf("%T: %s: %s", links, command, d.Message())
			}
		}
		for _, command := range []string{"git stash", "git stash pop", "git checkout main", "git rm main.go", "git add '*.json'", "git restore main.go"} {
			if d := w.bash(command); d.Behavior != permission.Allow {
				t.Errorf("%T: %s: %s", links, command, d.Message())
			}
		}
	}
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	w.engine = engine(gitDisk)
	if d := w.bash("git rm 'clean/*.go'"); d.Behavior != permission.Allow {
		t.Errorf("where nothing is protected: %s", d.Message())
	}
}
