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
