package assent_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assent-dev/assent"
)

// TestK1_RelativePaths start where the process is, whatever the session's directory.
func TestK1_RelativePaths(t *testing.T) {
	p := newPlace(t)
	here := t.TempDir()
	t.Chdir(here)
	put(t, filepath.Join(here, "deny.json"), `{"permissions":{"deny":["Bash(touch:*)"]}}`)
	put(t, filepath.Join(here, "servers.json"), `{"mcpServers":{}}`)
	put(t, filepath.Join(here, "script.yaml"), touches("made"))
	_, result := watch(t, "make it", []assent.Option{
		assent.Dir(p.dir), assent.Home("home"), assent.StateDir("state"), assent.Model("script:script.yaml"),
		assent.Settings("deny.json"), assent.MCPConfig("servers.json"), assent.Allow("Bash(touch:*)"),
	})
	if p.exists("made") || len(result.Denials) != 1 {
		t.Errorf("%+v", result)
	}
	if _, err := os.Stat(filepath.Join(here, "state", "sessions")); err != nil {
		t.Error(err)
	}
	flags, err := assent.ExternalFlags(assent.External("program"), assent.Dir(p.dir), assent.Settings("deny.json"), assent.Classifier("script:script.yaml"))
	now, wdErr := os.Getwd()
	if err != nil || wdErr != nil {
		t.Fatal(err, wdErr)
	}
	for _, want := range []string{"--settings=" + filepath.Join(now, "deny.json"), "--classifier=script:" + filepath.Join(now, "script.yaml")} {
		if !slices.Contains(flags, want) {
			t.Errorf("%q lacks %s", flags, want)
		}
	}
}
