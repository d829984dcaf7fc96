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

// TestFloorNamesThatArrive: the names come through code in a text, a here-string, a file or a column.
func TestFloorNamesThatArrive(t *testing.T) {
	floor(t, true, []string{
		"ls | xargs -I{} sh -c 'rm -rf {}'", "find . | xargs -I{} sh -c 'rm -rf {}'", "ls | xargs -I% bash -c 'cd .; : > %'", "ls | xargs -I{} sh -c 'sudo rm -rf \"{}\"'",
		"while read f; do rm -rf \"$f\"; done <<< \"$(ls)\"", "readarray -t a <<< \"$(ls)\"; rm -rf \"${a[@]}\"", "xargs rm -rf <<< \"$(ls)\"", "while read f; do rm \"$f\"; done <<EOF\n$(ls)\nEOF",
		"ls > list; xargs rm -rf < list", "{ ls; } > list; xargs rm -rf < list", "ls | tee list; xargs rm -rf < list", "ls | sort > list; cat list | xargs rm -rf", "ls > ./list; xargs -a list rm -rf", "ls > a; sort a > b; rm -rf $(cat b)", "ls > list && rm $(<list)",
		"ls > list; while read f; do rm -rf \"$f\"; done < list", "ls > list; for f in $(cat list); do : > \"$f\"; done", "ls > list; mapfile -t a < list; rm -rf \"${a[@]}\"",
		"parallel rm -rf :::: <(ls)", "ls > list; parallel rm -rf :::: list", "ls > list; parallel -a list truncate -s 0",
		"du -a | cut -f2 | xargs rm -rf", "du -a | awk '{print $2}' | xargs rm -rf", "git ls-files | cut -d/ -f1 | sort -u | xargs rm -rf",
	})
	floor(t, false, []string{
		"ls *.log | xargs -I{} sh -c 'rm -rf {}'", "ls | xargs -I{} sh -c 'echo {}'", "ls | xargs -I{} sh -c 'wc -l < {} > {}.n'", "find . -name x | xargs -I{} sh -c 'rm -rf {}'", "sh -c \"rm -rf build/$X\"",
		"while read f; do rm -rf \"$f\"; done <<< \"$(ls *.log)\"", "readarray -t a <<< \"$(ls | grep old)\"; rm -rf \"${a[@]}\"", "xargs rm <<< \"$(git ls-files -d)\"",
		"ls > list; rm list", "ls *.log > list && rm $(<list)", "ls *.log > list; xargs rm < list", "ls | grep old > list; xargs rm < list", "ls > list; grep old list | xargs rm", "ls > list; cat list | grep old | xargs rm", "ls > list; xargs wc < list",
		"parallel rm -rf :::: <(ls *.log)", "parallel gzip :::: <(ls)", "du -a | cut -f2 | grep log | xargs rm", "du -a | awk '$1 > 9 {print $2}' | xargs rm", "ls -l | awk '/old/ {print $9}' | xargs rm",
	})
}

// TestFloorOtherRemovers: moving away, throwing away and editing to nothing count as deleting does.
func TestFloorOtherRemovers(t *testing.T) {
	floor(t, true, []string{
		"ls | xargs mv -t /tmp", "find . -mindepth 1 -maxdepth 1 -exec mv -t /tmp {} +", "for f in $(ls); do mv \"$f\" /tmp; done", "ls | xargs -I{} mv {} ~/old", "mv $(git ls-files) /tmp/x", "ls | xargs -I{} sh -c 'mv {} /tmp'",
		"sed -i '/.*/d' *", "sed -ni '' *", "sed -i '1,$d' *", "sed -i -e d *", "sed -i 's/.*//' *", "sed -i Q *", "sed -n -i s/a/b/ *", "sed -i '{d}' *", "find . -type f -exec sed -i '/^/d' {} +", "ls | xargs sed -i '/$/d'",
		"gawk -i inplace 0 *", "gawk -i inplace '{}' *", "gawk -i inplace '{ x = 1 }' *", "git ls-files | xargs gawk -i inplace 0",
		"perl -ni -e '' *", "perl -i -ne 1 *", "perl -pi -e '$_=\"\"' *", "ruby -ni -e '' *", "find . -type f | xargs perl -ni -e ''",
		"for f in *; do cat < /dev/null > \"$f\"; done", "for f in *; do exec > \"$f\"; done", "for f in *; do date > \"$f\"; done", "for f in *; do cat other > $f; done",
		"for f in *; do ln -sf /dev/null \"$f\"; done", "ln -sf /dev/null *", "ls | xargs -n1 ln -sf /dev/null",
		"rimraf '*'", "npx rimraf '*'", "gio trash ~", "gio trash *", "gio remove *", "trash-put *", "ls | xargs gio trash", "ls | xargs trash-put", "find . -mindepth 1 -exec gio trash {} +", "find . -mindepth 1 -exec trash {} +", "rimraf ~",
	})
	floor(t, false, []string{
		"ls *.log | xargs mv -t /tmp", "find . -name '*.log' -exec mv -t /tmp {} +", "for f in $(ls); do mv \"$f\" \"$f.bak\"; done", "for f in $(ls); do mv $f $(echo $f | tr A-Z a-z); done", "ls | xargs mv -t sub", "mv ../x/* .", "mv old /tmp",
		"sed -i s/a/b/ *", "sed -i '/x/d' *", "sed -ni '/x/p' *", "sed -i '/^$/d' *", "sed -n '' *", "sed -ni '' a.log", "sed -i 's/ *$//' *", "sed -i '$!N;P;D' *", "sed -i '/keep/b;d' *", "sed -i '/a/{d}' *", "sed -i 's/^.*$/&;/' *", "sed -i 1d *", "find . -exec sed -n d {} +", "sed -i 's/x/.*/' *", "sed -i 's' *",
		"gawk -i inplace 1 *", "gawk -i inplace '{ sub(/a/, \"b\") } 1' *", "gawk -i inplace '{ gsub(/a/, \"b\"); print }' *", "gawk 0 *", "gawk -i inplace 0 a.log",
		"perl -pi -e 's/a/b/' *", "perl -ni -e 'print unless /x/' *", "perl -ne '' *", "perl -ni -e '' a.log", "perl -pi -e 's/x.*//' *",
		"cat < /dev/null > app.log", "exec > log", "for f in *; do sort < \"$f\" > \"$f.s\"; done", "for f in *; do x=$(sort \"$f\"); echo \"$x\" > \"$f\"; done", "for f in *.log; do cat < /dev/null > \"$f\"; done", "for f in *; do date >> \"$f\"; done", "for d in *; do cp LICENSE \"$d\"; done",
		"ln -sf ~/dotfiles/* .", "ln -sf /dev/null x.log", "rimraf dist '*.tmp'", "rimraf 'dist/*'", "gio trash old", "gio open ~", "gio list .", "trash-put old.txt", "find . -name '*.orig' -exec gio trash {} +",
		"grep -rl foo . | xargs rm", "ls *.log | xargs rm", "find . -name '*.pyc' -delete",
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
