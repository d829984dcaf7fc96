package shell

import "testing"

func TestReadOnly_Builtins(t *testing.T) {
	checkReadOnly(t, `
		echo "$X" $Y *
		echo -e 'a\n'
		printf '%s\n' "$@"
		printf -- "$F"
		printf 'x' $Y
		:
		true
		cd "$D"
		cd src
		pushd src
		popd
		test -f go.mod
		test -f "$F"
		[ -f "$F" ]
		[ "$a" = "$b" ]
		[ -n "$a" -a -z "$b" ]
		[ "$#" -gt 1 ]
		test -v X
		[ -f *.go ]
		[[ -f go.mod ]]
		read -r line
		read -rp "name? " name
		read -r -d '' -a parts
		mapfile -t lines
		unset X Y
		unset -f f
		getopts "ab:" opt
		getopts ab: opt "$@"
		export FOO=bar
		export FOO="$X"
		declare -a xs=(1 2)
		declare -r x=1
		declare -p FOO
		local x=1
		readonly Y
		set -e
		set -euo pipefail
		set +e
		set -- a b "$c"
		set
		shopt -s nullglob globstar
		shopt -q extglob
		shopt
		exit 1
		return "$x"
		shift 2
		wait
		wait %1
		wait -n
		type -a ls
		command -v git
		command -V ls
		command ls -la
		command -p ls
		builtin echo hi
		jobs -l
		hash
		hash -r
		times
		ulimit -n
		ulimit -a
		umask
		umask -S
		history
		history 20
		help cd
		kill -l
		kill -0 "$PID"
		compgen -c
		compgen -A function
		compgen -G "*.go"
		alias
		trap -p
		dirs -v
	`, `
		printf -v X y
		printf -vX y
		printf "$F" y
		printf $F
		printf -$X y
		test -v 'a[$(id)]'
		[ -v "$X" ]
		[ "$X" 'a[$(id)]' ]
		[ "$a" "$b" ]
		[ $X ]
		[ -f $X ]
		[ * ]
		test -R "$X"
		read 'a[$(id)]'
		read -a 'a[$(id)]'
		read -ra "$X"
		read "$X"
		read $X
		mapfile -C 'touch x' -c 1 a
		mapfile -tC x a
		mapfile 'a[0]'
		unset 'a[$(id)]'
		unset "$X"
		getopts ab 'a[$(id)]'
		getopts $X opt
		declare 'a[$(id)]=1'
		declare "$X"
		declare -n x=y
		declare -i x=y
		declare -an x
		builtin declare -a 'x=($(id))'
		export -f f
		set -x
		set -ex
		set -o xtrace
		set -a
		set "$X"
		set -oe pipefail
		shopt -s extglob
		shopt -s expand_aliases
		shopt -u sourcepath
		shopt "$X"
		command rm x
		command -x ls
		command "$X"
		builtin eval x
		builtin let x=1
		wait -p 'a[$(id)]'
		wait "$X"
		wait $X
		jobs -x rm x
		hash -p ./evil ls
		hash -rp ./evil ls
		ulimit -n 1024
		umask 022
		history -c
		history -w f
		kill -9 1
		kill "$X"
		kill -0 -s KILL 1
		compgen -C 'touch x'
		compgen -W '$(id)'
		compgen -F f
		compgen -aC 'touch x'
		compgen "$X"
		alias ls='rm -rf'
		trap 'rm x' EXIT
		enable -f ./x.so x
		eval ls
		source x
		. x
		exec ls
		bind -x x
		complete -C x y
		fc -e vi
	`)
}

func TestReadOnly_Xargs(t *testing.T) {
	checkReadOnly(t, `
		xargs
		xargs -n1
		xargs wc -l
		xargs -0 grep -l foo
		xargs -d '\n' cat
		xargs -I{} echo {}
		xargs -I {} cat x/{}
		xargs -P4 -n 1 basename
		xargs -I{} git log -1 --format=%H -- {}
		xargs -r ls -la
		xargs --max-args=1 stat
		xargs --null head -n 1
		xargs -i cat {}
		xargs -a "$F" cat
		xargs xargs wc
	`, `
		xargs rm
		xargs rg foo
		xargs find
		xargs sort
		xargs git log
		xargs git show
		xargs sed -n 1p
		xargs -I{} sh -c '{}'
		xargs -I{} sh -c 'echo {}'
		xargs -I{} {} x
		xargs -I{} find {}
		xargs -I{} git show {}
		xargs -I "$X" cat
		xargs -J % cat %
		xargs -a list git log
		xargs --process-slot-var=PATH ls
		xargs --proc=PATH ls
		xargs -n1 rm
		xargs -0I{} rm {}
		xargs -I{} awk {} f
		xargs awk
		xargs uniq
		xargs "$X"
		xargs $X cat
		xargs --frob cat
		xargs read x
		xargs command ls
		xargs env

		xargs xargs rm
	`)
}
