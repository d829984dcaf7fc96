package shell_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
	"pgregory.net/rapid"
)

func TestProtected(t *testing.T) {
	t.Parallel()
	yes := []string{
		".git", ".git/", ".git/config", "./.git/config", "a/b/.git/hooks/x", "/abs/.git", "~/.git/x", ".GIT/config", ".Git/HEAD",
		".claude", ".claude/settings.json", ".CLAUDE/x", ".assent/state.db", ".vscode/tasks.json", ".idea/x", ".husky/pre-commit",
		".gitconfig", "~/.gitconfig", "a/.gitmodules", ".mcp.json", "~/.claude.json", ".ripgreprc",
		"~/.bashrc", ".BASHRC", "/root/.profile", "/home/u/.zshrc", ".zshenv", ".zprofile", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases",
		".zlogin", ".zlogout", ".kshrc", "~/.config/fish/config.fish", "~/.config/fish/conf.d/x.fish",
		".git\xff", ".g\xfe/config", ".\xfe", ".\xff/x", "\xff.git/config", "a\xff/.git/x", ".claude\xff/settings.json", ".bash\xfe",
		".git::$INDEX_ALLOCATION/config", ".git:x", ".bashrc::$DATA", ".git::\xff/config", ".git. :x/y", "fish/config.fish:x", ".g\xfe:x/y",
		".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json", ".qwen/x", ".factory/x", "~/.copilot/config.json", ".opencode/plugin/x.js", ".kilo/x",
		".kilocode/x", "~/.cline/hooks/PreToolUse", ".pi/extensions/x.ts", "opencode.json", "a/opencode.jsonc", "OpenCode.json", "kilo.json", "kilo.jsonc",
		".github/hooks", ".github/hooks/x.json", ".GitHub/Hooks/x", ".github/copilot/settings.json", ".github/h\xfe", ".github/\xfe", ".clinerules/hooks/x",
		"~/Documents/Cline/Hooks/x", "~/.config/opencode/opencode.json", "~/.config/kilo", "~/.config/opencode",
		"/etc/claude-code/managed-settings.json", "/etc/claude-code", "/etc/codex/requirements.toml", "/etc/gemini-cli/settings.json", "/etc/cursor/hooks.json",
		"/etc/github-copilot/policy.d/x.json", "/etc/qwen-code/settings.json", "/etc/factory/settings.json", "/etc/opencode/x", "/etc/assent/managed-settings.json",
		"/private/etc/codex/x", "/Library/Application Support/ClaudeCode/managed-settings.json", "/Library/Application Support/GeminiCli/settings.json",
		"/Library/Managed Preferences/com.openai.codex.plist", `C:\ProgramData\ClaudeCode\managed-settings.json`, `C:\Program Files\ClaudeCode\x`,
		"/mnt/c/ProgramData/gemini-cli/settings.json", `.git\hooks\pre-commit`, `a\.claude\x`, "/etc/\xfe", "/etc/cod\xff/x",
		"/etc//assent/managed-settings.json", "/etc/./claude-code", ".config//git/config", ".github/./hooks/x", ".github/x/../hooks", ".config/git/.", ".github//\xfe",
		".g\u200cit/config", ".git./config", ".git /config", "git~1/config", ".ba\u200bshrc/../.git",
	}
	for _, path := range yes {
		if !shell.Protected(path) {
			t.Errorf("not protected: %q", path)
		}
	}
	no := []string{
		"", ".", "..", "/", "~", "a", "git", "git/config", ".github", ".github/workflows/ci.yml", ".gitignore", ".gitkeep", ".gitattributes", "a.git/config",
		"claude/settings.json", ".claudeignore", ".claude.md", "docs/.gitbook/x", ".bashrc.d/x", "bashrc", "my.bashrc", "profile", ".profiles/x", "x/.zsh_history",
		"\xff", "\xfe", "\xff/config", "\xfe/config", "a\xff", "\xff.txt", ".env", ".env.\xff", ".e\xfe", "fish/x", "config.fish", ".vscode-test/x", "repo\xff.git/config",
		".gitx:y/config", "a:.git", ".x:.git/y", ".:x", ":", ".env:.git",
		".github/hooks.md", ".github/webhooks/x", "hooks/x", "opencode.md", "opencode/x", "opencode.json/x", "src/gemini/x", "codex/x", "/etc/hosts", "/etc/codex2/x",
		"/etc/\xff", "~/.config/\xff/x", "~/.config/foo/x", "~/.config", "/etc", ".github/\xff/x", "etc", "fish", "documents/x", "Program Files/x", `a\b`, "application support",
		".git2/x", ".idea2", "..git/x", ". git",
	}
	for _, path := range no {
		if shell.Protected(path) {
			t.Errorf("protected: %q", path)
		}
	}
}

// TestProtectedAtAnyDepth: neither what stands before nor what follows changes it,
// and letter case does not matter.
func TestProtectedAtAnyDepth(t *testing.T) {
	t.Parallel()
	names := rapid.StringMatching(`[a-z]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(names, 0, 40).Draw(t, "before")
		after := rapid.SliceOfN(names, 0, 5).Draw(t, "after")
		dir := rapid.SampledFrom([]string{".git", ".claude", ".Assent", ".vsCode", ".IDEA", ".husky", ".Gemini", ".codex", ".github/hooks"}).Draw(t, "dir")
		path := strings.Join(append(append(before, dir), after...), "/")
		if !shell.Protected(path) {
			t.Fatalf("not protected: %q", path)
		}
		if len(shell.Parse("echo x > "+path).Danger()) == 0 {
			t.Fatalf("writing it is not dangerous: %q", path)
		}
	})
}

func TestProtectedTakesNoLongForMarks(t *testing.T) {
	t.Parallel()
	// Exponential matching would never come to an end.
	if shell.Protected("." + strings.Repeat("\xff\xfe", 5000) + "#") {
		t.Error("protected although it ends in #")
	}
}

func BenchmarkProtected(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if shell.Protected("/home/me/project/src/internal/server/handler.go") {
			b.Fatal("protected")
		}
	}
}
