package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/classify"
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

// TestP9_ProtectedTrees: what is protected goes with the directory that it lies in, at
// any depth.
func TestP9_ProtectedTrees(t *testing.T) {
	files := disk{
		project + "/.git/HEAD", project + "/src/a.go", project + "/sub/.claude/settings.json", project + "/deep/a/b/.mcp.json", project + "/shell/.bashrc", project + "/fisher/fish/conf.d/x",
		project + "/build/x.o", project + "/dist/x/.git/HEAD", project + "/out/.claude/x", project + "/node_modules/a/.vscode/settings.json", project + "/package-lock.json",
	}
	w := newWorldOn(t, files)
	for want, commands := range map[classify.Outcome][]string{
		yes: {
			"mv src other", "git mv src other", "git rm -r src", "rm -rf build", "rm -rf node_modules", "rm -rf build/*", "git rm src/a.go", "mv sub/x.go src/y.go", "git stash push src/a.go",
			"rm -rf node_modules package-lock.json",
		},
		no: {
			"mv sub other", "git mv sub other", "git rm -r sub", "mv deep other", "mv shell other", "mv fisher other", "rm -rf dist", "rm -rf out", "rm -rf dist/*", "git stash", "git stash push -u",
			"rm -rf src", "rm -rf src package-lock.json", "rm package-lock.json && mv src package-lock.json && rm -rf package-lock.json", "git mv sub/ other",
		},
	} {
		for _, command := range commands {
			q, _ := w.bash(command)
			informed, alone := w.builtin(q)
			if informed.Outcome != want || want != yes && alone.Outcome == yes {
				t.Errorf("%s: %v %q, want %v", command, informed.Outcome, informed.Reasons, want)
			}
		}
	}
	clean := newWorldOn(t, disk{project + "/.git/HEAD", project + "/src/a.go"})
	q, _ := clean.bash("git stash")
	if v, _ := clean.builtin(q); v.Outcome != yes {
		t.Errorf("git stash where nothing is protected: %v %q", v.Outcome, v.Reasons)
	}
}

// TestP9_BareRepository: what the engine calls dangerous about where git runs is refused
// for changes as well.
func TestP9_BareRepository(t *testing.T) {
	bare := newWorldOn(t, disk{project + "/HEAD", project + "/objects/x", project + "/config"})
	own := newWorldOn(t, disk{project + "/.git/HEAD", project + "/.git/objects/x"})
	for _, command := range []string{"git add -A", "git tag v1", "git status && touch x", "git branch x"} {
		q, _ := bare.bash(command)
		if v, alone := bare.builtin(q); v.Outcome == yes || alone.Outcome == yes {
			t.Errorf("%s is approved in a bare repository", command)
		}
		q, _ = own.bash(command)
		if v, _ := own.builtin(q); v.Outcome != yes {
			t.Errorf("%s: %v %q", command, v.Outcome, v.Reasons)
		}
	}
}

// TestP9_MovedTwice: what a script has just written is no link, and the reason against
// moving anything else is true.
func TestP9_MovedTwice(t *testing.T) {
	w := newWorld(t, linkMap{project + "/tmp": "/etc/hosts"})
	for command, says := range map[string]string{
		"mv away x; touch x/y":               "what it moves may be a link",
		"jq . a.json > tmp && mv tmp a.json": "", // tmp is one already
		"cd d && jq . a > t && mv t a":       "what it moves may be a link",
		"ln -s a b":                          "it makes another name",
	} {
		q, _ := w.bash(command)
		v, _ := w.builtin(q)
		if v.Outcome != no || !strings.Contains(strings.Join(v.Reasons, "\n"), says) {
			t.Errorf("%s: %v %q", command, v.Outcome, v.Reasons)
		}
	}
}
