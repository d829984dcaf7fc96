package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func (w *world) dropIn(name string) string { return filepath.Join(w.root, "etc", "managed.d", name) }

// TestS46_FilesBesideTheAdministratorsCount: what is in the directory of further files holds like
// the file itself, the last one first; hidden files and those of other kinds are none.
func TestS46_FilesBesideTheAdministratorsCount(t *testing.T) {
	w := newWorld(t)
	w.put(rule.PolicySettings, `{"permissions": {"deny": ["Bash(base)"], "defaultMode": "acceptEdits"}}`)
	w.write(w.dropIn("10-a.json"), `{"permissions": {"deny": ["Bash(a)"], "defaultMode": "plan"}}`)
	w.write(w.dropIn("20-b.json"), `{"permissions": {"blockReadsOutsideWorkingDirectories": true, "defaultMode": "dontAsk"}}`)
	w.write(w.dropIn(".hidden.json"), denyFile("Bash(hidden)"))
	w.write(w.dropIn("30-c.json.bak"), "{")
	s := w.load()
	if got, want := rules(s), []string{"policySettings deny Bash(a)", "policySettings deny Bash(base)"}; !slices.Equal(got, want) {
		t.Errorf("the rules are %v, want %v", got, want)
	}
	if c := s.Config(); !c.BlockReads || c.Mode != permission.DontAsk {
		t.Errorf("the limits are %+v, the mode is %v", c.Limits, c.Mode)
	}
	if !slices.ContainsFunc(s.Protected(), func(p permission.Place) bool { return p.Path == filepath.Join(w.root, "etc", "managed.d") }) {
		t.Errorf("the directory is not protected: %v", s.Protected())
	}
}

// TestS46_ABrokenFileBesideTheAdministratorsStopsTheStart, and so does a directory of which nobody
// can say what is in it.
func TestS46_ABrokenFileBesideTheAdministratorsStopsTheStart(t *testing.T) {
	for name, prepare := range map[string]func(w *world){
		"broken":  func(w *world) { w.write(w.dropIn("10-a.json"), "{") },
		"a limit": func(w *world) { w.write(w.dropIn("10-a.json"), `{"strictPluginOnlyCustomization": true}`) },
		"a directory for a file": func(w *world) {
			w.write(w.dropIn("10-a.json/x"), "")
		},
		"a file for the directory": func(w *world) { w.write(filepath.Join(w.root, "etc", "managed.d"), "") },
		"a link to nowhere": func(w *world) {
			w.write(w.ManagedFiles[0], "{}")
			if err := os.Symlink("gone", filepath.Join(w.root, "etc", "managed.d")); err != nil {
				w.t.Fatal(err)
			}
		},
		"servers": func(w *world) { w.write(filepath.Join(w.root, "etc", "managed-mcp.json"), `{"mcpServers": []}`) },
	} {
		w := newWorld(t)
		prepare(w)
		if _, err := Load(w.Options); err == nil || !strings.Contains(err.Error(), filepath.Join(w.root, "etc")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestS46_WatchNoticesFurtherFilesOfTheAdministrator(t *testing.T) {
	w := newWorld(t)
	n := w.watch(w.load())
	w.write(w.dropIn("10-a.json"), denyFile("Bash(a)"))
	n.untilRules("directory made", "policySettings deny Bash(a)")
	w.write(w.dropIn("20-b.json"), denyFile("Bash(b)"))
	n.untilRules("one more", "policySettings deny Bash(a)", "policySettings deny Bash(b)")
	if err := os.Remove(w.dropIn("10-a.json")); err != nil {
		t.Fatal(err)
	}
	n.untilRules("one less", "policySettings deny Bash(b)")
}

// TestS46_ManagedServersAreTheOnlyOnes: where the administrator has a file of servers, no other
// server is used, whatever lists allow.
func TestS46_ManagedServersAreTheOnlyOnes(t *testing.T) {
	w := newWorld(t)
	w.write(filepath.Join(w.root, "etc", "managed-mcp.json"), `{"mcpServers": {"own": {"url": "https://own.test"}}}`)
	w.put(rule.PolicySettings, `{"allowedMcpServers": [{"serverName": "pay"}]}`)
	w.put(rule.UserSettings, `{"deniedMcpServers": [{"serverName": "bad"}]}`)
	w.StartsServers = true
	s := w.load()
	for server, refused := range map[string]bool{"pay": true, "web": true, "own": false, "bad": true} {
		m := MCPServer{Name: server, URL: "https://" + server + ".test", Managed: server == "own" || server == "bad"}
		if why := s.ServerRefused(m); (why != "") != refused {
			t.Errorf("%s is refused: %q, want %v", server, why, refused)
		}
	}
	if why := s.ServerRefused(MCPServer{Name: "web", URL: "https://web.test"}); !strings.Contains(why, "allowedMcpServers") && !strings.Contains(why, "managed-mcp.json") {
		t.Errorf("it is not said where that stands: %s", why)
	}
	if i := slices.IndexFunc(s.Files, func(f File) bool { return len(f.MCPServers.JSON) > 0 }); i < 0 || s.Files[i].Source != rule.PolicySettings {
		t.Errorf("its own servers are not offered: %v", s.Files)
	}
	w.StartsServers = false
	lists := w.load().Config().Servers
	if len(lists) != 2 || !slices.Equal(lists[1].Names, []string{"own"}) || lists[1].Place != filepath.Join(w.root, "etc", "managed-mcp.json") {
		t.Errorf("for who sees only names: %+v", lists)
	}
}

func TestVendorManaged(t *testing.T) {
	for system, want := range map[string]string{"linux": "/etc/claude-code/", "darwin": "/Library/Application Support/ClaudeCode/", "windows": `C:\Program Files\ClaudeCode\`} {
		if got := vendorManaged(system); got != want+"managed-settings.json" {
			t.Errorf("%s: %s", system, got)
		}
	}
}
