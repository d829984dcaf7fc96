package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/settings"
)

// TestS46_WhereHTTPHooksGo: a hook to an address that is not listed, or that needs a variable which
// may not be sent, is broken; what it would have judged is denied.
func TestS46_WhereHTTPHooksGo(t *testing.T) {
	const hooks = `"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "https://hooks.test/a", "headers": {"X": "$TOKEN"}, "allowedEnvVars": ["TOKEN", "MORE"]}]}]}`
	for name, c := range map[string]struct {
		user, managed, project string
		broken                 int
	}{
		"no list":                         {user: hooks},
		"it is listed":                    {user: hooks + `, "allowedHttpHookUrls": ["https://hooks.test/*"]`},
		"it is listed elsewhere":          {user: hooks + `, "allowedHttpHookUrls": ["https://x.test/*"]`, managed: `"allowedHttpHookUrls": ["https://hooks.test/a"]`},
		"it is not":                       {user: hooks + `, "allowedHttpHookUrls": ["https://x.test/*"]`, broken: 1},
		"no address at all":               {user: hooks, managed: `"allowedHttpHookUrls": []`, broken: 1},
		"its variable is not":             {user: hooks + `, "httpHookAllowedEnvVars": ["MORE"]`, broken: 1},
		"another variable is not":         {user: hooks + `, "httpHookAllowedEnvVars": ["TOKEN"]`},
		"a managed hook, the user's list": {managed: hooks, user: `"allowedHttpHookUrls": []`},
		"a managed hook, a managed list":  {managed: hooks + `, "allowedHttpHookUrls": []`, broken: 1},
		"an unknown workspace opens":      {user: hooks + `, "allowedHttpHookUrls": ["https://x.test/*"]`, project: `"allowedHttpHookUrls": ["https://hooks.test/*"]`, broken: 1},
		"an unknown workspace closes":     {user: hooks, project: `"allowedHttpHookUrls": []`, broken: 1},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			o := settings.Options{Dir: filepath.Join(root, "work"), Home: filepath.Join(root, "home"), ManagedFiles: []string{filepath.Join(root, "managed.json")}}
			for file, text := range map[string]string{"managed.json": c.managed, "home/.claude/settings.json": c.user, "work/.claude/settings.json": c.project} {
				file = filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("{"+text+"}"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, err := settings.Load(o)
			if err != nil {
				t.Fatal(err)
			}
			entries, reports := Hooks(s)
			broken := 0
			for _, e := range entries {
				if e.Defect != "" {
					broken++
				}
			}
			if len(entries) != 1 || broken != c.broken {
				t.Errorf("%d of %d hooks are broken, want %d", broken, len(entries), c.broken)
			}
			said := slices.ContainsFunc(reports, func(r hook.Report) bool { return strings.Contains(r.Text, "does not run") })
			if said != (c.broken > 0) {
				t.Errorf("reports %v", reports)
			}
		})
	}
}
