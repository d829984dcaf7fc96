package permission_test

import (
	"errors"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// tree is a file system with files and links.
type tree struct {
	linkMap
	files []string
}

func (t tree) Exists(path string) (bool, error) {
	if path == "/locked/.git" {
		return false, errors.New("permission denied")
	}
	for _, file := range t.files {
		if file == path || len(file) > len(path) && file[:len(path)+1] == path+"/" {
			return true, nil
		}
	}
	return t.linkMap[path] != "", nil
}

// A checkout can hold a directory that git takes for a repository, with a configuration
// that names programs: git that only reads starts them.
func TestP16_GitInARepositoryThatACheckoutBrings(t *testing.T) {
	disk := tree{linkMap{project + "/l": "docs", project + "/linked/HEAD": "../docs/HEAD"}, []string{
		project + "/.git/HEAD", project + "/.git/objects/x", project + "/docs/HEAD", project + "/docs/config", project + "/docs/objects/x", project + "/docs/refs/x",
		project + "/docs/sub/a", project + "/split/HEAD", project + "/split/commondir", project + "/linked/objects/x", project + "/src/a.go", project + "/src/HEAD",
		project + "/own/.git/HEAD", project + "/own/HEAD", project + "/own/objects/x", "/bare/HEAD", "/bare/objects/x",
	}}
	for _, mode := range []permission.Mode{permission.Default, permission.AcceptEdits, permission.Plan, permission.Auto} {
		w := newWorld(t, lists{}, inMode(mode))
		w.engine = engine(disk)
		w.check(commands{
			stopped: []string{
				"cd docs && git status", "git -C docs status", "cd docs/sub && git log", "git -C docs -C sub log", "pushd docs && git diff", "cd docs; git status", "(cd docs; git status)",
				"cd l && git status", "git -C split log", "git -C linked status", "timeout 5 git -C docs status", "cd docs && ls | xargs git log --", "git -C docs branch", "x=docs; cd $x && git status", "for i in 1 2; do git status; cd docs; done", "while git status; do cd docs; done",
				"cd src/../docs && git status", "if true; then cd docs; fi; git status", "git -C docs rev-parse HEAD", "cd docs && command git status",
			},
			free: []string{"git status", "cd src && git status", "git -C src log", "git -C own status", "git -C .git log", "git --version", "git -C src diff HEAD", "cd docs && ls", "cd docs && git --version"},
		})
		if d := w.bash("cd docs && git status"); d.Classify {
			t.Errorf("%v: a classifier, which does not see the files, may answer", mode)
		}
	}
	bare := newWorld(t, lists{}, at("/bare", home)) // the session itself runs in one
	bare.engine = engine(disk)
	bare.check(commands{stopped: []string{"git status"}, free: []string{"ls", "git --version"}})
	locked := newWorld(t, lists{}, at("/locked", home))
	locked.engine = engine(disk)
	locked.check(commands{stopped: []string{"git status"}})
	// A rule allows what it names, and where nothing can be looked at nothing is found.
	ruled := newWorld(t, lists{Allow: []string{"Bash(git status)", "Bash(cd:*)"}})
	ruled.engine = engine(disk)
	ruled.check(commands{free: []string{"cd docs && git status"}, stopped: []string{"cd docs && git log", `cd "$D" && git log`}})
	newWorld(t, lists{}).check(commands{free: []string{"cd docs && git status"}})
}
