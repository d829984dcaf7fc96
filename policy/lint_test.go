package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// lintFiles lints a workspace made of files, which are relative to a directory that
// is also the home directory's parent.
func lintFiles(t *testing.T, files map[string]string) []Finding {
	t.Helper()
	top := t.TempDir()
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	for _, dir := range []string{"home", "proj"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text = strings.ReplaceAll(text, "$TOP", top)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := settings.Load(settings.Options{
		Dir: filepath.Join(top, "proj"), Home: filepath.Join(top, "home"), ManagedFiles: []string{}, TrustWorkspace: true, KeepsLimits: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range tool.Builtin() {
		names = append(names, d.Name())
	}
	return Lint(s, LintOptions{Tools: names, Exists: func(path string) bool { _, err := os.Stat(path); return err == nil }, ReadFile: os.ReadFile})
}

// Each case is one rule on line 2 of the project's settings, and the findings it
// must lead to: "severity code".
func TestLintOneRule(t *testing.T) {
	for _, c := range []struct {
		list, rule string
		want       []string
		fix        string
	}{
		// as they should be
		{"allow", "Bash(npm test:*)", nil, ""},
		{"allow", "Bash(git commit *)", nil, ""},
		{"allow", "Bash(go build ./...)", nil, ""},
		{"allow", "Bash(npm run build)", nil, ""},
		{"allow", "Edit(/src/**)", nil, ""},
		{"allow", "Edit(/src/*.test.*)", nil, ""},
		{"allow", "Read(~/docs/**)", nil, ""},
		{"allow", "Read(//etc/hosts)", nil, ""},
		{"allow", "WebFetch(domain:example.com)", nil, ""},
		{"allow", "mcp__pay__get_*", nil, ""},
		{"allow", "Bash(ls .*)", nil, ""},
		{"allow", "Bash(sed -n 5p f)", nil, ""},
		{"deny", "Bash(rm:*)", nil, ""},
		{"deny", "Read(.env)", nil, ""},
		{"deny", "Edit(*.lock)", nil, ""},
		{"deny", "Bash(curl *)", nil, ""},
		{"deny", "Bash(sudo *)", nil, ""},
		{"allow", "Edit(/tmp/**)", []string{"warning single-slash"}, "did you mean Edit(//tmp/**)?"},
		{"allow", "Edit(/lib/**)", nil, ""}, // the project has a lib

		// anchors
		{"deny", "Read(/home/me/.ssh/**)", []string{"warning single-slash"}, "did you mean Read(//home/me/.ssh/**)?"},
		{"deny", "Read(/Users/me/x)", []string{"warning single-slash"}, "did you mean Read(//Users/me/x)?"},
		{"deny", "Edit(/etc/**)", []string{"warning single-slash"}, "did you mean Edit(//etc/**)?"},
		{"deny", "Edit($TOP/proj/x)", []string{"warning single-slash"}, ""},
		{"deny", `Read(C:\\Users\\me\\x)`, []string{"warning windows-path"}, ""},
		{"deny", "Read(C:/Users/me)", []string{"warning windows-path"}, ""},
		{"deny", "Read($HOME/.ssh/**)", []string{"warning variable-in-path"}, ""},
		{"deny", "Read(~root/x)", []string{"warning tilde-name"}, "write Read(~/root/x)"},

		// regular expressions
		{"deny", "Bash(git.*)", []string{"warning regex"}, "write Bash(git:*)"},
		{"deny", "Bash(^rm .*)", []string{"warning regex"}, "write Bash(rm:*)"},
		{"deny", "Bash(npm test$)", []string{"warning regex"}, ""},
		{"deny", `Bash(rm\\s+-r)`, []string{"warning regex"}, ""},
		{"deny", "Bash((npm|yarn) publish)", []string{"warning regex"}, ""},
		{"deny", "Bash(rm [a-z]+)", []string{"warning regex"}, ""},
		{"allow", "Bash(cat config.*)", []string{"info regex"}, ""},
		{"deny", "Read(^/etc)", []string{"warning regex"}, ""},

		// malformed
		{"deny", "Bash(rm", []string{"error malformed-rule"}, "did you mean Bash(rm)?"},
		{"allow", "bash(ls)", []string{"error malformed-rule"}, "did you mean Bash(ls)?"},
		{"deny", "WebFetch(https://x.y)", []string{"error malformed-rule"}, ""},

		// tools
		{"deny", "Raed(x)", []string{"warning unknown-tool"}, "did you mean Read(x)?"},
		{"deny", "BashTool", []string{"info unknown-tool"}, ""},
		{"deny", "mcp_pay_refund", []string{"warning unknown-tool"}, ""},
		{"deny", "MultiEdit(x)", []string{"info former-tool"}, ""},
		{"deny", "Write(.env)", []string{"warning write-only"}, "write Edit(.env), which covers every tool that writes"},
		{"deny", "Write", []string{"warning write-only"}, "write Edit, which covers every tool that writes"},
		{"allow", "Write(docs/**)", nil, ""},

		{"deny", " Raed( x )", []string{"warning unknown-tool"}, "did you mean Read(x)?"},
		{"deny", "WebFech(x)", []string{"warning unknown-tool"}, ""},
		{"deny", "mcp__pay__refund(17)", []string{"warning mcp-content"}, "write mcp__pay__refund"},
		{"allow", "mcp__pay(*)", nil, ""},

		// parameters
		{"deny", "mcp__pay__refund(amount:>500)", nil, ""},
		{"deny", "mcp__pay__refund(amount:>much)", []string{"error malformed-rule"}, "write amount:500 for that number, or amount:>500 with >, >=, < or <="},
		{"deny", "Agent(model:opus)", nil, ""},
		{"deny", "Agent(modell:opus)", []string{"warning unknown-parameter"}, "did you mean Agent(model:opus)?"},
		{"deny", "Agent(plugin:reviewer)", nil, ""},
		{"ask", "Skill(plugin:deploy)", nil, ""},
		{"deny", "Bash(run_in_background:true)", nil, ""},
		{"deny", "Bash(run_in_backgroud:true)", []string{"warning unknown-parameter"}, "did you mean Bash(run_in_background:true)?"},
		{"deny", "Bash(background:true)", []string{"warning unknown-parameter"}, "Bash has command, timeout, description, run_in_background, dangerouslyDisableSandbox"},
		{"deny", "Bash(run_in_background:yes)", []string{"warning unknown-parameter"}, "write Bash(run_in_background:true)"},
		{"deny", "Bash(run_in_background :true)", []string{"warning unknown-parameter"}, "write Bash(run_in_background:true)"},
		{"deny", "Agent(model :opus)", []string{"warning unknown-parameter"}, "write Agent(model:opus)"},
		{"deny", "Bash(timeout :5)", nil, ""},
		{"deny", "Bash(timeout:>5)", []string{"warning unknown-parameter"}, "write Bash(timeout:500)"},
		{"ask", "Read(limit:ten)", []string{"warning unknown-parameter"}, "write Read(limit:500)"},
		{"deny", "Grep(output_mode:contents)", []string{"warning unknown-parameter"}, "write Grep(output_mode:content)"},
		{"deny", "Grep(output_mode:c*)", nil, ""},
		{"deny", "Bash(npm run build:all)", nil, ""},
		{"deny", "Bash(command:rm *)", nil, ""},
		{"allow", "Bash(command:npm *)", []string{"warning unknown-parameter"}, "write what the Bash rule itself covers, without command:"},
		{"allow", "Bash(timeout:5000)", nil, ""},
		{"deny", "Read(limt:5)", []string{"warning unknown-parameter"}, "did you mean Read(limit:5)?"},
		{"allow", "Read(limit:5)", nil, ""},
		{"deny", "Read(file_path:/home/me/x)", nil, ""},
		{"deny", "Write(content:*secret*)", nil, ""},
		{"deny", "KillShell(id:5)", []string{"warning unknown-parameter"}, "KillShell has shell_id"},
		{"deny", "TodoWrite(x)", []string{"warning unknown-parameter"}, "TodoWrite has todos"},
		{"deny", "WebFetch(prompt:*key*)", nil, ""},

		// every file
		{"allow", "Read(*)", []string{"warning broad-allow"}, "write Read(**) for the project, or Read if you mean every file"},
		{"allow", "Edit( * )", []string{"warning broad-allow"}, ""},
		{"allow", "Write(*)", []string{"warning broad-allow"}, ""},
		{"allow", "Read(**)", nil, ""},
		{"allow", "Read", nil, ""},
		{"deny", "Read(*)", nil, ""},

		// invisible
		{"deny", "Bash(git\\u200b push)", []string{"warning invisible"}, ""},
		{"allow", "Edit(/src/\\u202egpj.exe)", []string{"warning invisible"}, ""},
		{"deny", "Read(\\u00a0.env)", []string{"warning invisible"}, ""},
		{"deny", "Bash(echo héllo 世界)", nil, ""},

		// broad
		{"allow", "Bash", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(sudo:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(bash:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(bash -c *)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(python3:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(node *)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(env *)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(xargs *)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(ssh:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(awk:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(sed *)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(timeout:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(docker exec web:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(curl:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(cat:*)", nil, ""},
		{"allow", "Bash(rg:*)", nil, ""},
		{"allow", "Bash(git:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(rm:*)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(* --version)", []string{"warning broad-allow"}, ""},
		{"allow", "Bash(ls*)", []string{"warning open-word"}, "write Bash(ls:*)"},
		{"allow", "Bash(sudo systemctl restart web)", nil, ""},

		// never match
		{"allow", "Bash(npm test && npm run build)", []string{"warning compound"}, ""},
		{"allow", "Bash(cat x | head)", []string{"warning compound"}, ""},
		{"deny", "Bash(echo $(rm x))", []string{"warning compound"}, ""},
		{"allow", "Bash(echo x > y)", []string{"warning redirect"}, ""},
		{"allow", "Bash(FOO=1 npm test)", []string{"warning assignment"}, ""},
		{"allow", `Bash(git commit -m \"wip\")`, []string{"warning quotes"}, "write Bash(git commit -m wip)"},
		{"deny", "Bash(git  push)", []string{"warning blanks"}, ""},

		// evaded
		{"deny", "Bash(rm -rf:*)", []string{"info option-spelling"}, ""},
		{"deny", "Bash(git push --force:*)", []string{"info option-order"}, ""},
		{"ask", "Bash(git push -f *)", []string{"info option-order"}, ""},
	} {
		text := fmt.Sprintf("{\"permissions\": {%q: [\n\"%s\"\n]}}", c.list, c.rule)
		var got []string
		var fixes []string
		for _, f := range lintFiles(t, map[string]string{"proj/.claude/settings.json": text, "proj/lib/x": ""}) {
			got = append(got, f.Severity.String()+" "+f.Code)
			fixes = append(fixes, f.Fix)
			if f.Line != 2 || f.Fix == "" || f.Text == "" || !strings.HasSuffix(f.File, "settings.json") {
				t.Errorf("%s: incomplete finding %+v", c.rule, f)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s: got %q, want %q", c.list, c.rule, got, c.want)
		}
		if c.fix != "" && !slices.Contains(fixes, c.fix) {
			t.Errorf("%s: got fixes %q, want %q", c.rule, fixes, c.fix)
		}
	}
}

func TestLintShadows(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string // "line severity code"
	}{
		{"a deny covers an allow", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": [
				"Bash(git push origin main)",
				"Bash(git push:*)",
				"Bash(git fetch:*)"
			],
			"deny": [
				"Bash(git push:*)"
			]}}`}, []string{"3 warning shadowed", "4 warning shadowed"}},
		{"a narrower deny does not", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["Bash(npm run *)"],
			"deny": ["Bash(npm run deploy)"]}}`}, nil},
		{"an ask covers an allow", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["Bash(npm test)"],
			"ask": ["Bash(npm:*)"]}}`}, []string{"2 warning shadowed"}},
		{"a deny covers an ask", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"ask": ["Bash(npm test)"],
			"deny": ["Bash(npm*)"]}}`}, []string{"2 info shadowed"}},
		{"another file's deny counts", map[string]string{
			"proj/.claude/settings.json": `{"permissions": {"allow": [
				"Read(//etc/hosts)"]}}`,
			"home/.claude/settings.json": `{"permissions": {"deny": ["Read(//etc/**)"]}}`,
		}, []string{"2 warning shadowed"}},
		{"a slash means something else in the user's settings", map[string]string{
			"proj/.claude/settings.json": `{"permissions": {"allow": ["Edit(/src/**)"]}}`,
			"home/.claude/settings.json": `{"permissions": {"deny": ["Edit(/src/**)"]}}`,
		}, []string{"1 warning user-anchor"}},
		{"a Read deny stops edits", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["Edit(/secrets/x.json)", "Edit(/secrets/**)", "Edit(/src/**)"],
			"deny": ["Read(/secrets/**)"]}}`}, []string{"2 warning shadowed", "2 warning shadowed"}},
		{"a whole tool", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["WebFetch(domain:example.com)", "mcp__pay__refund", "mcp__mail__*"],
			"deny": ["WebFetch", "mcp__pay"]}}`}, []string{"2 warning shadowed", "2 warning shadowed"}},
		{"domains", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["WebFetch(domain:api.example.com)", "WebFetch(domain:example.com)", "WebFetch(domain:*.api.example.com)"],
			"deny": ["WebFetch(domain:*.example.com)"]}}`}, []string{"2 warning shadowed", "2 warning shadowed"}},
		{"any depth", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["Read(/a/.env)", "Edit(*.md)"],
			"deny": ["Read(.env)", "Edit(docs/**)"]}}`}, []string{"2 warning shadowed"}},
		{"duplicates", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["Bash(npm test)",
				"Bash( npm test )"]}}`}, []string{"3 warning duplicate"}},
		{"redundant", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["Bash(npm run:*)",
				"Bash(npm run build)", "Edit(/src/a.go)", "Edit(/src/**)"]}}`}, []string{"3 info redundant", "3 info redundant"}},
		{"files are not trees", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"allow": ["Edit(/src/*)", "Edit(/src/a/**)"]}}`}, nil},
		{"the same in two files is no mistake", map[string]string{
			"proj/.claude/settings.json":       `{"permissions": {"allow": ["Bash(npm test)"]}}`,
			"proj/.claude/settings.local.json": `{"permissions": {"allow": ["Bash(npm test)"]}}`,
		}, nil},
		{"in the order of the lines", map[string]string{"proj/.claude/settings.json": `{"permissions": {
			"deny": [
				"Bash(rm"],
			"allow": [
				"Bash(git.*)",
				"Bash(ls*)"],
			"defaultMode": "yolo"}}`}, []string{"3 error malformed-rule", "5 warning regex", "6 warning open-word", "7 error unknown-mode"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range lintFiles(t, c.files) {
				got = append(got, fmt.Sprintf("%d %s %s", f.Line, f.Severity, f.Code))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
