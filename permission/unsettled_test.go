package permission_test

import (
	"slices"
	"testing"
)

// TestP4_Unsettled: all the parts of a command about which nobody has said anything are
// listed, not only the first, and those that a rule wants asked.
func TestP4_Unsettled(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(make:*)", "Bash(echo:*)"}, Ask: []string{"Bash(git push:*)"}})
	for command, want := range map[string][]string{
		"make check && npm test && git push": {"npm test", "git push"},
		"npm test; ls; npm run x":            {"npm test", "npm run x"},
		"ls && cat a":                        nil,
		"make && echo x > a.txt":             {"echo x"},
		"timeout 5 npm test; sudo git push":  {"npm test", "sudo git push", "git push"},
		"echo $(npm test)":                   {"npm test"},
		"echo 'unterminated":                 nil,
	} {
		var got []string
		for _, part := range w.engine.Unsettled(w.ctx, w.validate("Bash", map[string]any{"command": command})) {
			got = append(got, part.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	all := newWorld(t, lists{Allow: []string{"Bash"}})
	if got := all.engine.Unsettled(all.ctx, all.validate("Bash", map[string]any{"command": "npm test && make"})); got != nil {
		t.Errorf("a rule allows everything, and %v is left", got)
	}
	if got := all.engine.Unsettled(all.ctx, all.validate("Read", map[string]any{"file_path": "a"})); got != nil {
		t.Errorf("a file has parts: %v", got)
	}
}
