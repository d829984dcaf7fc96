package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// What a bracket expression may find is looked at however it is written.
func TestP16_BracketsOfPatterns(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{
			`cat ["s"]ecret/key`, "cat ['s']ecret/key", "cat [$'s']ecret/key", `cat ["a-z"s]ecret/key`, "cat [[:lower:]]ecret/key", "cat [[:alpha:]]*/key", "cat [[=s=]]ecret/key", "cat [[.s.]]ecret/key",
			"cat [!]x]ecret/key", "cat [^]x]ecret/key", "cat []s]ecret/key", `cat < ["s"]ecret/key`, `read l < ["s"]ecret/key; echo $l`, `grep . ["s"]ecret/key`, "cat [{s,t}]ecret/key", "cat [s-]s]ecret/key",
			`X=s; cat [$X]ecret/key`, `X='[s'; cat $X]ecret/key`, `X='s]'; cat [${X}ecret/key`, `X='["s"]'; cat ${X}ecret/key`, `X=[[:lower:]]ecret; cat $X/key`, `A='[s' B=']'; cat $A"x"${B}ecret/key`, `for x in r s; do cat [$x]ecret/key; done`, `for x in '[s' '[t'; do cat $x]ecret/key; done`,
			`cat s["$(date +e)"]cret/key`, `Xa=secret/key; cat $X{a,b}`,
		},
		free: []string{"cat file[0-9].txt", "ls *.go", "grep -n foo src/*.go", "cat src/[[:lower:]]*.go", `cat src/["a"b].txt`, "rm *.tmp", `echo "[$X] done"`, `[ "$X" = y ] && echo y`, "jq .[] x.json"},
	})
	newWorld(t, lists{}).check(commands{
		stopped: []string{`/bin/["r"]m x`, "rm *.tmp"},
		free:    []string{"cat file[0-9].txt", "ls *.go", "grep -n foo src/*.go", "ls [[:upper:]]*", `cat src/["a"b].txt`},
	})
}

// What needs a person does so behind every spelling of a pattern.
func TestP21_BracketsOfPatternsAndTheFloor(t *testing.T) {
	for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions} {
		w := newWorld(t, lists{Allow: []string{"Bash"}}, inMode(mode))
		for _, command := range []string{
			`echo x > .["g"]it/config`, "tee .[[:lower:]]it/hooks/pre-commit < x", `sed -i s/a/b/ .["g"]it/config`, `cp x .["c"]laude/settings.json`, `rm -rf /["e"]tc`, "rm -rf /[[:lower:]]tc",
			"echo x > .[!]x]it/config", "echo x > .[{g,h}]it/config", `X=g; echo x > .[$X]it/config`, `rm -rf /[^]x]tc`,
		} {
			if d := w.bash(command); d.Behavior == permission.Allow {
				t.Errorf("%v: %s is allowed (%s)", mode, command, d.Message())
			}
		}
	}
}

// A pattern where a text is expected may be several words, all but the first of them files.
func TestP16_PatternsInPlaceOfTexts(t *testing.T) {
	vanishing := []string{
		"shopt -s nullglob; grep -h -e vm -e nope* -e /etc/hostname x", "shopt -s nullglob; nl -s nope* -s /etc/hostname", "shopt -s nullglob; jq -R --arg a b* --arg . /etc/hostname", "shopt -s nullglob; head -n nope* -c /etc/hostname",
		"shopt -s nullglob; grep -e nope[x] -e /etc/hostname x", `shopt -s "null"glob; X=nope; grep -e $X* -e /etc/hostname x`,
	}
	everyday := []string{
		"grep -n foo src/*.go", "grep -rn foo --include=*.go src", "grep -rn foo --include *.go src", "ls *.go", "head -n 3 *.go", "wc -l src/*.go", "grep -e foo src/*.go", "grep -c '*' x", "jq . src/*.json", "cut -d: -f1 src/*.txt", "sort src/*.txt", "sed -n 1,3p src/*.go", "awk 1 src/*.txt", "head src/*",
		"diff src/a*.go src/b*.go", "ps aux | grep [n]ginx", "jq .[0] x.json", "jq .items[0].name x.json", "grep -n [Ff]oo x", "shopt -s nullglob; grep foo src/*.go", "find . -name *.go",
	}
	both(t, commands{stopped: vanishing, free: everyday})
	newWorld(t, lists{}).check(commands{stopped: []string{"grep -A a* /etc/hostname x", "grep -A [ab] /etc/hostname x", "jq -R --arg a b* /etc/hostname x", "sed -l a* /etc/hostname x"}})
	readDenied(t).check(commands{stopped: []string{
		"grep -hv */* x", "grep -hv -e */* x", "grep -A */* . x", "head -n */* x", "cut -d */* -f 1 x", "jq -R */* x", `grep -e ["s"]*/* x`, "jq -R --arg a */* . x", "sed -e */* x", "grep -A a* secret/key x",
	}})
	outside := newWorld(t, lists{})
	outside.engine = engine(linked())
	outside.check(commands{stopped: []string{"grep -hv */* x", "grep -hv -e */* x"}})
	allowed := newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Edit(/src/**)"}})
	allowed.check(commands{stopped: []string{"sed -i -e s*/* x", "shopt -s nullglob; cp x .git/config nope*", "touch -d s*/* x"}, free: []string{"shopt -s nullglob; cp a b d/"}})
}

// Options of the shell change what a pattern finds, however they are set.
func TestP16_OptionsThatChangePatterns(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(/secret/**)", "Read(.env)"}}).check(commands{
		stopped: []string{
			"shopt -s dotglob; cat *", "GLOBIGNORE=zzz; cat *", `shopt -s "dot"glob; cat *`, `shopt -s dot\glob; cat *env`, "shopt -s nocaseglob; cat S*/key", "bash -O nocaseglob -c 'cat S*/key'", "env BASHOPTS=nocaseglob bash -c 'cat S*/key'",
			"export GLOBIGNORE=zzz; cat *", `declare "GLOB"IGNORE=zzz; cat *`, "read GLOBIGNORE <<< zzz; cat *", "printf -v GLOBIGNORE zzz; cat *", "for GLOBIGNORE in a; do cat *; done", `sho"pt" -s nocaseglob; cat S*/key`, "E=nocaseglob; shopt -s $E; cat S*/key", "E=shopt; $E -s nocaseglob; cat S*/key",
			"E='shopt -s nocaseglob'; $E; cat S*/key", "eval shopt -s nocaseglob; cat S*/key", "builtin shopt -s nocaseglob; cat S*/key", "command shopt -s dotglob; cat *", "for i in 1 2; do cat S*/key; shopt -s nocaseglob; done", "f() { cat S*/key; }; shopt -s nocaseglob; f", "shopt -s globstar; cat **/key",
			"GLOBIGNORE=a cat *; eval 'cat *'", "env GLOBIGNORE=zzz bash -c 'cat *'", "BASHOPTS=dotglob bash -c 'cat *'", "bash -O dotglob -c 'cat *'", "bash +O globasciiranges -c 'cat [A-Z]ecret/key'", ": ${GLOBIGNORE:=zzz}; cat *", "((GLOBIGNORE=1)); cat *",
			"mapfile GLOBIGNORE < x; cat *", "shopt -so nocaseglob; cat S*/key",
		},
		free: []string{"shopt -s nullglob; cat src/*.go", "shopt -s failglob; wc -l src/*.go", "set -euo pipefail; cat src/*.go", "cat *.go", "shopt nocaseglob; cat S*/key", "shopt -s expand_aliases; cat S*/x"},
	})
}

// Names that a listing prints stay below their directory only as they are.
func TestP16_ListedNamesWithTextBehind(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			`cat "$(find . -maxdepth 0)./key"`, "cat $(find . -maxdepth 0)./key", "for f in $(find . -maxdepth 0); do cat $f./key; done", `find . -maxdepth 0 | while read -r f; do cat "$f./key"; done`, "find . -maxdepth 0 | xargs -I{} cat {}./key", "cat $(find . ./key -maxdepth 0 -print0)",
			`cat "$(find . ./key -maxdepth 0 -print0)"`, `cat "$(find . -maxdepth 0)."`, "cat $(find . -maxdepth 0)*/key", "cat $(find . -maxdepth 0).*/key", "cat ./$(find . -maxdepth 0)/.*/key", "cat $(fd -0 x)", "cat $(fd --print0 x)", "cat $(git ls-files -z)", "cat $(git diff --name-only -z)", "for f in $(find . ./key -maxdepth 0 -print0); do cat $f; done",
			`find . ./key -maxdepth 0 -print0 | while read -r f; do cat "$f"; done`, `f=$(find . ./key -maxdepth 0 -print0); cat "$f"`, `find . ./key -maxdepth 0 -print0 | xargs cat`, `cat $(find . ./key -maxdepth 0 "-print"0)`, `cat $(find . ./key -maxdepth 0 -print0 | sort -u)`,
		},
		free: []string{
			"cat $(find . -name '*.go')", `for f in $(find src -name '*.go'); do cat "$f"; done`, `for f in $(find src); do cat "$f.bak"; done`, "find src -print0 | xargs -0 cat",
			"git ls-files -z | xargs -0 cat", "find src | xargs -I{} cat {}.txt",
		},
	})
}

// What a pattern moves may be what may not be read, and has another name afterwards.
func TestP16_PatternsThatAreMoved(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{"mv s*et s2; cat s2/key", "mv [s]ecret s2", `mv ["s"]ecret s2`, "git mv s*t s2", "mv -t d s*", "mv s* d/", `mv "$X" s2`, "mv secret/k* s2", "mv */key k", "rsync --remove-source-files s*t d"},
		free:    []string{"mv src/*.txt d/", "mv a b", "rm s*.tmp", "mv *.go d/", "git mv src/*.go d", "rm -rf build*"},
	})
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(.env)", "Read(./config/secret.json)"}}).check(commands{
		stopped: []string{"mv .e* x", "mv .[e]nv x", "mv config/s* x"},
		free:    []string{"mv src/*.txt d/", "mv a b", "mv *.go d/", "mv src d", "rm *.tmp", "mv build*/x y"},
	})
}
