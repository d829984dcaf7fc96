package permission_test

import (
	"strings"
	"testing"
)

// TestPatternsInDefaults: a pattern in the default or the alternative value of a parameter.
func TestPatternsInDefaults(t *testing.T) {
	bypassed(t, []string{
		`rm -rf ${X-/*}`, `rm -rf ${X:-/*}`, `rm -rf ${X:-~/*}`, `rm -rf ${X:-$HOME/*}`, `rm -rf ${X:-*}`, `rm -rf ${X-../*}`, `rm -rf ${HOME+/*}`,
		`rm -rf ${PATH:+/*}`, `X=${Y:-/*}; rm -rf $X`, `for d in ${X:-/*}; do rm -rf $d; done`,
	}, []string{
		`rm -rf ${X:-build/*}`, `rm -rf ${OUT:-dist}/*.js`, `echo ${X:-*}`, `ls ${DIR:-src/*}`,
	})
}

// TestNamesInDefaults: the names outside that such a pattern lists are read.
func TestNamesInDefaults(t *testing.T) {
	w := newWorld(t, lists{})
	for _, command := range []string{
		`echo ${HOME+~/.ssh/*}`, `echo ${HOME+/etc/*}`, `for f in ${HOME+/etc/*}; do echo $f; done`, `a=(${HOME+/etc/*}); echo ${a[@]}`,
		`x=1; echo ${x+/etc/*}`,
	} {
		if d := w.bash(command); d.Behavior != ask {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{"echo ${HOME+*}", "x=1; echo ${x:-src/*}"} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}

// TestCutHomeAndPWD: what is left of HOME and PWD when an end is cut off.
func TestCutHomeAndPWD(t *testing.T) {
	bypassed(t, []string{
		`rm -rf ${HOME%/*}`, `rm -rf ${HOME%%/dev}`, `rm -rf ${HOME%dev}`, `rm -rf ${HOME::1}`, `rm -rf ${PWD%/*/*}`, `rm -rf ${PWD%/proj}`,
		`rm -rf ${PWD:0:1}`, `rm -rf ${HOME/proj/}`, `rm -rf "${HOME%/*}"`, `d=${HOME%/*}; rm -rf $d`, `rm -rf ${PWD//proj/}`, `rm -rf ${PWD:0:$n}`,
	}, []string{
		`rm -rf build/${PWD##*/}`, `rm -rf /tmp/${PWD##*/}`, `rm -rf ${PWD%/*}/build`, `rm -rf ${PWD%/src}/build`, `echo ${PWD/$HOME/x}`,
		`rm -rf /tmp/${HOME##*/}.bak`,
	})
}

// TestValuesForUnknownPrograms: a program that is not known may write the protected file that a value
// names, as one that stands in its words.
func TestValuesForUnknownPrograms(t *testing.T) {
	var asked, allowed []string
	for _, template := range []string{
		`for x in FILE; do RUN $x; done`, `for x in FILE; do RUN "$x"; done`, `for x in FILE; do RUN ./$x; done`, `for d in .claude; do RUN "$d/settings.json"; done`,
		`for d in .claude; do for f in a settings.json; do RUN "$d/$f"; done; done`, `for x in FILE; do y=$x; RUN "$y"; done`, `select x in FILE; do RUN $x; done`,
		`set -- FILE; RUN "$1"`, `a=(FILE); RUN "${a[0]}"`, `a=(x FILE); for i in "${a[@]}"; do RUN "$i"; done`, `declare -A m=([k]=FILE); RUN "${m[k]}"`,
		`RUN "$(echo FILE)"`, `RUN "${x:-FILE}"`, `: ${x:=FILE}; RUN $x`, `printf -v x FILE; RUN $x`, `printf -v x %s/%s .claude settings.json; RUN $x`,
		`mapfile -t a <<< FILE; RUN "${a[0]}"`, `read -r x <<< FILE; RUN $x`, `read -r a b <<< "x FILE"; RUN "$b"`, `read -ra a <<< "x FILE"; RUN "${a[1]}"`,
		`x=FILE; RUN $x`, `x=FILE; y=x; RUN "${!y}"`, `declare -n r=x; for x in FILE; do RUN "$r"; done`,
		`RUN $(git ls-files .claude)`, `RUN "$(git ls-files .claude | head -1)"`, `x=$(find .claude -name settings.json); RUN "$x"`,
		`find .claude -name settings.json | xargs RUN`, `find .claude -name settings.json -exec RUN {} +`, `find .claude | xargs -I% RUN %`, `fd . .claude -x RUN`,
		`git ls-files .claude | while read -r x; do RUN "$x"; done`, `while read x; do RUN $x; done < <(git ls-files .claude)`, `grep -rl a .claude | xargs RUN`,
		`git ls-files .claude | parallel RUN`, `find .claude -type f | parallel -j4 RUN {}`,
		`f() { local p=$1; RUN "$p"; }; f FILE`, `f() { g "$1"; }; g() { RUN "$1"; }; f FILE`, `sh -c 'RUN "$1"' _ FILE`, `for x in FILE; do sh -c "RUN $x"; done`,
		`for x in FILE; do eval "RUN $x"; done`, `for x in FILE; do env A=1 RUN "$x"; done`, `for x in FILE; do sudo RUN "$x"; done`,
		`for x in FILE; do timeout 5 RUN "$x"; done`, `for x in FILE; do nohup RUN "$x"; done`, `for x in FILE; do echo a | xargs RUN "$x"; done`,
	} {
		for _, run := range []string{"sd a b", "./gen.sh", "python3 gen.py", "uudecode -o"} {
			asked = append(asked, strings.NewReplacer("FILE", ".claude/settings.json", "RUN", run).Replace(template))
		}
	}
	for _, command := range []string{
		"crudini --set $x a b c", "mlr -I --csv cat $x", "xmlstarlet ed -L -d /a $x", "tidy -m $x", "esbuild a.js --outfile $x", "esbuild a.js --outfile=$x",
		"jsonnet -o $x a", "msgfmt -o $x a", "objcopy a $x", "strip $x", "rename a b $x", "fallocate -l 0 $x", "kubectl cp pod:/a $x", "npm pack --pack-destination $x",
		"coreutils --coreutils-prog=tee $x", "mytool <<< $x", "echo $x | mytool",
	} {
		asked = append(asked, "for x in .claude/settings.json; do "+command+"; done", "for x in $(git ls-files .claude); do "+command+"; done")
	}
	for _, command := range []string{"cat $x", `jq . "$x"`, "head -5 $x", "grep a $x", "wc -l < $x", "bat $x", "diff $x other", `python3 -m json.tool "$x"`} {
		allowed = append(allowed, "for x in .vscode/*.json; do "+command+"; done", "for x in $(git ls-files .vscode); do "+command+"; done")
	}
	allowed = append(
		allowed,
		`gh pr create --title a --body "$(cat .claude/plan.md)"`, "gh pr create --body \"$(cat <<'E'\nEdit .claude/settings.json and go\nE\n)\"",
		`body="Edit .claude/settings.json"; gh pr create --body "$body"`, `mytool --message "$(git log -1 --format=%s -- .claude)"`, `mytool "$(cat .claude/version)"`,
		`n=$(find .claude -type f | wc -l); mytool "$n"`, `n=$(du -sh .git | cut -f1); mytool --size "$n"`, `id=$(git rev-parse HEAD:.claude); mytool "$id"`,
		`go build -ldflags "-X main.v=$(cat .git/HEAD)"`, `claude -p "$(cat .claude/commands/x.md)"`, "read -r -d '' m <<'E'\nSee .git/hooks\nE\nmytool \"$m\"",
		`mytool --prompt "files: $(ls .claude)"`, `for f in $(git ls-files src); do sd a b $f; done`, `find . -name '*.go' | xargs sd a b`, `git ls-files .claude | parallel wc -l {}`,
		`mytool "$(grep version .claude/plugin.json)"`, `ls .claude; for f in src/*; do sd a b "$f"; done`,
	)
	bypassed(t, asked, allowed)
}

// TestVariablesOfTheShell: to give a variable of the shell a value writes nothing. What is done with the
// value counts, and a variable that a program gets.
func TestVariablesOfTheShell(t *testing.T) {
	asked := []string{
		`OUT=PLACE foo`, `F=PLACE foo`, `OUT=PLACE; foo`, `env F=PLACE foo`, `env -u G F=PLACE foo`, `sudo F=PLACE foo`, `HISTFILE=.git/hooks/pre-commit; history -w`, `TMPDIR=.claude; mktemp`,
		`export F=PLACE; foo`, `F=PLACE; export F; foo`, `export F; F=PLACE; foo`, `declare -x F=PLACE; foo`, `declare F=PLACE; export F; foo`, `typeset -x F; F=PLACE; foo`,
		`set -a; F=PLACE; foo`, `set -o allexport; F=PLACE; foo`, `set -euao pipefail; F=PLACE; foo`, `shopt -so allexport; F=PLACE; foo`, `bash -ac 'F=PLACE; foo'`,
		`bash -o allexport -c 'F=PLACE; foo'`, `f() { export F; }; F=PLACE; f; foo`, `f() { local -x F=PLACE; foo; }; f`, `n=F; F=PLACE; export "$n"; foo`,
		`n=F; F=PLACE; eval "export $n"; foo`, `F=PLACE; eval "$z"; foo`, `F=PLACE; . ./gen.sh`, `F=PLACE; source gen.sh`, `F=PLACE; builtin export F; foo`,
		`readonly F=PLACE; export F; foo`,
	}
	for _, write := range []string{"sd a b %", `cp a "%"`, "echo hi > %", "sed -i s/a/b/ %", "tee % <<< x", "exec 3>%", "rm -f %", "foo <<< %", "curl -o % u", "python3 gen.py %"} {
		for _, script := range []string{
			`F=PLACE; RUN`, `F=PLACE; ( RUN )`, `{ F=PLACE; RUN; } &`, `G=PLACE; F=$G; RUN`, `f() { F=PLACE; }; f; RUN`, `F=PLACE; f() { RUN; }; f`, `f() { local F=PLACE; RUN; }; f`,
			`for i in 1 2; do for j in a b; do F=PLACE; RUN; done; done`, `if true; then F=PLACE; else F=x; fi; RUN`, `case $1 in a) F=PLACE;; esac; RUN`,
			`F=${1:-PLACE}; RUN`, `F=.claude; F+=/settings.json; RUN`, `G=PLACE; printf -v F %s "$G"; RUN`, `G=PLACE; read -r F <<< "$G"; RUN`, `G=(PLACE); F="${G[0]}"; RUN`,
			`declare -n F=G; G=PLACE; RUN`, `declare -n G=F; G=PLACE; RUN`, `F=PLACE; trap 'RUN' EXIT`, `F=PLACE; time RUN`,
		} {
			asked = append(asked, strings.ReplaceAll(script, "RUN", strings.Replace(write, "%", "$F", 1)))
		}
	}
	for i := range asked {
		asked[i] = strings.ReplaceAll(asked[i], "PLACE", ".claude/settings.json")
	}
	read := []string{
		`f=.claude/settings.json; cat "$f"`, `f=.claude/settings.json; echo hi`, `D=.git; ls "$D"`, `cfg=.mcp.json; jq .mcpServers "$cfg"`, `x=.claude; cd "$x"; ls`,
		`HOOK=.git/hooks/pre-commit; test -x "$HOOK"`, `F=.vscode/settings.json; head -20 "$F"`, `HOOK=.git/hooks/pre-commit`, `x=.claude; find "$x" -type f`,
		`HOOK=.git/hooks/pre-commit; if [ -x "$HOOK" ]; then echo yes; fi`, `dir=.claude; for f in "$dir"/*.md; do head -3 "$f"; done`,
		`readonly D=.git; du -sh "$D"`, `declare c=.mcp.json; cat "$c"`,
	}
	bypassed(t, asked, append(read, `f() { local c=.mcp.json; cat "$c"; }; f`, `RC=~/.bashrc; grep PATH "$RC"`, `F=.gitmodules; git config -f "$F" --list`, `env CLAUDE_CONFIG_DIR=.claude foo`, `sudo grep F=.claude/x log`))
	w := newWorld(t, lists{})
	for _, command := range read {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}

// TestValuesOfOtherBuiltins: getopts, $_, an element of an array that read or printf fills, and pieces of a constant text.
func TestValuesOfOtherBuiltins(t *testing.T) {
	bypassed(t, []string{
		`printf -v 'd[0]' /; rm -rf "${d[0]}"`, `read 'd[0]' <<< /; rm -rf "${d[0]}"`, `getopts a: o -a /; rm -rf "$OPTARG"`, `: /; rm -rf "$_"`, `set -- .claude/settings.json; cp a "$_"`,
		`ls > list; xargs -alist rm -rf`, `ls > list; xargs --arg-file=list rm -rf`, `ls > l; cp l l2; xargs rm -rf < l2`, `x=$(cut -d: -f1 <<< /:x); rm -rf "$x"`, `rm -rf "$(sed s/a/b/ <<< /)"`,
		`cp a "$(cut -d, -f2 <<< x,.claude/settings.json)"`,
	}, []string{
		`mkdir -p build && rm -rf "$_"`, `cd /; mkdir /srv/x; ls "$_"`, `x=$(cut -d: -f1 <<< a:b); rm -rf "$x"`, `v=$(sed 's/^v//' <<< "v1.2/x"); rm -rf "build-$v"`, `getopts a: o; rm -rf "build/$OPTARG"`,
		`name=$(cut -d= -f2 <<< "path=src/a"); rm -f "$name"`, `grep build list > l; cp l l2; xargs rm -rf < l2`,
	})
}

// TestValuesInCode: code is put together from the parameters of the script, or from what it lists.
func TestValuesInCode(t *testing.T) {
	var asked, allowed []string
	for _, code := range []string{`eval "RUN $1"`, `bash -c "RUN $1"`, `sh -c "RUN ./$1"`, `bash -c 'RUN $1' _ "$1"`, `eval "RUN \$1"`, `shift; eval "RUN $1"`} {
		for _, run := range []string{"cp a", "sd a b", "rm -f", "tee"} {
			code := strings.ReplaceAll(code, "RUN", run)
			asked = append(asked, "set -- .claude/settings.json .mcp.json; "+code, "set .claude/settings.json .mcp.json; "+code, "set -eu -o pipefail .mcp.json .mcp.json; "+code)
			allowed = append(allowed, "set -- x y; "+code, "set -euo pipefail; "+code)
		}
	}
	asked = append(
		asked,
		`set -- /; eval "rm -rf $1"`, `set -- / b; bash -c "rm -rf $1"`, `set -- a /; shift; sh -c "rm -rf $1"`, `for x in $(git ls-files .claude); do bash -c "cp a $x"; done`,
		`x=$(find . -name settings.json -path '*.claude*'); bash -c "cp a $x"`, `for d in $(find . -name .claude); do bash -c "cp a $d/settings.json"; done`,
	)
	allowed = append(allowed, `for x in $(git ls-files src); do bash -c "cp a $x"; done`, `bash -c "cp a $x"`, `set -o pipefail; bash -c "cp a $x"`)
	bypassed(t, asked, allowed)
}

// TestValuesNamedElsewhere: a value that the script gives a variable, a parameter or standard input.
func TestValuesNamedElsewhere(t *testing.T) {
	bypassed(t, []string{
		`f=(.git/x); tee $f`, `f=([0]=.git/x); tee $f`, `declare -A f=([a]=.git/x); tee ${f[a]}`, `set -- .git/x; tee "$1"`,
		`set -- .git/x; for f; do tee $f; done`, `set -- a .git/x; shift; tee $1`, `mapfile -t a <<< .git/x; tee ${a[0]}`, `read -a a <<< .git/x; tee $a`,
		`read a b <<< 'x .git/x'; tee $b`, `read a < <(echo .git/x); tee $a`, `f=.g; f+=it; tee $f/config`, `env f=.git/x sh -c 'tee $f'`,
		`for f in .claude/*; do sed -i s/a/b/ $f; done`, `sed -i s/a/b/ $(grep -rl a .claude)`, `sed -i s/a/b/ $(ls .claude/*)`,
		`sed -i s/a/b/ $(find .claude -name x)`, `sed -i s/a/b/ $(git ls-files .claude)`, `rm $(ls .claude/*)`,
		`find .claude | while read f; do sed -i s/a/b/ $f; done`, `find . -path './.git/*' -exec tee {} +`, `xargs tee < <(echo .git/x)`,
		`xargs -a <(echo .git/x) tee`, `while read f; do tee $f; done < <(ls .git/hooks)`, `while read f; do tee $f; done <<< .git/x`,
		`f=$(ls .claude/*); g=$f; sed -i s/a/b/ $g`, `f() { tee $1; }; f .git/x`, `X=(~); rm -rf $X`, `a=(${X:-/*}); rm -rf ${a[@]}`, `set /*; rm -rf "$@"`,
		`read -r a b <<< 'x /'; rm -rf $b`, `mapfile -t a <<< /; rm -rf ${a[0]}`, `env d=/ sh -c 'rm -rf $d'`, `declare -A m=([a]=/); rm -rf ${m[a]}`,
		`d=/ho; d+=me; rm -rf $d`, `read d < <(echo /); rm -rf $d`,
	}, []string{
		`cat .git/config; tee $f`, `sed -i s/a/b/ $(find . -name '*.go' -not -path './.git/*')`, `sed -i s/a/b/ $(grep -rl --exclude-dir=.git a .)`,
		`find . -path ./.git -prune -o -name '*.go' -print | xargs sed -i s/a/b/`, `for f in .claude/*; do cat $f; done`, `f=(src/a); tee $f`,
		`find . -type f -not -path '*/.git/*' | while read f; do sed -i s/a/b/ $f; done`, `ls .claude/* | wc -l > n`,
		`tmp=$(mktemp); cat .git/config; echo x > $tmp`, `for f in src/*; do cat .git/HEAD; sed -i s/a/b/ $f; done`, `set -- a b; tee $1`,
		`read a b <<< 'x y'; tee $b`, `d=build; d+=/x; rm -rf $d`, `a=(build dist); rm -rf ${a[@]}`, `declare -A m=([a]=build); rm -rf ${m[a]}`,
		`grep -rl a src | while read f; do sed -i s/a/b/ $f; done`, `find . -path '*/.git' -prune -o -type f -print | while read f; do sed -i s/a/b/ $f; done`,
		`find . ! -path './.git/*' -name x -exec sed -i s/a/b/ {} +`,
	})
}

// TestFoundInProtectedPlaces: names that a search finds in protected places.
func TestFoundInProtectedPlaces(t *testing.T) {
	bypassed(t, []string{
		`find . -name hooks -exec cp f {} \;`, `find . -type d -name hooks | xargs -I% cp f %/pre-commit`,
		`find . -type d -name hooks | while read d; do cp f $d/x; done`, `for d in $(find . -name hooks); do cp f $d/x; done`, `cp f $(find . -name hooks)/x`,
		`find .git/hooks -name '*.sample' -exec sh -c 'mv $1 ${1%.sample}' _ {} \;`, `find . -name pre-commit -exec tee {} +`,
	}, []string{
		`find src -name hooks -exec cp f {} \;`, `find . -name hooks -not -path './.git/*' -exec cp f {} \;`, `find . -name '*.go' -exec sed -i s/a/b/ {} +`,
		`find . -name hooks`, `find . -name hooks -exec ls {} +`, `cp f $(find . -name src)/x`,
	})
}
