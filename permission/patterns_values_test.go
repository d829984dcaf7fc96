package permission_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// A pattern in the value of a variable finds what one in the command does, for what needs a
// person in every mode too.
func TestP21_PatternsInValuesAndTheFloor(t *testing.T) {
	stopped := []string{
		`x='[e]'; rm -rf /${x}tc`, `for x in '[e]'; do rm -rf /${x}tc; done`, `x='/e[t]c'; rm -rf $x`, `x='/e?c'; rm -rf $x`, `x='e?'; rm -rf /${x}c`, `x=e?; rm -rf /${x}c`, `x=e?c; rm -rf /$x`, `x=tc/*; rm -rf /e$x`,
		`for x in e?c; do rm -rf /$x; done`, `x=e?c; cd / && rm -rf $x`, `x='[[:lower:]]'; rm -rf /${x}tc`, `x='[e'; rm -rf /$x]tc`, `x='["e"]tc'; rm -rf /$x`, `x='-rf /e[t]c'; rm $x`, `x='[e]\tc'; rm -rf /$x`, `x='/[e]tc y'; rm -rf $x`, `x='a[ /e[t]c b]'; rm -rf $x`,
		`a=('[e]tc'); rm -rf /${a[0]}`, `rm -rf /${x:-[e]tc}`, `read x <<< '[e]tc'; rm -rf /$x`, `printf -v x '[e]tc'; rm -rf /$x`, `x=$(echo '[e]tc'); rm -rf /$x`, `rm -rf /$(echo '[e]tc')`, `x='.[g]it'; echo a > $x/config`,
		`x='rm -rf /e[t]c'; eval $x`, `x='/e[t]c'; eval rm -rf $x`, "eval rm -rf /e[t]c", `x='rm -rf /*'; echo $x | bash`, `x='rm -rf /*'; bash <<< $x`, `x='rm -rf /*'; $x`, `y='[e]'; x="/${y}tc"; rm -rf $x`, `x='/e[t]c'; rm -rf ${x%/}`, `x='/*'; for f in $x; do rm -rf $f; done`, `f() { rm -rf $1; }; f '/e[t]c'`, `x='*'; rm -rf $x`, `a=(/*); rm -rf "${a[@]}"`, `x='\x2f'; rm -rf $(printf $x)`, `x='/*'; rm -rf $(echo $x)`,
		`set -- '/e[t]c'; rm -rf $1`, `set -- '/e[t]c'; rm -rf $@`, `a=('/e[t]c'); rm -rf ${a[@]}`,
	}
	free := []string{`x='[e]'; rm -rf "/data/x/${x}tc"`, `for f in *.tmp; do rm -f build/$f; done`, `x='[a-z]*.o'; rm -f build/$x`, `x='[ -d src ] && echo y'; echo $x`, `for f in src/*.go; do gofmt -l "./$f"; done`}
	for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions} {
		newWorld(t, lists{Allow: []string{"Bash"}}, inMode(mode)).check(commands{stopped: stopped, free: free})
	}
}

// A variable whose name is not known may be one that changes what patterns find.
func TestP16_UnknownNamesOfOptionVariables(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(.env)"}}).check(commands{
		stopped: []string{
			"declare -n r=GLOB${x}IGNORE; r=zzz; cat *", `typeset -n r="GLOB${x}IGNORE"; r=zzz; cat *`, "f() { local -n r=$1; r=zzz; }; f $(date +GLOB)IGNORE; cat *", "declare -n r; r=GLOB${x}IGNORE; r=zzz; cat *", "command declare -n r=GLOB${x}IGNORE; r=zzz; cat *", "builtin declare -n r; r=GLOB${x}IGNORE; r=zzz; cat *",
			"printf -v GLOB${x}IGNORE zzz; cat *", "read GLOB${x}IGNORE <<< zzz; cat *", "declare GLOB${x}IGNORE=zzz; cat *", `export "GLOB${x}IGNORE=zzz"; cat *`, `mapfile -t "GLOB${x}IGNORE" < x; cat *`, "getopts a GLOB${x}IGNORE; cat *", "y=GLOB${x}IGNORE; : ${!y:=zzz}; cat *", `y="GLOB${x}IGNORE=zzz"; readonly "$y"; cat *`, "wait -p GLOB${x}IGNORE; cat *", "env GLOB${x}IGNORE=zzz bash -c 'cat *'",
		},
		free: []string{"printf -v name '%s' \"$X\"; cat *.go", "read -r line < x; cat src/*.go", `export NAME="$X"; cat *`, "declare -n r=name; r=zzz; cat *", `printf '%s\n' "$X"; cat *`, "declare -a list=($X); cat *", `unset "$X"; cat *`},
	})
}

// A bash before 5.2, or without globskipdots, finds . and .. with .*
func TestP16_PatternsThatFindDots(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{"cat .*/../key", "cat .*/key", "cat src/.*/../../key", "cat .?/key", "cat .[.]/key", "cat ..*/key", "cat src/.*/.*/key", "cd .*/ && cat key", "cat ./.*/key", "ls .*/", "grep -r x .*", "shopt -u globskipdots; cat .*/../key"},
		free:    []string{"cat src/.*/key", "ls .g*", "cat .a*/key", "cat src/.x*/key", "ls src/.*", "cat */key"},
	})
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(key)", "Read(/secret/**)"}}).check(commands{
		stopped: []string{"cat .*/key", "cat src/.*/../key", "cat src/.*/secret/key", "cat src/sub/.*/.*/secret/key", "shopt -u globskipdots; cat .*/../key", "cat .*/secret/key"},
	})
	for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions} {
		newWorld(t, lists{Allow: []string{"Bash"}}, inMode(mode)).check(commands{
			stopped: []string{"rm -rf src/.*/*", "rm -rf .*/*", "rm -rf src/.?/*", "rm -rf /data/.*/etc", "rm -rf build/.*/.*/*", "chmod -R 777 /data/.*/etc"},
			free:    []string{"rm -rf build/.cache*/*", "rm -rf build/.x*/*", "rm -rf build/*/*"},
		})
	}
}

// A bracket expression never finds the dot of a hidden file, as long as no option says so.
func TestP16_BracketsWithoutHiddenFiles(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(.env)"}})
	w.check(commands{
		stopped: []string{"shopt -s dotglob; cat [!x]*", "cat .[!.]*", "cat .[^.]*", "ls -la .[!.]*", "cat ?[.]*/.e*"},
		free:    []string{"ls -la src/[^.]*", "ls [!.]*", "cat [!.]*", "cat [^.]*.go", `cat ["a"b]*`, "cat [[:alpha:]]*", "du -sh [!.]*"},
	})
	if message := w.bash(`cat .["e"]*`).Message(); strings.Contains(message, "**") {
		t.Errorf("a pattern is shown that nobody has written: %s", message)
	}
}
