package permission_test

import "testing"

// What a pattern finds, and what ls shows where it runs, are names in a directory: outside they
// are asked about as with ls DIR.
func TestP16_NamesListedOutside(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			"cd; ls", "cd && ls", "cd -P && ls", "cd", "echo ~/.ssh/*", "echo $HOME/*", "printf '%s\\n' /etc/*", "for f in ~/.ssh/*; do echo \"$f\"; done",
			"for f in x /etc/*; do :; done", "select f in /etc/*; do break; done", "a=(~/.ssh/*); echo ${a[@]}", "declare -a a=(/etc/*)", "set -- /etc/*; echo \"$@\"",
			"x=/etc/*; echo $x", "echo ../*", "echo */../../*", "echo {/etc,src}/*", "echo /et[c]/x", "echo /etc/pass?d", "compgen -G '/etc/*'", "basename -a /etc/*",
			`echo "$D"/*`, `for f in "$D"/*; do echo "$f"; done`, "cd - && ls", "true /etc/*",
			"set -- '/etc/*'; echo $1", "read x <<< '~/.ssh/*'; echo $x", "printf -v x %s '/etc/*'; echo $x", "read x <<< '../../*'; for f in $x; do echo \"$f\"; done",
		},
		free: []string{
			"ls", "cd src && ls", "cd src && echo *", "cd src && ls && cd - && ls", "pushd src && ls && popd && ls", "echo *.go", "echo src/*", "ls *.md", "tree -L 2",
			"for f in src/*.go; do echo \"$f\"; done", "a=(src/*.go); echo \"${#a[@]}\"", "set -- *.go; echo \"$@\"", `echo "/etc/*"`, "echo '/etc/*'", "case x in /etc/*) echo y;; esac",
			"[[ x == /etc/* ]]", "compgen -G 'src/*'", "D=src; echo $D/*", `D=src; for f in "$D"/*; do echo "$f"; done`, "for d in src/*/; do echo \"$d\"*; done", "set -- 'src/*'; echo $1", "grep -rn '/api/*' src | while read -r f; do echo \"$f\"; done", "echo ~", "cd src && find -name x", "cd src && du -sh",
		},
	})
	// Where a rule allows cd, the names are still outside.
	newWorld(t, lists{Allow: []string{"Bash(cd:*)"}}).check(commands{
		stopped: []string{
			"cd /etc && ls", "cd && ls", "cd; ls -l", "cd /etc && echo *", "cd /etc && for f in *; do echo \"$f\"; done", "cd /etc && tree", "cd /etc && du", "cd /etc && find -name x", "cd /etc && fd x",
			"cd /etc && compgen -f", "cd /etc && a=(*)",
		},
		free: []string{"cd src && ls", "cd src && echo *", "cd /etc && pwd", "cd src && find -name x"},
	})
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(//home/dev/key)"}}).check(commands{
		free: []string{`d=src; cd "$d" && ls`, `cd "$D" && ls`, `echo "$D"/*`, "cd && ls", "echo ~/*", "for d in src web; do (cd \"$d\" && ls); done"},
	})
}
