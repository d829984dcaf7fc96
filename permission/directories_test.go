package permission_test

import "testing"

// writeAllowed is a world that runs every command, but whose floor holds.
func writeAllowed(t *testing.T) *world { return newWorld(t, lists{Allow: []string{"Bash"}}) }

// A loop goes on where its last turn has ended.
func TestP16_LoopsThatGoElsewhere(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			"cd src && for i in 1 2 3 4 5 6 7 8; do cd ..; done; cat etc/hostname", "cd src && until [ -e etc/shadow ]; do cd ..; done; cat etc/hostname", "cd src && while cd ..; do cat etc/hostname; done",
			"pushd src && for i in 1 2 3; do cd ..; done; cat etc/hostname", "cd src && for i in 1 2; do cat ../key; cd ..; done", "cd src && for ((i=0;i<2;i++)); do cat ../key; cd ..; done",
			"cd a/b && for i in 1 2; do for j in 1 2; do cd ..; done; done; cat key", "cd src && for i in 1 2; do if true; then cd .. && continue; fi; done; cat key", "cd src && for i in 1 2; do { cd ..; }; done; cat key",
			"cd src && for i in 1 2; do eval 'cd ..'; done; cat key", "cd src && for i in 1 2; do command cd ..; done; cat key", "cd src && (for i in 1 2; do cd ..; cat key; done)", "cd src && for i in 1 2; do (cat ../key); cd ..; done",
			"cd src && for i in 1 2; do (cd x && cat ../../key); cd ..; done", "cd src && for i in 1 2; do echo $(cat ../key); cd ..; done", "for i in 1 2; do cat key; cd /etc; done", "for d in /etc; do cd $d; ls; done",
		},
		free: []string{
			"for d in a b; do (cd $d && ls); done", "cd src && for f in a b; do cat $f; done", "cd src && for f in a b; do cat ../$f; done", "for d in a b; do cd " + project + "/$d && ls; done", "cd " + project + " && for d in a b; do cd " + project + "/$d && ls; done",
			"cd src && while read -r l; do echo x; done < f", "cd src && for d in a b; do (cd $d && cat x); done; cat y", "for d in a b; do (cd $d && cat x); done; cat y",
		},
	})
	readDenied(t).check(commands{
		stopped: []string{
			"for i in 1 2; do cat key; cd secret; done", "for i in 1 2; do cat key; cd s*t; done", "while cat key; do cd secret || break; done", "for ((i=0;i<2;i++)); do cat key; cd secret; done", "until ! cat key; do cd secret; done",
			"for i in 1 2; do (cat key); cd secret; done", "while true; do while cat key; do break; done; cd secret; done", "cd src; for i in 1 2; do cat key; cd ../secret; done", "for i in 1 2; do cat key; cd " + project + "/secret; done",
		},
	})
	writeAllowed(t).check(commands{
		stopped: []string{`for i in 1 2; do echo "# y" >> config; cd .git; done`, "for i in 1 2; do echo x >> config; cd " + project + "/.git; done"},
		free:    []string{"for i in 1 2; do (cd src && echo x >> config); done", "cd src && for i in 1 2; do echo x >> f; done", "for i in 1 2; do cd " + project + "/src && echo x >> config; done"},
	})
}

// A function, and a trap, run where the script is by then, any number of times.
func TestP16_BodiesThatRunElsewhere(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{
			"f() { cat key; }; cd secret; f", "f() { cat key; }; cd s*t; f", "f() { cat key; }; (cd secret; f)", "g() { f; cat key; }; f() { cd secret; }; g", "g() { (cd secret; f); }; f() { cat key; }; g", "f() { cat key; (cd secret; f); }; f",
			"trap 'cat key' EXIT; cd secret", "trap 'cat key' DEBUG; cd secret", "trap 'cat key' ERR; cd secret; false", "trap 'cd secret' DEBUG; cat key", "trap 'cd secret' DEBUG; cd " + project + " && cat key",
			"source /dev/stdin <<< 'cd secret'; cat key", ". /dev/stdin <<< 'cd secret'; cat key", "f() { cd secret; }; cd " + project + " && f && cat key", "f() { cd ..; }; cd secret/a/b && f && f && cat key", "f() { cat key; cd secret; }; f; f",
			"g() { cd " + project + " && f && cat key; }; f() { cd secret; }; g", "for i in 1 2; do cd " + project + " && f && cat key; f() { cd secret; }; done", "f() { cd secret; }; trap f DEBUG; cat key", "shopt -s lastpipe; true | cd secret; cat key", "X=secret; shopt -s cdable_vars; cd X && cat key", "shopt -s \"$O\"; true | cd secret; cat key",
			"bash -O lastpipe -c 'true | cd secret; cat key'", "for i in 1 2; do true | cd secret; cat key; shopt -s lastpipe; done", "shopt -s last\\pipe; true | { cd secret; }; cat key", "for i in 1 2; do cd " + project + " && cat key; trap 'cd secret' DEBUG; done", "mapfile -c 1 -C 'cat key; cd secret;' a < x",
			"f() { cat key; }; cd src && cd ../secret && f", "f() { cat key; }; for d in secret; do cd $d; f; done", "f() { (cat key); }; pushd secret; f", "f() { cat key; }; cd src; for i in 1; do (cd ../secret; f); done",
		},
		free: []string{
			"f() { ls src; }; f", "f() { cat x; }; f; f", "cd src && f() { cat x; }; f", "f() { cat x; }; cd src && f", "f() { (cd src && cat x); }; f", "f() { (cd src && cat x); }; f; cat y", "f() { cat x; }; (cd src && cat x); f", "trap 'echo done' EXIT; cd src; cat x", "f() { cd " + project + "/src; }; f; cat x", "trap 'rm -f out' EXIT; cat x",
		},
	})
	writeAllowed(t).check(commands{
		stopped: []string{"f() { echo x >> config; }; cd .git; f", "trap 'echo x >> config' EXIT; cd .git", "f() { echo x >> config; }; cd sub && for i in 1; do (cd .git; f); done", "f() { echo x >> config; }; cd sub; cd .git; f"},
		free:    []string{"f() { echo x >> log; }; f", "f() { echo x >> log; }; cd src; f", "f() { (cd src && make > log); }; f", "trap 'echo x >> log' EXIT; cd src && make"},
	})
}

// The stack of directories, and a cd that has failed.
func TestP16_DirectoriesThatAreNotEntered(t *testing.T) {
	both := func(c commands) {
		newWorld(t, lists{}).check(c)
		newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(//home/dev/key)", "Read(/secret/**)", "Read(//etc/**)"}}).check(c)
	}
	both(commands{
		stopped: []string{
			"pushd src && pushd +1 && cat ../key", "pushd src && pushd -0 && cat ../key", "pushd -n src && cat ../key", "pushd src && popd +0 && cat ../key", "pushd src && popd -0 && cat ../key", "pushd src && popd -n && popd && cat ../key", "! cd nope && cat ../key", "! pushd nope && cat ../key",
			"pushd src && DIRSTACK[1]=/etc && popd && cat hostname", "cd src && OLDPWD=/etc && cd - && cat hostname", "cd -$X && cat ../key", "pushd src && pushd && cat ../key",
		},
		free: []string{"cd src && go version; pwd", "cd src && cat x", "! cd src || cat ../x", "pushd src && cat ../x", "if ! cd src; then echo no; fi"},
	})
	readDenied(t).check(commands{stopped: []string{"pushd -n secret && popd && cat key", "cd secret && false || cat key", "cd secret && grep x y || cat key", "cd src && cd ../secret && false || cat key"}})
	newWorld(t, lists{}).check(commands{stopped: []string{"pushd -n /etc && popd && cat hostname"}, free: []string{"pushd src && cat x && popd && cat y", "cd src && cat x && cd - && cat y", "cd src && cat x || cat y"}})
}

// A pattern that finds nothing may be no word, and then cd leads home.
func TestP16_DirectoriesThatVanish(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			"shopt -s nullglob; cd nope* && cat .netrc", "shopt -s null\"glob\"; cd nope* && cat .netrc", "'shopt' -s nullglob; cd nope? && cat .netrc", "builtin shopt -s nullglob; cd [n]ope && cat .netrc", "cd $(seq 2 1) && cat .netrc", "N=$(seq 2 1); cd $N && cat .netrc",
			"bash -O nullglob -c 'cd nope* && cat .netrc'", "cd && cat .netrc", "X=/etc; shopt -s cdable_vars; cd X && cat hostname", "cd src; shopt -s lastpipe; true | cd ..; cat x", "eval 'shopt -s nullglob'; cd nope* && cat .netrc", "for i in 1 2; do (cd nope* && cat .netrc); shopt -s nullglob; done",
		},
		free: []string{"cd s* && cat x", "shopt -s nullglob; cd src && cat x", "shopt -s nullglob; for d in */; do (cd \"$d\" && cat x); done", "shopt -s nullglob; ls *.go", "shopt -s globstar; cd src && cat x", "true | cd src; cat x"},
	})
}

// The working directory with something behind it is the neighbour of the working directory.
func TestP16_NeighboursOfTheWorkingDirectory(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			`cat "${PWD}-private/key"`, "cat $PWD-private/key", `cat "$(pwd)-private/key"`, `D=$PWD; cat "$D-private/key"`, `D=$(pwd); cat "${D}_x/key"`, `D="$PWD-private"; cat "$D/key"`, `cd "$PWD-private" && cat key`, `for d in $PWD; do cat $d-private/key; done`, `cat "$PWD"-private/key`, `cat $PWD$X`, `cat ../$PWD/key`, `cat < "$PWD-private/key"`, `cat "$PWD*/key"`,
		},
		free: []string{`cat "$PWD/x"`, "cat $PWD/src/x", `ls "$PWD"`, `D=$PWD; cat "$D/x"`, `D=$PWD/src; cat "$D-private/x"`, `cat "$(pwd)/x"`, `cd "$PWD/src" && cat x`, "ls --width=80 $PWD", "grep -r --include=$PWD/x a src"},
	})
}

// A variable that holds the working directory holds the one in which it was read.
func TestP16_DirectoriesThatAreRemembered(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			`D=$PWD; 'c'd src && cat "$D/../key"`, `D=$PWD; c\d src && cat "$D/../key"`, `D=$(p\wd); cd src && cat "$D/../key"`, `D=~+; cd src && cat "$D/../key"`, `D=$PWD; command cd src && cat "$D/../key"`, `D=$PWD; push\d src && cat "$D/../key"`,
			`D=$PWD; E=$D; c\d src && cat "$E/../key"`, `D=~+/x; cd src && cat "$D/../../key"`, `for D in $PWD; do "cd" src && cat "$D/../key"; done`, `D=$PWD; mapfile -C 'cd src;' -c 1 a < x; cat "$D/../key"`,
		},
		free: []string{`D=$PWD; cat "$D/x"`, `D=~+; cat "$D/x"`, `D=$PWD; grep cd "$D/x"`, `D=$PWD; echo "cd src"; cat "$D/x"`, `D=src; cd src && cat x`},
	})
}

// What a trap calls by its plain name runs wherever the script is by then, and so does the
// function that handles names which are not found.
func TestP16_FunctionsThatNobodyCalls(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{
			"f() { cat key; }; trap f EXIT; cd secret", "cleanup() { cat key; }; trap cleanup EXIT; cd secret", "f() { cat key; }; trap f DEBUG; cd secret", "f() { cat key; }; trap f ERR; cd secret; false", "f() { cat key; }; trap -- f INT; cd secret", "f() { cat key; }; g() { f; }; trap g EXIT; cd secret",
			"trap f EXIT; f() { cat key; }; cd secret", "f() { cat key; }; builtin trap f EXIT; (cd secret)", "f() { trap g EXIT; }; g() { cat key; }; f; cd secret", "F=f; f() { cat key; }; trap $F EXIT; cd secret", "bash -c 'f() { cat key; }; trap f EXIT; cd secret'",
			"trap f DEBUG; f() { cd " + project + "/secret; }; cd " + project + " && cat key", "trap 'f x' ERR INT; f() { cd " + project + "/secret; }; cd " + project + " && cat key",
			"command_not_found_handle() { cat key; }; cd secret; nosuchcmd", "command_not_found_handle() { f; }; f() { cat key; }; cd secret; nosuchcmd", "command_not_found_handle() { cd secret; }; command_not_found_handle; cat key", "zsh -c 'command_not_found_handler() { cat key; }; cd secret; nosuchcmd'",
			"{ PS4='$(cat key)'; set -x; cd secret; :; } 2>&1", "f() { cat key; }; PS4='$(f)'; set -x; cd secret; :", "export PS4='$(cat key)'; cd secret; bash -xc :",
			"env 'BASH_FUNC_f%%=() { cat key; }' bash -c 'cd secret; f'", "env 'BASH_FUNC_f%%=() { cd secret; }' bash -c 'f; cat key'",
		},
		free: []string{
			"cleanup() { rm -f out; }; trap cleanup EXIT; cat x", "cleanup() { rm -f out; }; trap cleanup EXIT; cd src && cat x", "cleanup() { echo done; }; trap cleanup EXIT INT TERM; cd src; cat x; cd " + project + "/lib && cat y", "trap cleanup EXIT; cleanup() { cd " + project + "; rm -f out; }; cd " + project + "/src && cat x",
			"PS4='+ ${LINENO}: '; set -x; cd src && cat x", "export PS4='+(${BASH_SOURCE}:${LINENO}): '; set -x; cd src && cat x", "PS1='\\u@\\h $ '; cd src && cat x", "command_not_found_handle() { echo no; }; cd src; nosuchcmd",
		},
	})
	writeAllowed(t).check(commands{
		stopped: []string{"f() { echo x >> config; }; trap f EXIT; cd .git", "f() { echo x >> config; }; trap f DEBUG; cd .git", "command_not_found_handle() { echo x >> config; }; cd .git; nosuchcmd"},
		free:    []string{"f() { echo x >> log; }; trap f EXIT; cd src && make", "command_not_found_handle() { echo x >> log; }; cd src; nosuchcmd"},
	})
}

// With CDPATH the name after cd is one of a directory elsewhere.
func TestP16_ListsOfDirectories(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{
			"CDPATH=secret; cd sub; cat key", "CDPATH=secret cd sub; cat key", "export CDPATH=secret; cd sub >/dev/null && cat key", "declare CDPATH=secret; cd sub && cat key", "CDPATH=secret; pushd sub; cat key", "CDPATH=secret; cd ''; cat key", "CDPATH=secret; eval 'cd sub'; cat key", "CDPATH+=secret; cd sub; cat key",
			"CDPATH=(secret); cd sub; cat key", "CDPATH[0]=secret; cd sub; cat key", "CDPATH=.:secret; cd sub; cat key", "CDPATH=$X; cd sub; cat key", "read CDPATH <<< secret; cd sub; cat key", "printf -v CDPATH secret; cd sub; cat key", "mapfile CDPATH < x; cd sub; cat key", "echo ${CDPATH:=secret}; cd sub; cat key",
			"for CDPATH in secret; do cd sub; cat key; done", "for i in 1 2; do cd sub; cat key; CDPATH=secret; done", "for i in 1 2; do cd sub; CDPATH=secret; done; cat key", "f() { cd sub; cat key; }; CDPATH=secret; f", "f() { cd sub; cat key; }; CDPATH=secret f", "f() { CDPATH=secret; }; f; cd sub; cat key",
			"env CDPATH=secret bash -c 'cd sub; cat key'", "env -S 'CDPATH=secret bash -c \"cd sub; cat key\"'", "sudo CDPATH=secret bash -c 'cd sub; cat key'", "CDPATH=secret bash -c 'cd sub; cat key'", "cross-env CDPATH=secret bash -c 'cd sub; cat key'", "set -k; cd sub CDPATH=secret; cat key", "declare -n r=CDPATH; r=secret; cd sub; cat key",
			"X=CDPATH=secret; export \"$X\"; cd sub; cat key", "X=CDPATH; printf -v $X secret; cd sub; cat key", "zsh -c 'cdpath=(secret); cd sub; cat key'", "CDPATH='' ; CDPATH=secret; cd sub; cat key",
		},
		free: []string{"CDPATH= cd src && cat x", "CDPATH='' cd -- src && cat x", "unset CDPATH; cd src && cat x", "unset -v CDPATH; cd src && cat x", "CDPATH=. ; cd src && cat x", "export CDPATH; cd src && cat x", "echo $CDPATH; cd src && cat x", "export \"$X\"; cd src && cat x", "grep CDPATH= x; cd src && cat x"},
	})
}

// Options of the shell that make a cd lead elsewhere, in all their spellings.
func TestP16_OptionsThatLeadElsewhere(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{
			"env BASHOPTS=lastpipe bash -c 'true | cd secret; cat key'", "env BASHOPTS=cdable_vars bash -c 'd=secret; cd d; cat key'", "env BASHOPTS=extglob:lastpipe bash -c 'true | cd secret; cat key'", "env -S 'BASHOPTS=lastpipe bash -c \"true | cd secret; cat key\"'", "env -i BASHOPTS=lastpipe bash -c 'true | cd secret; cat key'",
			"env \"BASHOPTS=$X\" bash -c 'true | cd secret; cat key'", "dash -c 'export BASHOPTS=lastpipe; bash -c \"true | cd secret; cat key\"'", "sudo BASHOPTS=lastpipe bash -c 'true | cd secret; cat key'", "export BASHOPTS; shopt -s lastpipe; bash -c 'true | cd secret; cat key'", "nice env BASHOPTS=lastpipe bash -c 'true | cd secret; cat key'",
			"for i in 1 2; do true | cd secret; shopt -s lastpipe; done; cat key", "f() { true | cd " + project + "/secret; }; shopt -s lastpipe; f; cat key", "builtin shopt -s lastpipe; true | cd secret; cat key", "shopt -qs lastpipe; true | cd secret; cat key", "bash -O cdable_vars -c 'd=secret; cd d; cat key'",
			"bash -i -O autocd -c 'secret; cat key'", "bash -i -O autocd <<< $'secret\ncat key'", "env BASHOPTS=autocd bash -ic 'secret; cat key'", "bash -ic 'shopt -s autocd\nsecret; cat key'",
			"zsh -c 'true | cd secret; cat key'", "zsh -c 'setopt cdablevars; d=secret; cd d; cat key'", "zsh -o CDABLE_VARS -c 'd=secret; cd d; cat key'", "/bin/zsh -c 'true | cd secret; cat key'",
			"BASH_ENV=/dev/stdin bash -c 'cat key' <<< 'cd secret'", "BASH_ENV=<(echo cd secret) bash -c 'cat key'", "env BASH_ENV=/dev/stdin bash -c 'cat key' <<< 'cd secret'", "export BASH_ENV=/dev/stdin; bash -c 'cat key' <<< 'cd secret'", "f() { bash -c 'cat key'; }; export BASH_ENV=p; f",
		},
		free: []string{
			"env BASHOPTS=extglob bash -c 'cd src && cat x'", "shopt -s lastpipe; cd src && cat x", "shopt -s lastpipe; printf 'a\\n' | while read -r l; do echo x; done; cd src && cat x", "zsh -c 'cd src && cat x'", "zsh -lc 'cd src && cat x | head -n 1'", "BASH_ENV= bash -c 'cat x'", "ENV=test bash -c 'cat x'", "bash -o pipefail -c 'cd src && cat x'", "(true | cd src); cat x",
		},
	})
}

// ~+ is what PWD holds.
func TestP16_WorkingDirectoryOfAnotherName(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{"PWD=/etc; cat ~+/hostname", "PWD=/etc; cd ~+; cat hostname", "PWD=/etc; cat < ~+/hostname", "read PWD <<< /etc; cat ~+/hostname", "for i in 1 2; do cat ~+/hostname; PWD=/etc; done", "PWD=/etc; D=~+; cat $D/hostname", "for i in 1 2; do cd ~+; cat hostname; PWD=/etc; done", "for PWD in /etc; do cat ~+/hostname; done"},
		free:    []string{"cat ~+/x", "cd ~+ && cat x", "cd ~+/src && cat x"},
	})
	readDenied(t).check(commands{stopped: []string{"PWD=secret; cat ~+/key", "PWD=secret; cd ~+; cat key", "PWD=secret; cat < ~+/key"}})
}

// env takes each word with an equals sign for an assignment, whatever its name.
func TestP16_AssignmentsOfAnyName(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Bash(touch:*)"}}).check(commands{
		stopped: []string{"env a-b=1 touch x", "env 'a%%=1' touch x", "env =1 touch x", "env -i a.b=1 touch x", "env -- -a=1 touch x", "env - touch x", "env - a=1 touch x", "env 'BASH_FUNC_cat%%=() { touch x; }' bash -c 'cat key'"},
		free:    []string{"env a-b=1 cat x", "env A=1 cat x", "env a-b=1"},
	})
}
