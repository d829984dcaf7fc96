package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

func inZsh(c *permission.Config) { c.Shell = shell.Zsh }

// For zsh ~x is the value of the variable x, so that it may be any program.
func TestP13_NamedDirectoriesOfZshAreNoProgram(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)"}}, inZsh)
	const x = "x=/usr/bin/npm; "
	w.stops(
		x+"~x publish", "for x in /usr/bin/npm; do ~x publish; done", x+"env ~x publish", x+"nohup ~x publish", x+"command ~x publish", x+"exec ~x publish",
		x+"echo a | xargs ~x publish", x+"find . -exec ~x publish \\;", x+"eval ~x publish", x+"eval '~x publish'", x+"y=~x; $y publish", x+"a=(~x publish); $a",
		x+"flock f ~x publish", x+"(~x publish)", x+"trap '~x publish' EXIT", "x='/usr/bin/npm publish'; bash -c ~x", "x='/tmp; npm publish'; eval echo ~x/a",
		"dirs /usr/bin/npm; ~1 publish", "HOME=/usr/bin/npm; ~ publish", "x=/usr; ~x/bin/npm publish", "=npm publish", "env =npm publish", ". ~x",
		"print -v path /x; ls", "print -rvpath /x; ls", "zformat -f path /x; ls", "pushln /x; getln path; ls", "zparseopts -a path x; ls",
	)
	w.allows("cat ~x", "cd ~x && ls", "~x/bin/npm test", "~/bin/x publish", "~+/x publish", "print -r x", "echo ~x")
}

// chdir is cd for zsh and dash, and zsh has more ways to name a directory.
func TestP13_DirectoriesInZsh(t *testing.T) {
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions), inZsh)
	for _, cd := range []string{"chdir /", "cd /", "builtin chdir /", "noglob chdir /", "chdir -q /", "chdir -- /", "x=chdir; $x /", "dirs /; popd", "dirs /; cd -1", "dirs /; cd +1", "pushd /; pushd tmp; cd -1", "pushd /; cd tmp; cd -- +1"} {
		w.stops(cd + " && rm -rf home")
	}
	w.stops(
		"for x in .claude; do chdir $x; echo a > settings.json; done", "chdir .. && rm -rf proj", "chdir ~; rm -rf proj", "chdir .claude; echo a > settings.json",
		"cd j j/.claude; echo a > settings.json", "cd -s j j/.claude; echo a > settings.json", "pushd -- j j/.claude; echo a > settings.json", "dirs .claude; popd; echo a > settings.json",
		"sh -c 'chdir / && rm -rf home'", "dash -c 'chdir / && rm -rf home'", "f() { chdir /; }; f; rm -rf home", "x=$(chdir .claude && pwd); echo a > $x/settings.json",
	)
	w.allows("chdir sub && rm -rf x", "cd -P sub && make", "pushd sub; make; popd", "dirs -c")
	w = newWorld(t, lists{}, inZsh)
	w.allows("chdir sub && ls", "chdir sub; ls")
	w.stops("chdir /etc && cat passwd")
	newWorld(t, lists{}).stops("chdir sub && ls") // a program of which nothing is known
	newWorld(t, lists{}, inMode(permission.BypassPermissions)).stops("chdir / && rm -rf home", "sh -c 'chdir / && rm -rf home'")
}

func (w *world) stops(commands ...string) {
	w.t.Helper()
	for _, command := range commands {
		if d := w.bash(command); d.Behavior == permission.Allow {
			w.t.Errorf("%q is allowed", command)
		}
	}
}

func (w *world) allows(commands ...string) {
	w.t.Helper()
	for _, command := range commands {
		if d := w.bash(command); d.Behavior != permission.Allow {
			w.t.Errorf("%q: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}
