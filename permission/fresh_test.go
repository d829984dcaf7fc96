package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestS14_OtherSpellings: abbreviations, aliases and values that are evaluated lead to the same
// command.
func TestS14_OtherSpellings(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(make:*)", "Bash(npm publish:*)"}})
	for _, command := range []string{
		"git -c alias.x=y -c alias.y='!make' x", "git rebase --ex make HEAD~1", "split --f make a.txt", "sort --co=make x", "install -s --strip-p=make a b",
		"foo /usr/bin/make", "foo ./make", "npm pub", "npm publi --tag x", "npm -s pu", "npx npm pub", "su -cmake", `su "-c$(:)make"`, `env -S"$(:)"make`,
		`git -c"$(:)" core.pager=make log`, "a='a[$(make)]'; ((a++))", "a='a[$(make)]'; ((a+=1))", "echo $(\\\n(make))",
	} {
		if d := w.bash(command); d.Behavior == allow {
			t.Errorf("%s: %v (%s), want ask or deny", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{"npm run p", "npm i", "npm pack", "i=0; ((i++)); ((i+=2))", "make2 -j$(nproc)", "sort --check x"} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s), want allow", command, d.Behavior, d.Message())
		}
	}
}

// TestS15_FilesThatProgramsRead: by a command of theirs, or for their settings.
func TestS15_FilesThatProgramsRead(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(.env)"}})
	for _, command := range []string{
		"sqlite3 :memory: '.read .env'", "sqlite3 :memory: '.import .env t'", `psql -c '\i .env'`, "git -c include.path=.env config -l", "GIT_CONFIG_GLOBAL=.env git config -l",
		`find -fpri"$(:)"nt ./.env`, `find . -type f -exec"$a" head {} \;`, "echo .e* >&1 | xargs cat", "sh -c '[[ }<.env #\\\nb ]]'",
	} {
		if d := w.bash(command); d.Behavior == allow {
			t.Errorf("%s: %v (%s), want ask or deny", command, d.Behavior, d.Message())
		}
	}
}

// TestS37_ProtectedPathsFoundLast: in variables and in the quotes of patches.
func TestS37_ProtectedPathsFoundLast(t *testing.T) {
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	for _, command := range []string{
		"GIT_TRACE=$PWD/.git/hooks/x git status", "OUT=.git/hooks/x mytool", "GIT_WORK_TREE=.git/hooks git checkout HEAD -- .", "TMPDIR=.git/hooks mktemp",
		"patch -p0 <<'E'\n--- a\n+++ \"\\056git/hooks/x\"\nE", "patch -p0 <<'E'\n  --- a\n  +++ .git/hooks/x\nE", "echo x > ~/.config/git/config",
		"echo ~/* | xargs rm -rf", "printf '%s\\n' /* | xargs rm -rf",
	} {
		if d := w.bash(command); d.Behavior != ask {
			t.Errorf("%s: %v (%s), want ask", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{"CLAUDE_CONFIG_DIR=~/.claude mytool", "GIT_DIR=.git git status", "echo *.o | xargs rm -f"} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s), want allow", command, d.Behavior, d.Message())
		}
	}
}
