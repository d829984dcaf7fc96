package shell_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

func TestMadeLinks(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"ln -s a b":                    "s:b=a s:b/a=a",
		"ln -s x/a b":                  "s:b=x/a s:b/a=x/a",
		"ln a b":                       "h:b=a h:b/a=a",
		"ln -s ../x/a":                 "s:./a=../x/a",
		"ln -s a b dir":                "s:dir/a=a s:dir/b=b",
		"ln -st dir a b":               "s:dir/a=a s:dir/b=b",
		"ln -s --target-directory=d a": "s:d/a=a",
		"ln -s -S .bak a b":            "s:b=a s:b/a=a",
		"ln -s --suffix .bak a b":      "s:b=a s:b/a=a",
		"ln -sr a d/b":                 "h:d/b=a h:d/b/a=a",
		"ln -s .. up":                  "s:up=..",
		"ln -s ~ h":                    "s:h=~ s:h/$=~",
		"ln -s .g* b":                  "s:b=.g* s:b/.g*=.g*",
		"ln $O a b":                    "s:b=$ s:b/$=$ s:b=a s:b/a=a h:b=$ h:b/$=$ h:b=a h:b/a=a",
		"link a b":                     "h:b=a h:b/a=a",
		"cp -l a b":                    "h:b=a h:b/a=a",
		"cp -as a b":                   "s:b=a s:b/a=a h:b=a h:b/a=a",
		"cp -a a b":                    "c:b=a c:b/a=a",
		"cp a b":                       "",
		"mv a b":                       "c:b=a c:b/a=a",
		"rsync -a a b":                 "c:b=a c:b/a=a",
		"rsync -t a b":                 "",
		"mount --bind a b":             "h:b=a h:b/a=a",
		"mount -o bind a b":            "h:b=a h:b/a=a",
		"mount a b":                    "",
		"sudo ln -s a b":               "s:b=a s:b/a=a",
		"ln":                           "",
		"ln -s":                        "",
		"echo ln -s a b":               "",
	} {
		var got []string
		for _, l := range shell.Parse(command).MadeLinks() {
			kind := map[shell.MadeKind]string{shell.SymbolicLink: "s", shell.HardLink: "h", shell.CopiedLink: "c"}[l.Kind]
			got = append(got, strings.NewReplacer("\xff", "$", "\xfe", "*").Replace(fmt.Sprintf("%s:%s=%s", kind, l.Name, l.Target)))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", command, text, want)
		}
	}
}

func TestPicks(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][]string{
		"rg x":                        nil,
		"rg -g '*.go' x":              {"*.go"},
		"rg -g'*.go' --glob=a x":      {"*.go", "a"},
		"rg --iglob A -g '!b' x":      {"A"},
		`rg -g "$G" x`:                {"*"},
		"rg --type-add 'x:.e' -t x y": {"*"},
		"rg -e -g x":                  nil,
		"grep -g a x":                 nil,
	} {
		if got := shell.Parse(command).Picks(0); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// How far a command goes below the last path it names.
func TestTreeAccesses(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]struct {
		reach             shell.Reach
		follows, replaces bool
	}{
		"grep -r x a":             {reach: shell.WholeTree},
		"grep -R x a":             {reach: shell.WholeTree, follows: true},
		"grep x a":                {},
		"rg x a":                  {reach: shell.VisibleTree},
		"rg -L x a":               {reach: shell.VisibleTree, follows: true},
		"rg -gMakefile x a":       {reach: shell.VisibleTree},
		"rg -g'*.go' x a":         {reach: shell.VisibleTree},
		"rg -. x a":               {reach: shell.WholeTree},
		"find -L a -delete":       {reach: shell.WholeTree, follows: true},
		"find a -delete":          {reach: shell.WholeTree},
		"find -L a":               {follows: true},
		"rm -rf a":                {reach: shell.WholeTree},
		"rm a":                    {},
		"rm $O a":                 {reach: shell.WholeTree},
		"grm -r a":                {reach: shell.WholeTree},
		"rimraf a":                {reach: shell.WholeTree},
		"rsync -a b a":            {reach: shell.WholeTree},
		"rsync -a --delete b a":   {reach: shell.WholeTree, replaces: true},
		"rsync -an --delete b a":  {reach: shell.WholeTree},
		"rsync -aL --del b a":     {reach: shell.WholeTree, follows: true, replaces: true},
		"tar chf x a":             {reach: shell.WholeTree, follows: true},
		"tar cf x a":              {reach: shell.WholeTree},
		"zip -r x a":              {reach: shell.WholeTree, follows: true},
		"diff -r --no-deref x/ a": {reach: shell.WholeTree},
		"chmod -R 700 a":          {reach: shell.WholeTree},
		"cat a":                   {},
	} {
		accesses := shell.Parse(command).Accesses()
		if got := accesses[len(accesses)-1]; got.Path != "a" || got.Reach != want.reach || got.Follows != want.follows || got.Replaces != want.replaces {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

func TestNarrowed(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		"find a -name '*.o' -delete": true, "find a -empty -delete": true, "gfind a -mtime +7 -delete": true, "find a -type l -delete": true,
		"find a -delete": false, "find a -type f -delete": false, "find a -name '*' -delete": false, "find a -maxdepth 3 -delete": false,
		"find a -not -name x -delete": false, "find a -delete -name x": false, "rm -rf a": false,
		"git rm '*.log'": true, "git rm -rf -- 'src/*.o'": true, "git rm a": false, "git rm '*'": false, "git rm -r '*.*'": false, "git rm '*.log' .": false,
		"git rm '[a-z]*'": false, "git rm ':!*.log'": false, "git rm --pathspec-from-file=x": false, "git rm '../*.log'": false, "git rm \"$x*.log\"": false,
	} {
		if got := shell.Parse(command).Narrowed(0); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

func TestRuinous(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/etc", "/et\xfe", "/\xfesr", "/u\xfer/", "/home/x", "/h\xfe/x", "/r\xfet", "/usr/\xfe", "/E\xfe/\xfe", "/root"} {
		if !shell.Ruinous(path) {
			t.Errorf("%q is not", path)
		}
	}
	for _, path := range []string{"/data", "/data\xfe", "/tmp/x\xfe", "/tm\xfe/x", "/usr/lib/x", "/us\xfe/lib/x", "/home/x/y", "/home/x/y\xfe", "/opt/x"} {
		if shell.Ruinous(path) {
			t.Errorf("%q is", path)
		}
	}
}

// A word that may be a file is one of a protected directory when the command runs there.
func TestSureAccessesLookBehindDirectories(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{
		"mytool config": 0, "cd .git && mytool config": 2, "cd src && mytool config": 1, "cd .git && mytool /x": 1, "mytool .git/x": 1,
	} {
		if got := len(shell.Parse(command).SureAccesses()); got != want {
			t.Errorf("%s: %d, want %d", command, got, want)
		}
	}
}
