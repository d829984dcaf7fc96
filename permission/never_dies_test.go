package permission_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// A name that is not known until the command runs is looked up in the values that the script
// gives its words. What these say must not lead back to the question.
func TestHomesOfOtherUsersWithPatterns(t *testing.T) {
	w := newWorld(t, lists{})
	for _, command := range []string{
		"ls ~root/*", "cat ~root/*", "ls ~nobody/[a-z]*", "ls ~root/*/x", "ls ~root/?", "cd ~root/*; cat *", "cat ~root/{a,*}",
		"cat < ~root/*", "x=~root; ls $x/*", "x=~root/*; ls $x", "for f in ~root/*; do cat $f; done", "ls ~-/*", "ls ~1/*",
		"grep -r a ~root/*", "cat ~root/* ~nobody/*", "ls ~root*", "ls ~root/*/../*", "find ~root/* -name a", "wc -l ~root/.*",
	} {
		if d := w.bash(command); d.Behavior != ask {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{"ls *", "cat ./*/x", "ls ~+/*", "cat ~/proj/*", "cd src; cat *", "for f in *.go; do cat $f; done", "d=src; cat $d/a"} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}

// faulty panics wherever it is asked.
type faulty struct{}

func (faulty) Readlink(string) (string, error)                 { panic("a fault in the links") }
func (faulty) Lookup(name string) (permission.Tool, bool)      { return brokenTool{mcpTool(name)}, true }
func (brokenTool) Decode(input []byte) (map[string]any, error) { panic("a fault in the tool") }

type brokenTool struct{ mcpTool }

// A panic while a call is judged is a denial of that call, and of no other.
func TestPanicIsADenial(t *testing.T) {
	for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions, permission.Auto, permission.AcceptEdits} {
		w := newWorld(t, lists{Allow: []string{"Bash", "Read", "mcp__a"}}, func(c *permission.Config) { c.Mode, c.AllowBypass = mode, true })
		call := w.validate("Bash", map[string]any{"command": "cat a > b"})
		d := permission.NewEngine(tools{}, faulty{}).Decide(w.ctx, call)
		w.want(d, deny, permission.ByFault)
		if text := d.Message(); !strings.Contains(text, "a fault in the links at permission/never_dies_test.go:") || !strings.Contains(text, "report it") {
			t.Errorf("the reason is %q", text)
		}
		if again := w.engine.Decide(w.ctx, call); again.Behavior != allow {
			t.Errorf("the next judgement is %v (%s)", again.Behavior, again.Message())
		}
		var fault *permission.FaultError
		if _, err := permission.NewEngine(faulty{}, nil).Validate(w.ctx, permission.Request{Tool: "mcp__a__b", Input: []byte("{}")}); !errors.As(err, &fault) {
			t.Errorf("a tool that panics is %v", err)
		}
		if d := permission.Failed(fault); d.Behavior != deny || d.Reason.Kind != permission.ByFault {
			t.Errorf("a tool that panics is %v (%s)", d.Behavior, d.Message())
		}
	}
}

// No text takes long to judge, with rules that look at everything in it and with links.
func TestHostileTextIsJudgedSoon(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(cat *)"}, Ask: []string{"Bash(git push *)"}, Deny: []string{"Bash(npm * publish *)", "Read(**/.env)", "Edit(/a/**/b)"}})
	w.engine = engine(linkMap{project + "/l": "/etc", project + "/m": "l", project + "/n": "n"})
	long := "d=" + strings.Repeat("/x", shell.MaxSize/4) + ";"
	for _, text := range []string{long + strings.Repeat("rm ${d%/*};", 2500), long + strings.Repeat("cat ${d^^};", 2500), "cd a" + strings.Repeat(" && cd b", 8000), "cat " + strings.Repeat("a/", 30000)} {
		t.Run(text[:min(len(text), 12)], func(t *testing.T) {
			defer testlimit.Watch(t)()
			w.bash(text)
		})
	}
	functions := "f0() { cat $1; };"
	for i := range 400 {
		functions += fmt.Sprintf("f%d() { f%d $1$1; f%[2]d $1; };", i+1, i)
	}
	t.Run("functions", func(t *testing.T) {
		defer testlimit.Watch(t)()
		w.bash(functions + "f400 a")
	})
	for _, piece := range []string{
		"cat ~root/*;", "cat l/*;", "cat */*/*;", "ln -s a b;cat b/x;", "ln -s l/* b;cat b/*;", "cat ../l/../*;", "cd l;cat *;", "rm $a/*;", "a=l;cat $a/b;",
		"a=b;foo x;", "export a=b;foo x;", "f() { cd x; };f;f;f;f;f;f;f;f;", "foo $a <<<b;", "mv a b;", "echo a > $a;",
		"cat n/x;", "npm a b;", "npm publis ", "git push ", "mv * l;", "cp -r * l;", "echo>l/a;", "git add l/*;", "find . -name '*';", "git log;", "cat $a$b ", "cat {$a,$b} ", "let ", "ls|xargs cat;", "export a=b;rm $a;", "cat .*/.*;", "ls|while read f;do cat $f;done;",
	} {
		t.Run(piece, func(t *testing.T) {
			defer testlimit.Watch(t)()
			if d := w.bash(strings.Repeat(piece, (shell.MaxSize-1)/len(piece))); d.Behavior == 0 {
				t.Error("no decision")
			}
		})
	}
}

// Programs that run programs are read in many ways, and rules with a star at the start look at each.
func TestHostileChainsAreJudgedSoon(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(* --force*)", "Bash(*make*x*)"}})
	for _, piece := range []string{"su -c ", "docker exec c ", "gcloud compute ssh h --command ", "ssh h ", "unshare -r ", "pnpm -C x exec ", "xargs -I{} -L1 ", "foo "} {
		t.Run(piece, func(t *testing.T) {
			defer testlimit.Watch(t)()
			if d := w.bash(strings.Repeat(piece, 250) + "make --force"); d.Behavior == allow {
				t.Error("it is allowed")
			}
		})
	}
}

// What a program may run, what it reads and which files it has are looked for once, not for each of
// its words.
func TestHostileWordsAreJudgedSoon(t *testing.T) {
	full := func(before, text, behind string) string {
		return before + strings.Repeat(text, (shell.MaxSize-len(before)-len(behind))/len(text)) + behind
	}
	half := func(text string) string { return strings.Repeat(text, shell.MaxSize/2/len(text)-16) }
	pushes := lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(*push*--force*)"}}
	letters := lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(*a*b*c*d*)"}}
	names := lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)", "Bash(make:*)", "Read(.env)"}}
	for text, rules := range map[string]lists{
		full("~ ", "~ ", ""):                                        pushes,
		full("", "~ ", "x"):                                         letters,
		full("", "-x ", ""):                                         letters,
		full("foo ", "push ", ""):                                   pushes,
		full("foo ", "npm ", ""):                                    names,
		full("foo ", "-xnpm ", ""):                                  names,
		full("echo '", "ls;", "' | sh"):                             {},
		full("", "sed -e ", ""):                                     {},
		full("rg --json x ", "d ", ""):                              names,
		"rg " + half("-g a ") + "x " + half("d "):                   names,
		"echo '" + half("x\n") + "' | xargs -I{} rm " + half("{} "): {},
		"printf '" + half("x") + "%s' " + half("a ") + "| sh":       {},
	} {
		t.Run(text[:min(len(text), 14)], func(t *testing.T) {
			w := newWorld(t, rules)
			defer testlimit.Watch(t)()
			w.bash(text)
		})
	}
}

// FuzzDecide: no command makes the judgement panic, take long or allow what is not understood.
func FuzzDecide(f *testing.F) {
	for _, name := range []string{"rules.jsonl", "readonly.jsonl", "danger.jsonl"} {
		for _, r := range corpus(f, name) {
			f.Add(r.Command)
		}
	}
	for _, seed := range []string{
		"ls ~root/*", "cat ~root/*", "ls ~+/*", "ls ~nobody/[a-z]*", "cd ~root/*; cat *", "x=~root/*; cat $x", "ln -s ~root a; cat a/*",
		"ln -s a b; ln -s b a; cat a/*", "cat l/*", "cat n/*", "for f in l/*; do cat $f; done", "find . | xargs cat", "cd l && cat ../*",
	} {
		f.Add(seed)
	}
	links := linkMap{project + "/l": "/etc", project + "/m": "l", project + "/n": "n"}
	plain, ruled := newWorld(f, lists{}), newWorld(f, lists{Allow: []string{"Bash"}, Deny: []string{"Read(**/.env)", "Bash(npm publish:*)"}})
	plain.engine, ruled.engine = engine(links), engine(links)
	f.Fuzz(func(t *testing.T, command string) {
		defer testlimit.Watch(t)()
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			return
		}
		for _, w := range []*world{plain, ruled} {
			call, err := w.engine.Validate(w.ctx, permission.Request{Tool: "Bash", Input: input})
			if err != nil {
				continue
			}
			switch d := w.engine.Decide(w.ctx, call); {
			case d.Reason.Kind == permission.ByFault:
				t.Errorf("%q: %s", command, d.Message())
			case d.Behavior == permission.Allow && call.Script().Problem != nil:
				t.Errorf("%q is allowed although it is not understood (%s)", command, d.Message())
			}
		}
	})
}
