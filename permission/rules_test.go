package permission_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestP11_BashRuleForms(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(npm test)", "Bash(go:*)", "Bash(make *)", "Bash(docker * up)"}})
	for command, want := range map[string]permission.Behavior{
		"npm test": allow, "npm  test": allow, "npm test x": ask, "npm": ask, "npm tests": ask,
		"go": allow, "go build ./...": allow, "gox": ask, "make": allow, "make all": allow, "makefile": ask,
		"docker compose -f x up": allow, "docker compose up -d": ask,
	} {
		if d := w.bash(command); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", command, d.Behavior, d.Message(), want)
		}
	}
}

func TestP12_EveryPartCounts(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(npm:*)", "Bash(go test:*)"}, Ask: []string{"Bash(git push:*)"}, Deny: []string{"Bash(rm:*)"}})
	for command, want := range map[string]permission.Behavior{
		"npm ci && go test ./...":               allow,
		"npm ci && make":                        ask,
		"npm ci; git push":                      ask,
		"npm ci | git push; rm x":               deny,
		"timeout 5 npm test":                    allow,
		"sudo npm test":                         ask,
		"env rm x":                              deny,
		"npm run $(rm x)":                       deny,
		"(npm test; (rm x))":                    deny,
		"bash -c 'npm test; rm x'":              deny,
		"npm test > out.log":                    ask,
		"npm test 2>&1 >/dev/null":              allow,
		"CI=1 npm test":                         allow,
		"X=1 npm test":                          allow,
		"X=y npm test":                          ask,
		"PATH=. npm test":                       ask,
		"find . -exec rm {} +":                  deny,
		"xargs rm < list":                       deny,
		"npm test; $X":                          ask,
		"/bin/rm x":                             deny,
		"if npm test; then rm x; fi":            deny,
		"npm test # rm x":                       allow,
		"echo rm x":                             allow,
		strings.Repeat("true && ", 60) + "rm x": deny,
	} {
		if d := w.bash(command); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", command, d.Behavior, d.Message(), want)
		}
	}
}

func TestP12_TheDecidingPartIsNamed(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(npm publish:*)"}})
	command := "echo ok && sudo npm publish --tag next"
	d := w.bash(command)
	part := d.Reason.Part
	if part == nil || part.Text != "npm publish --tag next" || command[part.Span.Start:part.Span.End] != part.Text || strings.Join(part.Via, " ") != "sudo" {
		t.Errorf("part %+v", part)
	}
	if !strings.Contains(d.Message(), "settings.json:1") || !strings.Contains(d.Message(), "Bash(npm publish:*)") {
		t.Errorf("message %q names neither rule nor place", d.Message())
	}
}

// A call that names no kind of agent starts the general one, so rules on that hold.
func TestP15_AgentOfNoKind(t *testing.T) {
	for _, text := range []string{"Task(general-purpose)", "Agent(general-purpose)", "Task(general-*)"} {
		for _, name := range []string{"Task", "Agent"} {
			for _, input := range []map[string]any{
				{"description": "d", "prompt": "p"},
				{"description": "d", "prompt": "p", "subagent_type": ""},
				{"description": "d", "prompt": "p", "subagent_type": permission.DefaultAgent},
			} {
				w := newWorld(t, lists{Deny: []string{text}})
				w.want(w.decide(name, input), deny, permission.ByRule)
				w = newWorld(t, lists{Ask: []string{text}}, inMode(permission.BypassPermissions))
				w.want(w.decide(name, input), ask, permission.ByRule)
			}
		}
	}
	w := newWorld(t, lists{Deny: []string{"Task(reviewer)"}})
	w.want(w.decide("Task", map[string]any{"description": "d", "prompt": "p"}), allow, permission.ByTool)
}

// The name that a server gives its tool may stand in a rule, and in a call of an agent
// that takes such names.
func TestP15_MCPRulesByTheServersOwnName(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"mcp__pay"}, Deny: []string{"mcp__pay__refund.all"}})
	for name, want := range map[string]permission.Behavior{
		"mcp__pay__refund_all": deny, "mcp__pay__refund.all": deny, "mcp__pay__refund/all": deny, "mcp__pay__refund": allow, "mcp__pay__list.all": allow,
	} {
		if d := w.decide(name, map[string]any{}); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", name, d.Behavior, d.Message(), want)
		}
	}
	if w := newWorld(t, lists{Deny: []string{"mcp__pay__refund.all"}}); w.ctx.Removed("mcp__pay__refund_all") == nil {
		t.Error("the tool is not taken away")
	}
	// What is offered to a person for such a call allows it.
	w = newWorld(t, lists{})
	call := w.validate("mcp__pay__list.all", map[string]any{})
	if len(w.engine.Suggest(w.ctx, call, w.engine.Decide(w.ctx, call))) == 0 {
		t.Error("nothing is suggested")
	}
}

func TestP15_MCPRules(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"mcp__pay", "mcp__mail__*", "mcp__git__log"}, Ask: []string{"mcp__mail__send*"}, Deny: []string{"mcp__pay__refund"}})
	for name, want := range map[string]permission.Behavior{
		"mcp__pay__list": allow, "mcp__pay__refund": deny, "mcp__mail__read": allow, "mcp__mail__send_all": ask,
		"mcp__git__log": allow, "mcp__git__push": ask, "mcp__payments__list": ask,
	} {
		if d := w.decide(name, map[string]any{"x": 1}); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", name, d.Behavior, d.Message(), want)
		}
	}
}

func TestP16_WebFetchDomains(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"WebFetch(domain:example.com)"}, Deny: []string{"WebFetch(domain:evil.example)"}})
	for url, want := range map[string]permission.Behavior{
		"https://example.com/a": allow, "https://EXAMPLE.com:8443/a": allow, "https://sub.example.com/": ask, "https://example.com.evil.example/": ask,
		"https://evil.example/": deny, "http://evil.example@example.com/": allow, "https://example.com@evil.example/": deny,
	} {
		if d := w.decide("WebFetch", map[string]any{"url": url, "prompt": "p"}); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", url, d.Behavior, d.Message(), want)
		}
	}
}

func TestS15_PathRulesReachTheShell(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Read(.env)", "Read(./secrets/**)", "Edit(b.txt)"}}, inMode(permission.BypassPermissions))
	for command, want := range map[string]permission.Behavior{
		"cat .env": deny, "cat sub/.env": deny, "head secrets/k.pem": deny, "cat < .env": deny, "grep S .env": deny, "cp .env copy": deny,
		"cat secrets/*": deny, "sed -n 1p .env": deny, "echo x > b.txt": deny, "sed -i s/a/b/ b.txt": deny, "cat b.txt": allow,
		"cd secrets && cat k.pem": deny, "echo x > .env": deny, "cat environment.ts": allow, "python3 -c \"open('.env')\"": allow,
		"grep -r x secrets": deny, "cp -r secrets /tmp/x": deny, "tar cf x.tar secrets": deny, "rg x secrets": deny, "grep -rn x .": ask, "grep -rn x": ask,
		"rg x src": allow, "rg --hidden x src": ask, "grep x src/a.go": allow, "rm -rf secrets": deny, "ls -R src": allow, "mv secrets other": deny,
		"mytool 'a\nb * c'": allow, "mytool '" + strings.Repeat("a b ", 2000) + "'": allow, "mytool 'x\n/../.env'": deny, "tee b.txt < a": deny, "mv a b.txt": deny, "cat \"$F\"": ask, "echo .env": allow, "git log -- src": allow,
	} {
		if d := w.bash(command); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", command, d.Behavior, d.Message(), want)
		}
	}
	for _, name := range []string{"Read", "Edit", "Write", "Grep"} {
		w.want(w.file(name, ".env"), deny, permission.ByRule)
	}
	w.want(w.file("Write", "b.txt"), deny, permission.ByRule)
	w.want(w.file("NotebookEdit", project+"/b.txt"), deny, permission.ByRule)
	w.want(w.file("Read", "b.txt"), allow, permission.ByMode)
}

func TestP17_WorkingDirectories(t *testing.T) {
	w := newWorld(t, lists{})
	w.want(w.file("Read", "/data/x"), ask, permission.ByOutside)
	w.want(w.bash("cat /data/x"), ask, permission.ByOutside)
	w.want(w.bash("cd /data && cat x"), ask, permission.ByOutside)
	w.apply(permission.Update{Type: permission.AddDirectories, Directories: []string{"/data"}, Destination: rule.Session})
	w.want(w.file("Read", "/data/x"), allow, permission.ByReadOnly)
	w.want(w.bash("cat /data/x"), allow, permission.ByReadOnly)
	w.want(w.file("Read", "/database/x"), ask, permission.ByOutside)
	w.want(w.file("Write", "/data/x"), ask, permission.ByNoRule)
	edits := newWorld(t, lists{}, inMode(permission.AcceptEdits), func(c *permission.Config) {
		c.Directories = []permission.Directory{{Path: "/data", Source: rule.UserSettings}}
	})
	edits.want(edits.file("Write", "/data/x"), allow, permission.ByMode)
	edits.want(edits.bash("touch /data/x"), ask, permission.ByNoRule)
	w.apply(permission.Update{Type: permission.RemoveDirectories, Directories: []string{"/data"}, Destination: rule.Session})
	w.want(w.file("Read", "/data/x"), ask, permission.ByOutside)
}

func TestP17_LinksDoNotLeave(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Edit(/src/**)"}}, inMode(permission.AcceptEdits))
	w.engine = engine(linkMap{project + "/src/out": "/etc", project + "/hooks": ".git/hooks", project + "/loop": "loop", project + "/in": "src"})
	w.want(w.file("Edit", "src/out/passwd"), ask, permission.ByOutside)
	w.want(w.file("Edit", "src/out/../passwd"), ask, permission.ByOutside)
	w.want(w.file("Read", "src/out/passwd"), ask, permission.ByOutside)
	w.want(w.bash("cat src/out/passwd"), ask, permission.ByOutside)
	w.want(w.file("Write", "hooks/pre-commit"), ask, permission.BySafety)
	w.want(w.bash("cp x hooks/pre-commit"), ask, permission.BySafety)
	w.want(w.file("Read", "loop/x"), ask, permission.ByUnreadable)
	w.want(w.file("Edit", "in/a.go"), allow, permission.ByMode)
}

func TestP21_ProtectedPathsAndDangerFloor(t *testing.T) {
	for _, mode := range []permission.Mode{permission.Default, permission.AcceptEdits, permission.Auto, permission.BypassPermissions} {
		w := newWorld(t, lists{Allow: []string{"Bash", "Edit", "Write", "Edit(//**)"}}, inMode(mode))
		for _, path := range []string{
			".git/config", ".GIT/config", "sub/.Claude/x", ".assent/x", ".vscode/settings.json", ".idea/x", ".husky/x",
			".gitconfig", ".gitmodules", ".mcp.json", ".claude.json", ".ripgreprc", ".bashrc", ".zshrc", ".profile", "/home/dev/.ZSHRC", ".git",
			".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json", ".github/hooks/x.json", "opencode.json", "/home/dev/.copilot/config.json",
			"/home/dev/.config/opencode/x.json", "/etc/claude-code/managed-settings.json",
		} {
			d := w.file("Write", path)
			if d.Behavior != ask || !d.NeedsPerson {
				t.Errorf("%v: Write %s: %v (%s)", mode, path, d.Behavior, d.Message())
			}
			if d := w.bash("echo x > " + path); d.Behavior != ask || !d.NeedsPerson {
				t.Errorf("%v: echo x > %s: %v (%s)", mode, path, d.Behavior, d.Message())
			}
			if d := w.file("Read", path); mode == permission.Default && d.Behavior == ask && d.Reason.Kind != permission.ByOutside {
				t.Errorf("%v: Read %s: %v (%s)", mode, path, d.Behavior, d.Message())
			}
		}
		for _, command := range []string{"rm -rf /", "rm -rf ~", "rm -rf ..", "rm -rf *", "sudo rm -rf --no-preserve-root /", ":(){ :|:& };:", "dd if=x of=/dev/sda", "mkfs /dev/sda"} {
			if d := w.bash(command); d.Behavior != ask || !d.NeedsPerson || d.Classify {
				t.Errorf("%v: %s: %v (%s)", mode, command, d.Behavior, d.Message())
			}
		}
		for _, path := range []string{".github/workflows/x.yml", ".gitignore", "git/config", "src/.gitkeep"} {
			if d := w.file("Write", path); d.Behavior != allow {
				t.Errorf("%v: Write %s: %v (%s)", mode, path, d.Behavior, d.Message())
			}
		}
	}
}

func TestS14_MalformedRules(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(tk:*)", "Write", "Edit", "Bash(oops"}, Deny: []string{"Bash(tk secret", "Bash(tk two)"}})
	w.want(w.bash("tk one"), ask, permission.ByRule)
	w.want(w.bash("tk two"), deny, permission.ByRule)
	w.want(w.file("Write", "o.txt"), allow, permission.ByRule)
	w.want(w.bash("oops"), ask, permission.ByRule)
}

// A redirection writes a file: a rule of words does not cover it, a rule that
// allows editing the file does, and so does a bare Bash inside the directories.
func TestS14_RedirectionsNeedTheirOwnAllow(t *testing.T) {
	words := newWorld(t, lists{Allow: []string{"Bash(tk:*)", "Edit(/out/**)"}})
	words.want(words.bash("tk a > log.txt"), ask, permission.ByNoRule)
	words.want(words.bash("tk a > out/log.txt"), allow, permission.ByRule)
	words.want(words.bash("tk a > out/../log.txt"), ask, permission.ByNoRule)
	words.want(words.bash("tk a > out/log.txt 2> err.txt"), ask, permission.ByNoRule)
	words.want(words.bash("cd out && tk a > log.txt"), allow, permission.ByRule)
	words.want(words.bash("tk a > \"$F\""), ask, permission.ByNoRule)
	bare := newWorld(t, lists{Allow: []string{"Bash"}})
	bare.want(bare.bash("tk a > log.txt"), allow, permission.ByRule)
	bare.want(bare.bash("tk a > /elsewhere/log.txt"), ask, permission.ByNoRule)
	bare.want(bare.bash("tk a > \"$F\""), ask, permission.ByNoRule)
	bare.want(bare.bash("cd /elsewhere; tk a > log.txt"), ask, permission.ByOutside)
}
