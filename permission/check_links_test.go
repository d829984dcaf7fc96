package permission_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// linked are links that a project may have, and that lead out of it or to what is
// protected.
func linked() linkMap {
	return linkMap{
		project + "/g": ".git", project + "/gc": ".git/config", project + "/etc": "/etc", project + "/up": "../..", project + "/dotenv": ".env",
		project + "/conf": "config/prod", project + "/lib": "src", project + "/sub/passwd": "/etc/passwd", project + "/sub/deep/r": "/",
	}
}

// cases are commands, and whether they may run without a person.
type commands struct{ stopped, free []string }

func (w *world) check(c commands) {
	w.t.Helper()
	for _, command := range c.stopped {
		if d := w.bash(command); d.Behavior == allow {
			w.t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	for _, command := range c.free {
		if d := w.bash(command); d.Behavior != allow {
			w.t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}

// A link that is made twice, or that was there before, leads to all those places.
func TestS37_LinksOfTheScriptAreAllKept(t *testing.T) {
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	w.engine = engine(linked())
	w.check(commands{
		stopped: []string{
			"ln -s / r; rm -rf r/*; ln -sfn src r", "ln -s ~ r; ln -s src r; rm -rf r/*", "ln -s src r; ln -sfn ~ r; rm -rf r/*",
			"ln -s .git/hooks b; ln -s src b; echo x > b/pre-commit", "echo x > g/config; ln -sfn src g", "ln -s up x; ln -s src x; rm -rf x/*",
			"ln -s / a; ln -s a/home/dev b; rm -rf b/*", "for i in / src; do ln -sfn $i r; rm -rf r/*; done", "ln -s /usr r; rm -rf r/", "ln -s / r; rm -rf r/us?", "ln -s / r; rm -rf r/usr", "rm -rf sub/deep/r/usr", "rm -rf etc/", "find etc/ -delete", "mv etc/. x",
		},
		free: []string{
			"ln -s src r; ln -sfn build r; rm -rf r/*", "ln -s src r; echo x > r/a", "ln -sf ../tools/x bin/x; cat bin/x", "ln -s a a; cat a/b", "ln -s a b; ln -s b a; rm -f a",
			"ln -s src r && rm r", "ln -s /usr r; rm r", "rm etc", "mv etc x", "mkdir -p out && ln -s ../src out/src && ls out/src",
		},
	})
	allowed := newWorld(t, lists{Allow: []string{"Bash"}})
	allowed.check(commands{
		stopped: []string{"ln -s /etc zz; echo x > zz/passwd; ln -sfn src zz", "ln -s $X zz; echo x > zz"},
		free:    []string{"ln -s src zz; echo x > zz/a; ln -sfn build zz", "mv a b; echo x > b", "cp -r /opt/t t; echo x > t/a"},
	})
}

// ln is not the only way to a link, and its options may take values.
func TestS36_WaysToMakeALink(t *testing.T) {
	ways := []string{
		"ln -s %s zz", "ln -s -S .bak %s zz", "ln -s --suffix .bak %s zz", "ln -s --suffix=.bak %s zz", "ln -sS .bak %s zz", "ln -sfn -- %s zz", "ln %s zz", "link %s zz",
		"cp -s %s zz", "cp -l %s zz", "cp -as %s zz", "cp -al %s zz", "cp --symbolic-link %s zz", "cp --link %s zz", "ln -sr %s zz", "sudo ln -s %s zz",
		"mount --bind %s zz", "ln $O %s zz", "gln -s %s zz", "bash -c 'ln -s %s zz'",
	}
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	allowed := newWorld(t, lists{Allow: []string{"Bash"}}) // which does not cover a redirection to elsewhere
	for _, way := range ways {
		made, guessed := fmt.Sprintf(way, "/opt/x"), fmt.Sprintf(way, "/op?/*")
		allowed.check(commands{stopped: []string{made + "; echo x > zz", guessed + "; echo x > zz", made + "; echo x > zz/a"}, free: []string{made, guessed}})
		w.check(commands{stopped: []string{fmt.Sprintf(way, ".git/config") + "; echo x > zz", fmt.Sprintf(way, ".gi?/conf*") + "; echo x > zz"}})
	}
	w.check(commands{stopped: []string{
		"ln -s -t . .git/config; echo x > config", "ln -st src ../.git/config; echo x > src/config", "cd src; ln -s ../.git/config ../zz; cd ..; echo x > zz", "ln -s .git/config; echo x > config",
		"X=.git/config; ln -s $X zz; echo x > zz", "ln -s a .git/config src; echo x > src/config", "ln -s ../.git/config src/zz; echo x > sr?/z?", "ln -s .git/config ${N}z; echo x > zz",
		"ln -s .git/config a0; " + chain(30) + "echo x > a30",
	}})
	allowed.check(commands{stopped: []string{
		"ln -s -t . /opt/x; echo x > x", "ln -s /opt/x; echo x > x", "ln -s a /opt/x src; echo x > src/x", "ln -s /opt/x src/zz; echo x > src/zz", "ln -s ../../x src/zz; echo x > src/zz",
		"ln -s /opt/x a0; " + chain(30) + "echo x > a30", "ln -s /opt/x ${N}z; echo x > zz",
	}, free: []string{"ln -s a /opt/x src; echo x > src/b", "ln -s ../x src/zz; echo x > src/zz", "ln -s /opt/x zz; echo x > y", "cp /opt/x zz; echo x > zz"}})
	// A link that is moved or copied is still one.
	w.engine, allowed.engine = engine(linked()), engine(linked())
	for _, way := range []string{"mv %s zz", "cp -a %s zz", "cp -P %s zz", "cp -r %s zz", "rsync -a %s zz", "mkdir d; mv %s d/zz; mv d/zz zz"} {
		made, guessed := fmt.Sprintf(way, "etc"), fmt.Sprintf(way, "et?")
		allowed.check(commands{stopped: []string{made + "; echo x > zz/passwd", guessed + "; echo x > zz/passwd"}, free: []string{made, guessed}})
	}
	w.check(commands{free: []string{"cp -a src zz; echo x > zz/config", "mv lib zz; echo x > zz/a", "cp -r build/* out; echo x > out/a"}})
}

// chain makes links, each to the one before.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ln -s a%d a%d; ", i, i+1)
	}
	return b.String()
}

// A pattern of the shell finds links like any other name.
func TestP16_PatternsFindLinks(t *testing.T) {
	denied := newWorld(t, lists{Deny: []string{"Read(.env)", "Read(//etc/**)", "Read(config/prod/**)"}}, inMode(permission.BypassPermissions))
	denied.engine = engine(linked())
	denied.check(commands{
		stopped: []string{
			"cat doten?", "cat < doten?", "cat d*", "cat et?/passwd", "cat e*/passwd", "cat */passwd", "cat su?/*", "cat s*/passw?", "cat con?/key", "cat con?/*", "grep x con?/k*", "cat [c]onf/key",
			"cd con? && cat key", "for f in d*; do cat $f; done", "grep -r x confi?", "grep -r x confi?/", "cat sub/dee?/?/etc/passwd", "cat */*/r/etc/passwd", "cat et?/../etc/shadow", "cp et?/passwd x", "mytool et?/passwd",
		},
		free: []string{"cat src/*.go", "cat li?/*.go", "ls s*c", "cat *.go", "wc -l s*/*.md | tail -1", "rm -rf build/*", "cat su?/x"},
	})
	outside := newWorld(t, lists{})
	outside.engine = engine(linked())
	outside.check(commands{
		stopped: []string{"cat et?/passwd", "cat */passwd", "ls *", "cat u?/x", "ls -R u?", "cat sub/*"},
		free:    []string{"cat src/*.go", "ls src/*", "cat li?/*.go", "cat *.go"},
	})
	floor := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	floor.engine = engine(linked())
	floor.check(commands{
		stopped: []string{
			"echo x > ?/config", "tee g?/config", "tee ?/config", "rm ?c", "rm -rf u?/*", "find u?/ -delete", "echo x > [g]/config", "sed -i s/a/b/ g*", "cp a ?/config", "rm -rf */*",
			"rm -rf sub/*/r/*", "mv u? x", "chmod -R 777 ?/hooks",
		},
		free: []string{"rm -rf build/*", "echo x > li?/a", "tee l?b/a", "rm -rf li?/*", "sed -i s/a/b/ src/*.go", "rm -f *.log", "rm -rf src/*", "mv build/* out", "cat ?/config"},
	})
}

// readsOnly can read links and not list a directory.
type readsOnly struct{ permission.Links }

// full cannot list a directory to its end; broken not at all.
type full struct{ linkMap }

func (full) List(string, int) (permission.Listing, error) {
	return permission.Listing{Partial: true}, nil
}

type broken struct{ linkMap }

func (broken) List(string, int) (permission.Listing, error) {
	return permission.Listing{}, errors.New("broken")
}

// What a pattern finds and nobody could look at may be anything.
func TestP16_PatternsThatCannotBeFollowed(t *testing.T) {
	for name, links := range map[string]permission.Links{"no list": readsOnly{linkMap{}}, "too large": full{linkMap{}}, "broken": broken{linkMap{}}} {
		for mode, c := range map[permission.Mode]commands{
			permission.Default:           {stopped: []string{"cat src/*.go", "cat \"$F\""}, free: []string{"cat src/a.go"}},
			permission.BypassPermissions: {stopped: []string{"rm -f build/*", "echo x > ?/y"}, free: []string{"rm -f build/a", "cat src/*.go", "mytool *.csv"}},
		} {
			w := newWorld(t, lists{}, inMode(mode))
			w.engine = engine(links)
			t.Run(name+" "+mode.String(), func(t *testing.T) { w.t = t; w.check(c) })
		}
		w := newWorld(t, lists{Deny: []string{"Read(//etc/**)"}}, inMode(permission.BypassPermissions))
		w.engine = engine(links)
		w.check(commands{stopped: []string{"cat src/*.go"}, free: []string{"cat src/a.go"}})
	}
}

// wide is a tree without an end.
type wide struct{ linkMap }

func (wide) List(string, int) (permission.Listing, error) {
	return permission.Listing{Dirs: []string{"a", "b", "c"}, Read: 3}, nil
}

// Whatever is asked, looking comes to an end.
func TestP16_LookingIsBounded(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(//etc/**)"}}, inMode(permission.BypassPermissions))
	w.engine = engine(wide{linkMap{}})
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "ln -s x%d/y l%d; cat l%d/l%d/z; ", i, i, i, i/2)
	}
	w.check(commands{stopped: []string{
		"cat " + strings.Repeat("*/", 60) + "x", "grep -R x .", strings.Repeat("grep -R x .; ", 200), many.String(),
		"ln -s b a; ln -s a b; ln -s a/b c; ln -s c/a a; cat a/b/c/a/b/c/a/b/c/etc",
	}})
}

// Some programs follow the links that they find in a tree.
func TestS15_TreesWithLinks(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(//etc/**)"}}, inMode(permission.BypassPermissions))
	w.engine = engine(linked())
	w.check(commands{
		stopped: []string{
			"grep -R x .", "grep -Rn x sub", "grep --dereference-recursive x .", "rg -L x", "rg --follow x sub", "cp -rL . /tmp/out", "cp -aL sub x", "tar chf x.tar .", "tar -c -h -f x.tar sub",
			"rsync -aL . h:/x", "zip -r x.zip .", "scp -r . h:", "diff -r . ../other", "grep -R x s*",
		},
		free: []string{"grep -r x .", "grep -R x src", "rg x", "rg -L x src", "cp -r src out", "zip -ry x.zip sub", "grep -R x lib/", "tar cf x.tar sub"},
	})
	floor := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	floor.engine = engine(linked())
	floor.check(commands{
		stopped: []string{"find -L sub -delete", "find -L sub -type f -delete", "find sub -follow -exec rm {} +", "chmod -RL 777 ."},
		free:    []string{"find sub -type f -delete", "find -L src -type f -delete"},
	})
	outside := newWorld(t, lists{})
	outside.engine = engine(linked())
	outside.check(commands{stopped: []string{"grep -R x ."}, free: []string{"grep -r x .", "grep -R x src"}})
	outside.engine = engine(wide{linkMap{}})
	outside.check(commands{free: []string{"grep -R x ."}}) // too much to look at, and no rule is about any of it
}

// A pattern that may stand for the working or home directory, or for one above it,
// is as dangerous as its name.
func TestS37_PatternsForRuinousPlaces(t *testing.T) {
	for _, c := range []struct {
		cwd, home string
		commands
	}{
		{"/srv/x", "/root", commands{
			stopped: []string{
				"rm -rf /roo?", "rm -rf /roo*/*", "find /roo? -delete", "rm -rf /hom?", "rm -rf /us[r]", "rm -rf /et?", "rm -rf /e*/*", "rm -rf /r??t", "rm -rf /[u]sr/", "rm -rf /?sr", "rm -rf /h*/dev",
				"find /et? -type f -delete", "mv /us? x", "rm -rf /S?stem", "rm -rf /../et?",
			},
			free: []string{"rm -rf /tmp/x*", "rm -rf /data*", "rm -rf /tmp/x/*", "rm -rf /us?/local/foo/build", "ls /et?"},
		}},
		{"/data/app", "/srv/ci", commands{
			stopped: []string{
				"rm -rf ../ap?", "rm -rf ../a*", "rm -rf /data/app*", "rm -rf /data/a*/*", "rm -rf /d*/app", "rm -rf /srv/c*", "rm -rf /srv/c*/*", "rm -rf /s*/ci", "mv ../a* /x", "find ../a* -delete",
				"cd .. && rm -rf a*", "rm -rf $PWD/../ap?", "rm $O ../ap?", "rm -r -- ../a[p]p", "rm -rf ../a*/.*", "rimraf ../a*",
			},
			free: []string{"rm -rf ../b*", "rm -f ../a*", "rm ../app*.log", "rm -rf ../a*/build", "rm -rf a*", "rm -rf /srv/d*", "rm -rf ../a*.tmp", "find ../a* -name '*.o' -delete"},
		}},
	} {
		w := newWorld(t, lists{}, inMode(permission.BypassPermissions), at(c.cwd, c.home))
		w.check(c.commands)
	}
}

// find deletes everything unless a test picks something, whatever else it is given.
func TestS37_FindAndMirrorsByAbsoluteName(t *testing.T) {
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions), at("/data/app", "/srv/ci"))
	w.check(commands{
		stopped: []string{
			"find /srv/ci -type f -delete", "find /srv/ci -name '*' -delete", "find /srv/ci -maxdepth 5 -exec rm -rf {} +", "find /data/app -type f -delete", "find /data -not -name x -delete",
			"gfind /srv/ci -mindepth 1 -delete", "rsync -a --delete e/ /srv/ci/", "rsync -a --delete-after e/ /data/app", "rsync -a --del e/ /srv", "find /srv/ci -path '*' -delete",
		},
		free: []string{
			"find /srv/ci -name '*.tmp' -delete", "find /data/app -empty -delete", "find /data/app -mtime +7 -delete", "find /data/app/build -type f -delete", "rsync -a e/ /srv/ci/",
			"rsync -an --delete e/ /srv/ci/", "rsync -a --delete e/ /data/app/dist/",
		},
	})
}

// A program that is not known may write the protected path that it names, also from
// within its directory and through a link.
func TestS36_UnknownProgramsAtProtectedPaths(t *testing.T) {
	for _, rules := range []lists{{}, {Deny: []string{"Read(//unrelated/**)"}}} {
		w := newWorld(t, rules, inMode(permission.BypassPermissions))
		w.engine = engine(linked())
		w.check(commands{
			stopped: []string{
				"cd .git && mytool config", "cd src/../.git; mytool --out=config", "mytool g/config", "mytool gc", "mytool --file g/config", "mytool ?/config", "mytool src/../g/config", "cd g && mytool config",
				"mytool " + project + "/gc", "ln -s .git/hooks zz; mytool zz/x", "mytool g*",
			},
			free: []string{"cd src && mytool config", "mytool src/config", "mytool lib/config", "mytool config", "mytool src/*", "cat g/config", "mytool '$x'"},
		})
	}
}

func TestS36_StreamsOfProtectedPaths(t *testing.T) {
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	for _, path := range []string{".git::$INDEX_ALLOCATION/config", ".git:x/config", ".bashrc::$DATA", "a/.CLAUDE::$index_allocation/settings.json", ".git. :x/config"} {
		w.want(w.file("Write", path), ask, permission.BySafety)
		w.check(commands{stopped: []string{"echo x > '" + path + "'"}})
	}
	w.check(commands{stopped: []string{"echo x > .git::$INDEX_ALLOCATION/config"}, free: []string{"echo x > a:b", "echo x > .gitx:y/config", "echo x > .x:.git"}})
}

// A rule holds for the file, whichever of its names it is written with.
func TestP16_RulesThroughLinks(t *testing.T) {
	links := linked()
	links["/home/dev/keys"] = "/mnt/keys"
	rules := []string{"Read(conf/**)", "Read(dotenv)", "Read(~/keys/*.pem)", "Edit(/lib/**)"}
	for _, c := range []struct {
		list rule.Behavior
		want permission.Behavior
	}{{rule.Deny, deny}, {rule.Ask, ask}} {
		l := lists{Deny: rules}
		if c.list == rule.Ask {
			l = lists{Ask: rules}
		}
		w := newWorld(t, l, inMode(permission.BypassPermissions))
		w.engine = engine(links)
		for range 2 { // the second time from memory
			for _, path := range []string{"conf/key", "config/prod/key", "config/prod/a/b", "config/../conf/key", ".env", "dotenv", "sub/dotenv", "/mnt/keys/a.pem", "/home/dev/keys/a.pem"} {
				w.want(w.file("Read", path), c.want, permission.ByRule)
				if d := w.bash("cat " + path); d.Behavior != c.want {
					t.Errorf("cat %s: %v (%s)", path, d.Behavior, d.Message())
				}
			}
			w.want(w.file("Edit", "src/a.go"), c.want, permission.ByRule)
			for _, path := range []string{"config/key", "config/production", "sub/.env", "/mnt/keys/a.txt", "src/a.go"} {
				w.want(w.file("Read", path), allow, permission.ByMode)
			}
			w.want(w.decide("Grep", map[string]any{"pattern": "x", "path": "config/prod"}), c.want, permission.ByRule)
		}
	}
	// A rule that comes later is followed too, and one that allows needs both names.
	w := newWorld(t, lists{Allow: []string{"Edit(conf/**)"}})
	w.engine = engine(links)
	w.want(w.file("Edit", "config/prod/key"), ask, permission.ByNoRule)
	w.apply(permission.Update{Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Read(conf/**)"}, Destination: rule.Session})
	w.want(w.file("Read", "config/prod/key"), deny, permission.ByRule)
}

// counting counts how often the file system is asked.
type counting struct {
	linkMap
	reads, lists *int
}

func (c counting) Readlink(path string) (string, error) {
	*c.reads++
	return c.linkMap.Readlink(path)
}

func (c counting) List(dir string, most int) (permission.Listing, error) {
	*c.lists++
	return c.linkMap.List(dir, most)
}

// Many rules do not mean many looks, and what was found is not looked for again.
func TestP16_RulesThroughLinksAreCheap(t *testing.T) {
	var l lists
	for i := range 10_000 {
		l.Deny = append(l.Deny, fmt.Sprintf("Read(/dir%d/**)", i))
	}
	var reads, listings int
	w := newWorld(t, l, inMode(permission.BypassPermissions))
	w.engine = engine(counting{linkMap{project + "/dir77": "real"}, &reads, &listings})
	call := w.validate("Read", fileInput("Read", "real/x"))
	reads = 0
	w.want(w.engine.Decide(w.ctx, call), deny, permission.ByRule)
	if reads > 20 || listings > 2 {
		t.Errorf("%d links read, %d directories listed", reads, listings)
	}
	reads, listings = 0, 0
	if n := testing.AllocsPerRun(10, func() { w.engine.Decide(w.ctx, call) }); n != 0 || reads+listings != 0 {
		t.Errorf("the second time: %.0f allocations, %d links read, %d directories listed", n, reads, listings)
	}
}

// A command that names no file does not wait for the links in the paths of all rules.
func TestP16_RulesAreNotFollowedForNothing(t *testing.T) {
	for command, followed := range map[string]bool{"git status": false, "pwd && date": false, "cat x": true, "$CMD": true} {
		var reads, listings int
		w := newWorld(t, lists{Deny: []string{"Read(//srv/data/**)"}})
		w.engine = engine(counting{linkMap{}, &reads, &listings})
		call := w.validate("Bash", map[string]any{"command": command})
		w.engine.Decide(w.ctx, call)
		if reads > 0 != followed {
			t.Errorf("%s: %d links read", command, reads)
		}
	}
}

// A search reads the hidden files that its own pattern fits.
func TestS15_SearchesThatPickHiddenFiles(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(.env)", "Read(.config/keys.txt)"}})
	for glob, want := range map[string]permission.Behavior{
		"*env": ask, "?env": ask, "[.]env": ask, "{.env,x}": ask, "{a/b,.env}": ask, "*": ask, "**/*": ask, ".env": ask, "**/.e*": ask, "*.ENV": ask, "src/**": ask, `\.env`: ask, "!x, *": ask, "*.go *env": ask, "[": ask, ".config": ask,
		"*.go": allow, "*.{ts,tsx}": allow, "!*env": allow, "!*": allow, "src/*.go": allow, "Makefile": allow, "*.txt": allow,
	} {
		if d := w.decide("Grep", map[string]any{"pattern": "x", "glob": glob}); d.Behavior != want {
			t.Errorf("Grep %s: %v (%s), want %v", glob, d.Behavior, d.Message(), want)
		}
		if strings.Contains(glob, " ") {
			continue // a list only there
		}
		for _, command := range []string{"rg -g '%s' x", "rg --glob='%s' x", "rg x --iglob '%s' .", "rg -g'%s' x"} {
			if d := w.bash(fmt.Sprintf(command, glob)); d.Behavior != want {
				t.Errorf(command+": %v (%s), want %v", glob, d.Behavior, d.Message(), want)
			}
		}
	}
	w.check(commands{stopped: []string{`rg -g "$G" x`, "rg --type-add 'x:.env' -t x y"}, free: []string{"rg x", "rg -t go x", "rg -g '*.go' -g '!vendor' x"}})
}

// A malformed rule asks as far as it would have reached.
func TestS14_MalformedRulesReachAsFarAsTheyWould(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(../x)"}}, inMode(permission.BypassPermissions))
	for _, name := range []string{"Read", "Write", "Edit", "NotebookEdit", "Grep"} {
		w.want(w.file(name, "../x"), ask, permission.ByRule)
	}
	w.check(commands{stopped: []string{"echo > ../x", "cat ../x", "tee a", "cat < a"}, free: []string{"git status", "echo x"}})
	both := newWorld(t, lists{Ask: []string{"Read"}, Deny: []string{"Grep(../x)"}}, inMode(permission.BypassPermissions))
	both.want(both.file("Write", "a"), ask, permission.ByRule)
	asks := newWorld(t, lists{Ask: []string{"Read(../x)", "NotebookEdit(../x)"}}, inMode(permission.BypassPermissions))
	asks.want(asks.file("Grep", "a"), ask, permission.ByRule)
	asks.want(asks.file("Write", "a"), ask, permission.ByRule)
	reads := newWorld(t, lists{Ask: []string{"Read(../x)"}}, inMode(permission.BypassPermissions))
	reads.want(reads.file("Write", "a"), allow, permission.ByMode)
}
