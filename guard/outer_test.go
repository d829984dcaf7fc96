package guard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
)

// outerRules restrict, and try to grant: a directory around the project may do the
// first only.
const outerRules = `{"permissions":{
  "defaultMode": "bypassPermissions",
  "allow": ["Bash(npm:*)"], "ask": ["Bash(make deploy:*)"],
  "deny": ["Bash(git push:*)", "Read(**/.env)", "Read(/mod/key)", "Read(./mod/token)"]
}}`

// What a project denies holds in everything below it: in a submodule, in a package
// that the agent takes for the project, and in a directory of a workspace.
func TestT4_OuterProject(t *testing.T) {
	for _, agent := range dialect.Agents {
		for _, below := range []struct{ name, dir, mark string }{
			{"submodule", "mod", ".git"},
			{"repository", "mod", ".git/HEAD"},
			{"project", "mod", ".claude/settings.json"},
			{"deep below", "mod/a/b", ".git"},
			{"named by the agent", "mod", ""},
		} {
			t.Run(agent.String()+"/"+below.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, agent).user(`{"permissions":{"allow":["Bash(git push:*)","Bash(make:*)"]}}`).project(outerRules)
				w.write(w.proj, ".git/HEAD", "")
				dir := filepath.Join(w.proj, below.dir)
				w.write(dir, "a", "")
				if below.mark == "" {
					w.options.Project = dir
				} else {
					w.write(dir, below.mark, "{}")
				}
				for command, want := range map[string]bool{
					"git push":                        false,
					"cat .env":                        false,
					"cat " + w.proj + "/mod/key":      false,
					"cat " + w.proj + "/mod/token":    false,
					"make deploy":                     false,
					"make":                            true,
					"ls":                              true,
					"npm ci":                          false, // what lies around a project grants nothing
					"cat " + w.proj + "/package.json": false, // nor does it make the project larger
				} {
					if reply := w.send(shellEvent(agent, dir, command)); w.letsThrough(reply) != want {
						t.Errorf("%s: %s%s", command, reply.Stdout, reply.Stderr)
					}
				}
			})
		}
	}
}

// The rule is named with its file, and a broken file says so.
func TestT4_OuterProjectSays(t *testing.T) {
	w := newWorld(t, dialect.Claude).project(outerRules)
	w.write(w.proj, "mod/.git", "gitdir: ../.git/modules/mod")
	mod := filepath.Join(w.proj, "mod")
	if word, reason := decision(t, w.send(shellEvent(dialect.Claude, mod, "git push"))); word != "deny" || !strings.Contains(reason, w.proj+"/.claude/settings.json:4") {
		t.Errorf("%s: %s", word, reason)
	}
	for _, file := range []string{".claude/settings.json", ".claude/settings.local.json"} {
		w := newWorld(t, dialect.Claude)
		w.write(w.proj, file, "{").write(w.proj, "mod/.git", "x")
		if word, reason := decision(t, w.send(shellEvent(dialect.Claude, filepath.Join(w.proj, "mod"), "ls"))); word != "deny" || !strings.Contains(reason, file) {
			t.Errorf("%s: %s: %s", file, word, reason)
		}
	}
}

// Where nothing is asked, a question of the outer project is a denial; a mode of the
// outer project neither loosens nor hides its rules.
func TestT4_OuterModes(t *testing.T) {
	for _, test := range []struct{ outer, event, want string }{
		{"", "default", "ask"},
		{"", "bypassPermissions", "ask"},
		{"", "dontAsk", "deny"},
		{"plan", "", "ask"},
		{"plan", "bypassPermissions", "ask"},
		{"bypassPermissions", "", "ask"},
	} {
		w := newWorld(t, dialect.Claude).user(`{"permissions":{"allow":["Bash(make:*)"]}}`)
		w.project(`{"permissions":{"defaultMode":"` + test.outer + `","ask":["Bash(make:*)"]}}`)
		if test.outer == "" {
			w.project(`{"permissions":{"ask":["Bash(make:*)"]}}`)
		}
		w.write(w.proj, "mod/.git", "x")
		event := shellEvent(dialect.Claude, filepath.Join(w.proj, "mod"), "make")
		if test.event != "" {
			event = with(event, "permission_mode", test.event)
		}
		if word, reason := decision(t, w.send(event)); word != test.want {
			t.Errorf("%+v: %s (%s)", test, word, reason)
		}
	}
}

// Every directory of a workspace has a project around it, and so has the place where
// the agent stands.
func TestT4_OuterOfWorkspaces(t *testing.T) {
	w := newWorld(t, dialect.Cursor).user(`{"permissions":{"allow":["Bash"]}}`).project(`{"permissions":{"deny":["Bash(git push:*)"]}}`)
	other := filepath.Join(filepath.Dir(w.proj), "other")
	pkg := filepath.Join(w.proj, "pkg", "a")
	w.write(other, "a", "").write(pkg, "a", "")
	for _, test := range []struct {
		name, cwd string
		roots     string
		through   bool
	}{
		{"a root below", other, fmt.Sprintf("%q,%q", other, pkg), false},
		{"the only root is below", pkg, fmt.Sprintf("%q", pkg), false},
		{"the agent stands below", pkg, fmt.Sprintf("%q", other), false},
		{"neither", other, fmt.Sprintf("%q", other), true},
	} {
		event := fmt.Sprintf(`{"hook_event_name":"beforeShellExecution","command":"git push","cwd":%q,"workspace_roots":[%s]}`, test.cwd, test.roots)
		if reply := w.send(event); w.letsThrough(reply) != test.through {
			t.Errorf("%s: %s", test.name, reply.Stdout)
		}
	}
}

// The home directory and what lies above it are not around anything; the project that
// the person names is the only one; a link does not lead out of a project.
func TestT4_OuterEnds(t *testing.T) {
	w := newWorld(t, dialect.Codex).user(`{"permissions":{"allow":["Bash"]}}`)
	top := filepath.Dir(w.proj)
	w.write(top, ".claude/settings.json", `{"permissions":{"deny":["Bash(make:*)"]}}`)
	w.write(w.home, "work/.git/HEAD", "")
	if reply := w.send(shellEvent(dialect.Codex, filepath.Join(w.home, "work"), "make")); !w.letsThrough(reply) {
		t.Errorf("below the home directory: %s", reply.Stdout)
	}
	w.write(w.proj, ".git/HEAD", "")
	if reply := w.run("make"); w.letsThrough(reply) {
		t.Errorf("beside the home directory: %s", reply.Stdout)
	}
	w.options.Settings.Dir = w.proj
	if reply := w.run("make"); !w.letsThrough(reply) {
		t.Errorf("with --project: %s", reply.Stdout)
	}
	w.options.Settings.Dir = ""
	link := filepath.Join(w.home, "link")
	if err := os.Symlink(w.proj, link); err != nil {
		t.Fatal(err)
	}
	w.options.Project = link
	if reply := w.send(shellEvent(dialect.Codex, link, "make")); w.letsThrough(reply) {
		t.Errorf("through a link: %s", reply.Stdout)
	}
}

// The directory of an event is one.
func TestT4_WorkingDirectoryIsAFile(t *testing.T) {
	for _, agent := range dialect.Agents {
		w := newWorld(t, agent).user(fine)
		w.write(w.proj, "file", "")
		reply := w.send(shellEvent(agent, filepath.Join(w.proj, "file"), "make"))
		if w.letsThrough(reply) || !strings.Contains(string(reply.Stdout), "not a directory") {
			t.Errorf("%v: %s", agent, reply.Stdout)
		}
	}
}
