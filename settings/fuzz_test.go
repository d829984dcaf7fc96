package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Loading never panics; whatever is accepted has every deny text in force or
// reported; an untrusted workspace allows nothing; and it can be patched.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		"", "{}", greedy, commented, `{"permissions": {"deny": ["Bash(a", "Read(x)", ""], "allow": ["Bash"]}}`,
		`{"permissions": {"deny": ["Bash(x)"]}, "permissions": {}}`, "\xef\xbb\xbf{} // x", `{"Permissions": {}}`,
		"{\"permissions\": {\"deny\": [\"Bash(\\u0061)\", // c\n]}}", `{"permissions": {"defaultMode": "yolo"}}`,
	} {
		f.Add([]byte(seed))
	}
	root := f.TempDir()
	o := Options{Dir: root, Home: filepath.Join(root, "home"), ManagedFiles: []string{}}
	path := filepath.Join(root, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Load(o)
		if err != nil {
			return
		}
		for _, text := range denyTexts(t, data) {
			if !accounted(s, text) {
				t.Errorf("deny %q is neither in force nor reported", text)
			}
		}
		for _, r := range s.Config().Rules {
			if r.Behavior == rule.Allow {
				t.Errorf("an untrusted workspace allows %s", r.Text)
			}
		}
		p, err := locate(o)
		if err != nil {
			t.Fatal(err)
		}
		u := ruleUpdate(permission.AddRules, rule.Deny, "Bash(fuzzed)")
		patched, err := p.patch(path, data, rule.ProjectSettings, []permission.Update{u})
		if err != nil {
			t.Fatalf("cannot be patched: %v", err)
		}
		if got, want := strings.Join(denyTexts(t, patched), "\x00"), strings.Join(denyTexts(t, data), "\x00"); !strings.HasPrefix(got, want) {
			t.Errorf("patching lost a rule: %q, had %q", got, want)
		}
	})
}

// denyTexts reads the deny list the way another program would.
func denyTexts(t *testing.T, data []byte) []string {
	data = append([]byte(strings.TrimPrefix(string(data), "\xef\xbb\xbf")), '\n')
	plain, err := hujson.Standardize(data)
	if err != nil {
		t.Fatalf("accepted, but another reader says %v", err)
	}
	var all struct {
		Permissions struct {
			Deny []string `json:"deny"`
		} `json:"permissions"`
	}
	if err := json.Unmarshal(plain, &all); err != nil {
		t.Fatalf("accepted, but another reader says %v", err)
	}
	return all.Permissions.Deny
}

func accounted(s *Settings, text string) bool {
	for _, r := range s.Config().Rules {
		if r.Text == text && (r.Behavior == rule.Deny || r.Quarantined) {
			return true
		}
	}
	for _, r := range s.Reports {
		if r.Kind == MalformedRule && strings.Contains(r.Text, visible(text)) {
			return true
		}
	}
	return false
}
