package shell_test

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// TestFloorListedFiles: what deletes or empties all that a listing of everything names is on the
// danger floor, however the names come to it.
func TestFloorListedFiles(t *testing.T) {
	floor(t, true, []string{
		"truncate -s 0 $(git ls-files)", "truncate -s 0 `git ls-files`", "rg --files | xargs truncate -s 0", "rm $(rg --files)", "rg --files -0 . | xargs -0 rm",
		"git ls-files | xargs truncate -s 0", "find . -type f | xargs truncate -s 0", "ls | xargs truncate -s 0", "dir | xargs rm", "compgen -f | xargs rm", "fd | xargs truncate -s 0",
		"git rm -r $(git ls-files)", "git ls-files | xargs git rm", "git ls-files | while read f; do git rm \"$f\"; done", "find . -type f -exec git rm {} +",
		"for f in $(git ls-files); do : > $f; done", "for f in $(git ls-files); do echo x > \"./$f\"; done", "for f in $(find . -type f); do cp /dev/null $f; done", "for f in $(ls); do rm -rf \"./$f\"; done",
		"while read f; do rm \"$f\"; done < <(git ls-files)", "while read f; do : > \"$f\"; done < <(git ls-files)", "mapfile -t a < <(git ls-files); truncate -s 0 \"${a[@]}\"", "F=$(git ls-files); rm $F", "F=$(git ls-files); for f in $F; do rm $f; done",
		"git ls-files | parallel truncate -s 0", "git ls-files | parallel 'truncate -s 0 {}'", "sed -i d $(git ls-files)", "tee $(git ls-files) < /dev/null", "echo | tee $(git ls-files)", "xargs -a <(git ls-files) rm", "xargs truncate -s 0 < <(git ls-files)",
		"rm $(git ls-files -co)", "git ls-files --cached --others | xargs rm", "rm $(git ls-tree -r --name-only HEAD)", "git -C . ls-files | xargs rm", "truncate -s 0 $(git ls-files | sort)", "sudo truncate -s 0 $(git ls-files)", "g() { for x in \"$@\"; do : > \"$x\"; done; }; g $(git ls-files)",
		"pwd | xargs rm -rf", "realpath * | xargs rm -rf", "basename -a * | xargs rm -rf", "stat -c %n * | xargs rm -rf", "compgen -G '*' | xargs rm -rf", "tree -fi | xargs rm -rf", "du -a | xargs rm -rf",
		"rg -l '' | xargs rm -f", "grep -rl '' . | xargs rm", "grep -rl . | xargs rm", "rm $(grep -rl '' .)",
		"cd src && rm -rf $(ls ..)", "cd src; rm $(ls)", "cd \"$X\" && rm $(git ls-files)", "cd src && rm $(git -C .. ls-files)",
	})
	floor(t, false, []string{
		"git ls-files | xargs wc -l", "sed -i s/a/b/ $(git ls-files)", "git ls-files -d | xargs git rm", "git rm $(git ls-files --deleted)", "git ls-files '*.orig' | xargs rm", "rm $(git ls-files -o --exclude-standard)", "rm $(git ls-files | grep orig)",
		"find . -name '*.log' | xargs truncate -s 0", "truncate -s 0 *.log", "for f in *.log; do : > \"$f\"; done", "rg --files -g '*.orig' | xargs rm", "rm $(rg -l TODO)", "rm $(ls *.log)", "rm \"$(ls -t | tail -1)\"", "F=$(git ls-files '*.log'); truncate -s 0 $F",
		"for f in $(ls); do echo hi >> $f; done", "for f in $(git ls-files); do sed s/a/b/ $f > $f.new; done", "git ls-files | while read f; do echo \"$f\" > \"$f.txt\"; done", "for f in $(ls logs); do : > logs/$f; done", "git ls-files | while read f; do : >> \"$f\"; done",
		"tmp=$(mktemp); git ls-files > $tmp; rm $tmp", "n=$(git ls-files | wc -l); : > $n.txt", "latest=$(ls -t backups | head -1); rm -rf \"backups/$latest\"", "rm $(ls build)", "cd build && rm $(ls)", "git diff --name-only | xargs git rm", "git rm --cached $(git ls-files)",
		"grep -rl foo . | xargs rm", "grep -rl '' build | xargs rm", "grep -rl --include='*.orig' '' . | xargs rm", "basename -a *.c | xargs rm", "realpath build | xargs rm -rf", "stat -c %n *.log | xargs rm", "tree -fi build | xargs rm", "cd build && pwd | xargs rm -rf",
		"git rm old.go", "printf '%s\\n' *.log | xargs truncate -s 0", "FILES=$(git ls-files); rm -f out",
	})
}

// TestFloorPlacesInSettings: protected places that stand in a setting of a program.
func TestFloorPlacesInSettings(t *testing.T) {
	floor(t, true, []string{
		"ssh -o UserKnownHostsFile=.git/hooks/x host ls", "ssh -oControlPath=.git/hooks/x host", "ssh -o 'UserKnownHostsFile .git/hooks/x' host", "scp -o UserKnownHostsFile=.git/hooks/x a host:b", "sftp -oControlPath=.git/x host",
		"sqlite3 -Axf x.sqlar .git/hooks/x", "sqlite3 'file:%2egit/x?mode=rwc' 'create table a(b)'", "curl -w '%output{.git/x}y' u", "curl --ssl-sessions .git/x u", "wget -e output_document=.git/x u",
	})
	floor(t, false, []string{
		"ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null host ls", "ssh -o ControlPath=~/.ssh/cm-%r@%h:%p host", "ssh -i ~/.ssh/id host", "sqlite3 -At x.sqlar", "sqlite3 'file:x.db?mode=ro' 'select 1'", "curl -w '%{http_code}' u",
	})
}

func floor(t *testing.T, want bool, commands []string) {
	t.Helper()
	for _, command := range commands {
		if found := shell.Parse(command).Floor(); (found != nil) != want {
			t.Errorf("%s: on the floor %v, want %v: %+v", command, found != nil, want, found)
		}
	}
}
