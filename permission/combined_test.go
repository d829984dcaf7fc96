package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// Two variables take their values independently of each other, and so does one that is
// used twice: what counts is every combination that bash may come to.
func TestP16_ValuesInEveryCombination(t *testing.T) {
	above := commands{
		stopped: []string{
			`for a in src .; do for b in ../key key; do (cd "$a" && cat "$b"); done; done`, `a=src; [ -e x ] && a=.; b=../key; [ -e z ] && b=key; cd "$a" && cat "$b"`,
			"for a in src .; do for b in .. .; do (cd $a && cd $b && cat key); done; done", "for a in src/x .; do for b in y ../y; do cat $a/$b; done; done",
			`f() { cat "$b"; }; for a in src .; do for b in ../key key; do (cd "$a" && f); done; done`, `for b in ../key key; do for a in ` + project + `/src ` + project + `; do cat "$b"; cd "$a"; done; done`,
			`for a in src .; do for b in ../key key; do (pushd "$a" && cat "$b"); done; done`, `for a in src .; do for b in ../key key; do (command cd "$a" && cat "$b"); done; done`,
			`for a in src .; do for b in ../key key; do env -C "$a" cat "$b"; done; done`, `for a in src .; do for b in ../key key; do (cd "$a" && cat < "$b"); done; done`,
			`for a in src .; do for b in ../key key; do (cd -- "./$a" && { echo; } && cat "$b"); done; done`, `for a in ../a/1 a/2 a/3; do for b in b/1 b/2 b/3 b/4; do for c in c/1 c/2 c/3 c/4; do cat $a $b $c; done; done; done`,
			`for a in /x/1 a/2 a/3 a/4 a/5 a/6 a/7 a/8; do for b in b/1 b/2 b/3 b/4 b/5 b/6 b/7 b/8; do cat "$a/$b"; done; done`,
		},
		free: []string{
			`for f in a b; do cat "$f"; done`, `for d in src web; do (cd "$d" && ls); done`, `d=src; cd "$d" && ls`, `for i in 1 2; do for j in a b; do echo "$i$j"; done; done`,
			`for d in ./src ./web; do (cd "$d" && ls); done`, `for a in src/a src/b; do for b in web/x web/y; do diff "$a" "$b"; done; done`,
			`for a in src/a src/b; do for b in x/1 y/2; do cat "$a/$b"; done; done`, `for d in ./a ./b; do (cd "$d" && for f in x/1 y/2; do cat "$f"; done); done`,
			"for f in a/1 a/2 a/3 a/4 a/5 a/6 a/7; do cat $f; done; for g in b/1 b/2 b/3 b/4 b/5 b/6 b/7; do cat $g; done; for h in c/1 c/2 c/3 c/4 c/5 c/6 c/7; do cat $h; done",
		},
	}
	newWorld(t, lists{}).check(above)
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(//home/dev/key)", "Read(//home/dev/y)", "Read(//home/dev/a/**)", "Read(//x/**)"}}).check(above)
	readDenied(t).check(commands{
		stopped: []string{
			"F=src; cd $F; F=../secret; cat $F/key", `F=src; cd "$F"; F=../secret; cat "$F/key"`, "F=src; cd $F && F=.. && cat $F/secret/key", "F=src/sub; cd $F; F=../..; cat $F/secret/key",
			"F=src; pushd $F; F=../secret; cat $F/key", "F=src; cd $F; F=../secret; cat < $F/key", "for a in src .; do for b in x secret; do for c in y key; do cat $a/../$b/$c; done; done; done",
		},
		free: []string{"F=src/a; wc -l $F; F=src/b; wc -l $F", "for d in src/a src/b; do for f in x/1 y/2; do (cd $d && cat $f); done; done"},
	})
}

// What a removal deletes is looked at in every combination too, and a variable that is
// unset or emptied somewhere may be empty where it is used.
func TestS37_RemovalsInEveryCombination(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash"}}, inMode(permission.BypassPermissions))
	for _, command := range []string{
		`for a in / src; do for b in x etc; do rm -rf "$a$b"; done; done`, `for a in / src; do for b in x etc; do (cd "$a" && rm -rf "$b"); done; done`, `for a in x /; do for b in "" y; do rm -rf "$a$b"; done; done`,
		`for a in / src; do for b in x etc; do echo "$a" | xargs -I{} rm -rf "{}$b"; done; done`, `for a in / src; do for b in x etc; do rm -rf "$a$(echo $b)"; done; done`,
		`bash -c 'for a in / src; do for b in x etc; do (cd "$a" && rm -rf "$b"); done; done'`, `for a in x /; do c=$a; rm -rf "${c}etc"; done`, `for a in / src; do for b in x etc; do c=$a$b; rm -rf "$c"; done; done`,
		`a=src; cd "$a"; a=/; b=etc; b=x; cd "$a" && rm -rf "$b"`, `for d in 1 2 3 a b c d /; do cd "$d"; cd etc; rm -rf ./*; done`, `b=x; a=/; b=$a; rm -rf "${b}etc"`,
		`for a in / src; do for b in x y; do rm -rf "$a${b:-etc}" "$a${c:-etc}"; done; done`, `a=src; rm -rf "${a:-/}${b:-etc}"`,
		`d=src; d=; rm -rf "$d/etc"`, `d=src; unset d; rm -rf "$d/etc"`, `d=src; unset d; rm -rf "$d/"*`, `d=src; (unset d; rm -rf "$d/etc")`, `d=src; d=; rm -rf "$d/"*`, `d=src; unset -v x d; rm -rf "$d/etc"`,
		`d=src; d=''; rm -rf "$d/etc"`, `d=src; f() { local d; rm -rf "$d/etc"; }; f`, `d=src; f() { declare d; rm -rf "$d/"*; }; f`, `d=src; n=d; unset "$n"; rm -rf "$d/etc"`, `d=src; unset "$1"; rm -rf "$d/etc"`,
		`d=src; export d=; rm -rf "$d/etc"`, `d=src; e=x; e=; rm -rf "/$e"`, `a=src; d=$a; d=; rm -rf "$d/etc"`, `d=src; unset d; cd "$d/" && rm -rf etc`, `d=src; if x; then d=; fi; rm -rf $d/etc`,
	} {
		if d := w.bash(command); d.Behavior != permission.Ask || !d.NeedsPerson {
			t.Errorf("%s: %v, needs a person: %v", command, d.Behavior, d.NeedsPerson)
		}
	}
	w.check(commands{free: []string{
		`d=src; rm -rf "$d/etc"`, `d=src; export d; rm -rf "$d/lib"`, `d=src; readonly d; rm -rf "$d/lib"`, `d=src; unset e; rm -rf "$d/etc"`, `d=build; rm -rf "$d"; d=; ls`,
		`for d in src web; do (cd "$d" && rm -rf dist); done`, `for a in ./src ./web; do for b in dist build; do (cd "$a" && rm -rf "$b"); done; done`,
		`d=src; unset d; rm -rf "build/$d"x`,
	}})
}

// TestP16_ProgramsThatChangeDirectory: the command that a program runs may read its words from
// another directory than the shell that has expanded them.
func TestP16_ProgramsThatChangeDirectory(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(./.env)"}}).check(commands{
		stopped: []string{
			"env -Csub cat ~+/.env", `env -C sub cat "$PWD"/.env`, "env -C sub cat $(pwd)/.env", "d=$PWD; env -C sub cat $d/.env", "env -C sub cat ../.env", "env -C sub -C .. cat .env", "sudo -D sub cat ~+/.env",
			`find sub -execdir cat "$PWD"/.env \;`, "xargs -a f* sed p", "xargs -n f* cat", "unshare --wd=sub cat ../.env", "systemd-run -p WorkingDirectory=sub cat ../.env", "bwrap --chdir sub cat ../.env", "start-stop-daemon -d sub -S -x cat -- ../.env",
			"pnpm -C sub exec cat ../.env", "npm --prefix sub exec cat ../.env", "direnv exec sub cat ../.env", "uv run --directory sub cat ../.env", "mise -C sub exec -- cat ../.env",
		},
		free: []string{"env -C sub cat .env", "env -C sub cat x", "npm --prefix ../web test", "pnpm -C sub exec cat x", "docker exec -w /x web cat y"},
	})
}

// A pattern and the ".." behind it leave a name that may be a link.
func TestP16_PatternsThatLeadBack(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(./.env)"}})
	w.engine = engine(linkMap{project + "/link": ".env"})
	w.check(commands{stopped: []string{"cat *b/../link", "awk 1 s?b/../link", "cat */../lin*", "cat l*k"}, free: []string{"cat *b/../other", "cat s*b/x"}})
}

// What echo -e and printf make of a text that names a file is not what $'…' makes of it.
func TestP16_EscapesOfEcho(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(./.env)"}}).check(commands{
		stopped: []string{`echo -e '.\0145nv' | xargs cat`, `echo -e '.\145nv' | xargs cat`, `echo -e '.\x65nv' | xargs cat`, `printf '.\0145nv' | xargs cat`, `printf '.\145nv' | xargs cat`, `cat $'.\0145nv'`},
		free:    []string{`echo -e 'a\nb' | xargs cat`, `printf 'a\nb\n' | xargs cat`, `cat $'\145'`},
	})
}

// TestP16_OptionsOfXargsThatExcludeEachOther: behind -I the others make xargs append what it reads.
func TestP16_OptionsOfXargsThatExcludeEachOther(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{"echo make | xargs -I{} -L1 env", "echo make | xargs -I{} -n2 env", "echo -delete | xargs -i -l find sub", "echo x | xargs --replace --max-lines uniq f", "echo a | xargs -I% --max-args=5 sort"},
		free:    []string{"echo x | xargs -I{} -n1 echo {}", "ls | xargs -n1 -I{} wc -l {}", "ls | xargs -L1 -I{} wc -l {}"},
	})
	newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Bash(npm publish:*)", "Read(./.env)"}}).check(commands{
		stopped: []string{"echo publish | xargs -I{} -L1 npm", "echo .env | xargs -I{} -n 5 cat", "mkdir 'a '; echo 'a /../.env' | xargs -I% cat %", "echo .git/x | xargs -I{} -L1 tee"},
	})
}
