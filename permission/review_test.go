package permission_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func at(cwd, home string) func(*permission.Config) {
	return func(c *permission.Config) { c.Cwd, c.Home = cwd, home }
}

// The floor knows the working and the home directory by every name they have.
func TestS37_FloorByAbsoluteNamesAndLinks(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash"}}, inMode(permission.BypassPermissions), at("/data/w/proj/sub", "/data/u/dev"))
	w.engine = engine(linkMap{"/data/w/proj/sub/h": "/data/u/dev", "/data/w/proj/sub/up": "..", "/data/w/proj/sub/g": ".git"})
	for _, command := range []string{
		"rm -rf /data/w/proj/sub", "rm -rf /data/w/proj", "rm -rf /data/w/proj/*", "rm -rf /data/u/dev", "rm -rf /data/u/dev/*", "find /data/u/dev -delete",
		"rm -rf ../sub", "rm -rf h", "rm -rf h/*", "cd h && rm -rf *", "cd up && rm -rf *", "rm -rf ${HOME:?}", "rm -rf ${HOME%/}", "mv /data/w x", "rm -rf /proc/self/cwd",
		"rm g/*", "cp a g/$X", "sed -i s/a/b/ g/*", "echo x > g/$X", "cd .git; echo x > /proc/self/cwd/config", "assent trust --yes", "./assent trust .", "sudo assent trust",
	} {
		if d := w.bash(command); d.Behavior != ask || !d.NeedsPerson {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{"rm -rf build", "rm -rf /data/w/proj/sub/build", "rm -rf /data/w/other", "find . -name '*.tmp' -delete", "rm *.tmp", "assent trust --list", "mv a b"} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}

// A link does not hide a file behind a pattern, a variable or a tree.
func TestP16_LinksUnderPatternsAndTrees(t *testing.T) {
	links := linkMap{project + "/etc": "/etc", project + "/lnk": "secret", "/proc/self/cwd": "/elsewhere"}
	w := newWorld(t, lists{})
	w.engine = engine(links)
	for _, command := range []string{"cat etc/*", "cat etc/$X", "grep x etc/*", "cat etc/passwd", "X=/etc/shadow; cat $X", "cat $PWD/../../etc/shadow", "cat ~root/.x", "cat /etc$X/shadow", "cat \"$F\"", "wc -l $(git ls-files)"} {
		if d := w.bash(command); d.Behavior != ask {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{"cat *.go", "cat src/*", "X=a.go; cat $X", "cat $PWD/a.go"} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	denied := newWorld(t, lists{Deny: []string{"Read(/secret/**)", "Edit(/secret/**)"}}, inMode(permission.BypassPermissions))
	denied.engine = engine(links)
	for _, command := range []string{
		"cat lnk/*", "grep -r k lnk/", "tar c lnk/", "cp -r lnk/ out", "cd lnk && cat *", "rm -r lnk/*", "chmod -R 777 lnk/", "tar xf a -C lnk", "unzip a -d lnk",
		"cd secret && cat /proc/self/cwd/key", "exec 3< secret; cat /proc/self/fd/3/key",
	} {
		if d := denied.bash(command); d.Behavior == allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	for _, path := range []string{"/proc/self/cwd/secret/k", "/proc/self/root" + project + "/secret/k", "lnk/k", "/proc/1/cwd/k"} {
		if d := denied.file("Read", path); d.Behavior == allow {
			t.Errorf("Read %s: %v (%s)", path, d.Behavior, d.Message())
		}
	}
}

// A shell call is judged where it runs, like every other.
func TestRequestCwdHoldsForTheShell(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(/secret/**)"}}, inMode(permission.BypassPermissions))
	for command, cwd := range map[string]string{"cat key": project + "/secret", "echo x > config": project + "/.git", "rm -rf ../proj": project} {
		input, err := json.Marshal(map[string]any{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		call, err := w.engine.Validate(w.ctx, permission.Request{Tool: "Bash", Input: input, Cwd: cwd})
		if err != nil {
			t.Fatal(err)
		}
		if d := w.engine.Decide(w.ctx, call); d.Behavior == allow {
			t.Errorf("%s in %s: %v (%s)", command, cwd, d.Behavior, d.Message())
		}
	}
}

func TestUpdatesAreNotBroadenedByTypos(t *testing.T) {
	for _, r := range []string{
		`{"toolName":"Bash","RuleContent":"npm test"}`, `{"toolName":"Bash","rule_content":"npm test"}`, `{"toolName":"Bash","ruleContent":null}`,
		`{"toolName":"Bash","ruleContent":7}`, `{"toolName":"Bash","content":"x"}`,
	} {
		var u permission.Update
		text := `{"type":"addRules","behavior":"allow","destination":"session","rules":[` + r + `]}`
		if err := json.Unmarshal([]byte(text), &u); err == nil {
			t.Errorf("%s became %v", r, u.Rules)
		}
	}
}

// A path that cannot be made out is asked about in every mode, a protected one first.
func TestS36_OddSpellingsOfProtectedPaths(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Edit", "Read"}}, inMode(permission.BypassPermissions))
	w.engine = engine(linkMap{project + "/loop": "loop"})
	for _, path := range []string{".git/\n/../config", "loop/../.git/config", "~/.bashrc\x00", ".claude/settings.json\x00", "loop/x", "a\x1bb"} {
		call := w.validate("Edit", fileInput("Edit", path))
		for _, hook := range []permission.Behavior{0, permission.Allow} {
			call.Hook.Behavior = hook
			if d := w.engine.Decide(w.ctx, call); d.Behavior != ask || !d.NeedsPerson {
				t.Errorf("%q, hook %v: %v (%s)", path, hook, d.Behavior, d.Message())
			}
		}
	}
}

func TestS15_SearchesOverDeniedTrees(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(/secret/**)", "Read(.env)"}})
	for _, tt := range []struct {
		tool  string
		input map[string]any
		want  permission.Behavior
	}{
		{"Grep", map[string]any{"pattern": "k", "path": "secret"}, deny},
		{"Grep", map[string]any{"pattern": "k", "path": "secret/sub"}, deny},
		{"Glob", map[string]any{"pattern": "*", "path": "secret"}, deny},
		{"Grep", map[string]any{"pattern": "k"}, ask},
		{"Grep", map[string]any{"pattern": "k", "path": "src"}, allow},
		{"Grep", map[string]any{"pattern": "k", "path": "src", "glob": ".env"}, ask},
		{"Glob", map[string]any{"pattern": "**/*.go"}, allow},
		{"Glob", map[string]any{"pattern": "{/etc,x}/*"}, ask},
		{"Glob", map[string]any{"pattern": "**/*.{ts,tsx}"}, allow},
		{"Glob", map[string]any{"pattern": "src/{a,b}/*.go"}, allow},
		{"Glob", map[string]any{"pattern": "{~,x}/*"}, ask},
		{"Glob", map[string]any{"pattern": "x/{a,../../b}/*"}, ask},
		{"Glob", map[string]any{"pattern": "a/{b"}, ask},
		{"Glob", map[string]any{"pattern": "*/../../x"}, ask},
		{"Glob", map[string]any{"pattern": "/etc/*"}, ask},
	} {
		if d := w.decide(tt.tool, tt.input); d.Behavior != tt.want {
			t.Errorf("%s %v: %v (%s), want %v", tt.tool, tt.input, d.Behavior, d.Message(), tt.want)
		}
	}
}

func TestP16_HostsHaveOneSpelling(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"WebFetch"}, Deny: []string{"WebFetch(domain:evil.com)", "WebFetch(domain:127.0.0.1)"}})
	for _, url := range []string{"https://evil.com./", "https://EVIL.com", "http://[::ffff:127.0.0.1]/"} {
		w.want(w.decide("WebFetch", map[string]any{"url": url, "prompt": "p"}), deny, permission.ByRule)
	}
	for _, url := range []string{
		"https://evil。com", "https://ｅvil.com", "https://evil\u00ad.com", "https://evil.com..", "http://2130706433", "http://0x7f.1", "http://127.1",
		"http://017700000001", "file:///etc/passwd", "https:///x",
	} {
		input, err := json.Marshal(map[string]any{"url": url, "prompt": "p"})
		if err != nil {
			t.Fatal(err)
		}
		if call, err := w.engine.Validate(w.ctx, permission.Request{Tool: "WebFetch", Input: input}); err == nil {
			t.Errorf("%s: %v", url, w.engine.Decide(w.ctx, call).Behavior)
		}
	}
}

func TestP19_SuggestionsAreNoBroaderThanNeeded(t *testing.T) {
	w := newWorld(t, lists{})
	for _, tt := range []struct {
		tool  string
		input map[string]any
		want  []string
	}{
		{"Bash", map[string]any{"command": "cp a b"}, []string{"Bash(cp a b)"}},
		{"Bash", map[string]any{"command": "mkdir x"}, []string{"Bash(mkdir x)"}},
		{"Bash", map[string]any{"command": "tk one two"}, []string{"Bash(tk one:*)"}},
		{"Bash", map[string]any{"command": "npm run build -- --x"}, []string{"Bash(npm run build:*)"}},
		{"Bash", map[string]any{"command": "go test ./..."}, []string{"Bash(go test:*)"}},
		{"Bash", map[string]any{"command": "bazel run //x"}, []string{"Bash(bazel run //x)"}},
		{"Bash", map[string]any{"command": "echo '*'; tk '*'"}, []string{`Bash(tk \*)`}},
		{"Bash", map[string]any{"command": "tk one > out.txt"}, []string{"Edit(//home/dev/proj/out.txt)", "Bash(tk one:*)"}},
		{"Bash", map[string]any{"command": "cat /x"}, []string{"Read(//x)"}},
		{"Bash", map[string]any{"command": "cat /etc/hosts"}, []string{"Read(//etc/hosts)"}},
		{"Bash", map[string]any{"command": "git push --force"}, nil},
		{"Bash", map[string]any{"command": "rm -rf /"}, nil},
		{"Bash", map[string]any{"command": "eval $X"}, nil},
		{"Read", fileInput("Read", "/foo"), []string{"Read(//foo)"}},
		{"Read", fileInput("Read", "/home/dev/x"), []string{"Read(//home/dev/x)"}},
		{"Read", fileInput("Read", "/opt/a/x"), []string{"Read(//opt/a/**)"}},
		{"Write", fileInput("Write", "/x"), []string{"Edit(//x)"}},
		{"SlashCommand", map[string]any{"command": "/x y"}, []string{"SlashCommand(/x y)"}},
		{"mcp__a__b", map[string]any{}, []string{"mcp__a__b"}},
		{"WebFetch", map[string]any{"url": "https://example.com/a", "prompt": "p"}, []string{"WebFetch(domain:example.com)"}},
	} {
		call := w.validate(tt.tool, tt.input)
		var got []string
		for _, u := range w.engine.Suggest(w.ctx, call, w.engine.Decide(w.ctx, call)) {
			got = append(got, u.Rules...)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %v: %q, want %q", tt.tool, tt.input, got, tt.want)
		}
	}
}

// An answer that does not count never wins, however the candidates rank.
func TestP6_InvalidAnswersNeverWin(t *testing.T) {
	say := func(a permission.Answer) func(context.Context, permission.Question) (permission.Answer, error) {
		return func(context.Context, permission.Question) (permission.Answer, error) { return a, nil }
	}
	q := permission.Question{Decision: permission.Decision{Behavior: ask, NeedsPerson: true}}
	for range 50 {
		got := permission.Resolver{Candidates: []permission.Candidate{
			{Name: "hook", Trust: permission.TrustHook, Ask: say(yes)},
			{Name: "stranger", Ask: say(yes)},
			{Name: "other hook", Trust: permission.TrustHook, Ask: say(no)},
		}}.Resolve(t.Context(), q)
		if got.Answer.Behavior != deny {
			t.Fatalf("%+v", got)
		}
	}
}

// Rules of a custom command and of the session are sources like any other.
func TestP3_CommandAndSessionRules(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(git push:*)"}}, func(c *permission.Config) {
		c.Rules = append(c.Rules, read(t, rule.Command, lists{Allow: []string{"Bash(git:*)"}})...)
	})
	w.want(w.bash("git commit -m x"), allow, permission.ByRule)
	w.want(w.bash("git push"), deny, permission.ByRule)
	w.apply(permission.Update{Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Bash(git commit:*)"}, Destination: rule.Session})
	w.want(w.bash("git commit -m x"), deny, permission.ByRule)
}
