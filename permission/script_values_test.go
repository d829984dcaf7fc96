package permission_test

import "testing"

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
