package permission_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// asked: the world allows none of the commands, one to a line, and all of the others.
func (w *world) asked(commands, free string) {
	w.t.Helper()
	for command := range strings.SplitSeq(strings.TrimSpace(commands), "\n") {
		if d := w.bash(command); d.Behavior == permission.Allow {
			w.t.Errorf("%s: allowed (%s)", command, d.Message())
		}
	}
	for command := range strings.SplitSeq(strings.TrimSpace(free), "\n") {
		if d := w.bash(command); command != "" && d.Behavior != permission.Allow {
			w.t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}

// TestS14_ReadersWithVariables: a program that only reads may take options, or the name of a
// file, from a variable.
func TestS14_ReadersWithVariables(t *testing.T) {
	newWorld(t, lists{}).asked(`XZ_OPT=--files=list tar tf a.txz
XZ_DEFAULTS=--files=list xzcat a.xz
XZ_OPT=--files=list xz -dc a.xz
XZ_OPT=--files=list xz -l a.xz
XZ_OPT=$X xz -l a.xz
export XZ_OPT=--files=list; tar tf a.txz
export A=b; export XZ_OPT=--files=list; tar tf a.txz
TZ=:/home/dev/proj/.env date
TZ=../../../../etc/shadow date`, `TZ=Europe/Berlin date
FOO=1 tar tf a.tar
FOO='a b' echo x
LC_ALL=C sort x
export D=src/x; cat $D`)
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(./.env)"}}).asked(`TZ=:/home/dev/proj/.env date
TZ=/home/dev/proj/.env date
TZ=../../../home/dev/proj/.env date
git hash-object --stdin-paths <<< .env`, `TZ=Europe/Berlin date`)
}

// TestS14_ReadersOutside: what tells something about files outside is asked about.
func TestS14_ReadersOutside(t *testing.T) {
	newWorld(t, lists{}).asked(`git hash-object --stdin-paths <<< .env
git hash-object --stdin-paths < x
git status ..
git status ~
locate passwd
[[ -f ~/.ssh/id_rsa ]]
[[ -r ../x ]]
[[ -s ~/.netrc ]]
[[ ! -e /etc/x && a = b ]]
[[ a -nt ../x ]]
X=~/.ssh/id_rsa; [[ -f $X ]]`, `git status
git status src
git status --short -- a.go
git hash-object a.go
[[ -f a.go ]] && cat a.go
[[ -d src/x || ! -e b ]]
[[ a.go -nt b.go ]]
for f in *.go; do [[ -f "$f" ]] && cat "$f"; done
[[ -n $X && -z /etc ]]`)
}

// TestS14_GitRunsItsArguments: git may run git, and what an address names.
func TestS14_GitRunsItsArguments(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)"}}).asked(`git -c x.y=. for-each-repo --config=x.y -- -c alias.x='!npm publish' x
git for-each-repo --config x.y -c alias.x='!npm publish' x
git -c alias.x='!npm publish' for-each-repo --config=x.y x
git daemon --access-hook='npm publish'
git fetch 'ext::sh -c npm% publish'
git clone 'ext::npm publish% x'
git -c 'url.ext::sh -c npm% publish.insteadOf=x' fetch x`, `git for-each-repo --config=maintenance.repo fetch
git fetch 'ext::ssh -p% 22 host'
git daemon --access-hook=./hook`)
}

// TestS14_FilterLanguages: what an awk reads, writes and runs may be known only when it runs.
func TestS14_FilterLanguages(t *testing.T) {
	const programs = `awk '{system("cat " $1)}' f
awk '{"cat " $1 | getline; print}' f
awk '{cmd=$1; cmd | getline x}' f
awk '{print | $0}' f
awk -f - f <<< '{getline l<$1; print l}'
awk -f <(echo '{getline l<$1}') f
awk -f /dev/stdin f
gawk -l readfile 'BEGIN{print readfile(".e" "nv")}'
gawk -lreadfile 'BEGIN{print readfile(".e" "nv")}'
gawk --load=readfile 'BEGIN{print readfile(".e" "nv")}'
gawk -i readfile 'BEGIN{print readfile(".e" "nv")}'
gawk --include readfile 'BEGIN{print readfile(".e" "nv")}'
gawk -l filefuncs 'BEGIN{chdir("..");getline x<"proj/.env"}'
goawk '{system("cat " $1)}' f
goawk '{getline l<$1; print l}' f
frawk '{getline l<$1; print l}' f`
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(./.env)"}}).asked(programs+"\npv .env\npv -q .env x\nlogger -f .env\nlogger -tx -f.env", "pv x.gz\nlogger -t x 'see .env'\ngoawk '{print $1}' f")
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)"}}).asked("awk '{system($1)}' f\nawk '{print | $0}' f\ngoawk '{system($1)}' f", "awk '{print $1}' f")
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Edit(./.env)"}}).asked("awk '{print > $1}' f\ngoawk '{print > $1}' f", "awk '{print > \"x\"}' f")
}

// TestS14_MakeExpandsVariables: make expands what a variable holds, and runs some of it.
func TestS14_MakeExpandsVariables(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(make:*)"}}).asked(`DEBUG='$(shell npm publish)' make test
CI='$(shell x)' make
PORT='; rm x' make
PORT=$P make
export DEBUG='$(shell x)'; make
export A=1 DEBUG='$(shell x)'; make test`, `DEBUG=app:1 make test
CI=true PORT=3000 make
export CI=1; make test`)
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)"}}).asked(`DEBUG='$(shell npm publish)' make test
make SHELL=/bin/sh 'X!=npm publish'
make 'X:=$(shell npm publish)'
make 'X::=${shell npm publish}'
make --eval 'X:=$(shell npm publish)'
gmake -f - <<< 'X!=npm publish'
make <<< 'X:=$(shell npm publish)' -f -`, `make X=1 test
make 'CFLAGS=-O2 -g'
DEBUG='app:*' npm test`)
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(make:*)"}}).asked(`gmake SHELL=make
gmake CC=make x`, `gmake TARGET=x`)
}

// TestS14_DisksOnTheFloor: what is given a disk may write it.
func TestS14_DisksOnTheFloor(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(*)"}}, inMode(permission.BypassPermissions)).asked(`ddrescue x /dev/sda
dc3dd of=/dev/sda
qemu-img convert x /dev/sda
pvremove /dev/sda
sg_format /dev/sda
tune2fs -x /dev/sda1
resize2fs /dev/sda1
sudo e2label /dev/nvme0n1p1 x
strace ddrescue x /dev/sda
mytool /dev/disk/by-id/x
mytool --out=/dev/mmcblk0
mytool -o/dev/vda
echo b > /proc/sysrq-trigger`, `smartctl -a /dev/sda
sudo mount /dev/sda1 /mnt
lsblk /dev/sda
df /dev/sda1
fdisk -l /dev/sda
dd if=/dev/sda of=x
echo /dev/sda
mytool /dev/null`)
}

// TestS14_ProtectedByAnyWord: a protected place that a word of a program names, which may write
// it there.
func TestS14_ProtectedByAnyWord(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(*)"}}, inMode(permission.BypassPermissions)).asked(`gawk --include=inplace 1 .git/config
gawk --include inplace 1 .git/config
gawk --inc=inplace 1 .git/config
gawk -iinplace 1 .git/config
gawk -i inplace.awk 1 .git/config
gawk -i /usr/share/awk/inplace.awk 1 .git/config
gawk '@include "inplace"; 1' .git/config
gawk -f inplace -e 1 .git/config
sed -i'.git/hooks/*' s/a/b/ x
sed -Ei'.git/hooks/*' s/a/b/ x
sed --in-place='.git/hooks/*' s/a/b/ x
perl -pi'.git/hooks/*' -e1 x
ssh -E .git/hooks/x h
ssh -E.git/hooks/x h
ssh -vE.git/hooks/x h
tar xf a.tar --xform s,^,.claude/,
fd x -x cp {} .git/hooks/
fd config .git -x tee
ar r .git/x a
ar x a.a --output .git
git merge-file .git/x a b
cp --parents .claude/x y
sdiff -o .git/x a b
logsave .git/x ls
gs -sOutputFile=.git/x a
nim c -o:.git/x a
cmake -DCMAKE_INSTALL_PREFIX=.git .
corepack enable --install-directory .git
bwrap --bind .git /g tee /g/config
proot -b .git:/g tee /g/config`, `gawk 1 .git/config
sed -i.bak s/a/b/ x
perl -pi.bak -e1 x
strace cat .git/config
fd config .git -x cat
fd x -x cp {} out/
ar t .gitx/a.a
git merge-file a b c
sdiff .git/config x
ssh h
gs -sOutputFile=out.pdf a`)
}
