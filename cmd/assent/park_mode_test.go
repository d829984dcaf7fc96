package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The mode of a session that goes on is the one it had, whatever settings say about new
// sessions; bypassPermissions has to be asked for each time, and what the command line says
// wins. Whoever goes on is told, on standard error and in the stream, also with the first
// message of it. Whether a file is made shows which mode holds.
func TestD6_TheModeOfASessionThatGoesOn(t *testing.T) {
	t.Parallel()
	const notRestored, restored, other = "bypassPermissions, which is not restored", "goes on in permission mode acceptEdits, which it was in", "as the command line says"
	for name, tt := range map[string]struct {
		saved    []string
		settings string // what defaultMode says
		resume   []string
		mode     string
		warns    string
		writes   bool
	}{
		"the saved mode":                    {[]string{"--permission-mode", "acceptEdits"}, "", nil, "acceptEdits", restored, true},
		"S26: it beats defaultMode":         {[]string{"--permission-mode", "acceptEdits"}, "plan", nil, "acceptEdits", restored, true},
		"S26: default beats defaultMode":    {[]string{"--permission-mode", "default"}, "acceptEdits", nil, "default", "", false},
		"bypass is not restored":            {[]string{"--dangerously-skip-permissions"}, "", nil, "default", notRestored, false},
		"nor by defaultMode":                {[]string{"--dangerously-skip-permissions"}, "bypassPermissions", nil, "default", notRestored, false},
		"bypass is asked for again":         {[]string{"--dangerously-skip-permissions"}, "", []string{"--dangerously-skip-permissions"}, "bypassPermissions", "", true},
		"another mode on the command line":  {[]string{"--permission-mode", "acceptEdits"}, "", []string{"--permission-mode", "plan"}, "plan", other, false},
		"from default to one that permits":  {[]string{"--permission-mode", "default"}, "plan", []string{"--permission-mode", "acceptEdits"}, "acceptEdits", other, true},
		"the same mode on the command line": {[]string{"--permission-mode", "acceptEdits"}, "plan", []string{"--permission-mode", "acceptEdits"}, "acceptEdits", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			if said, complained, status := p.short(append([]string{"--session-id", chosenID}, append(tt.saved, "--", "x")...)...); status != 0 {
				t.Fatal(said, complained)
			}
			args := []string{"-p", "--resume", chosenID, "--model", p.playing("w.yaml", "turns:\n  - call: {Write: {file_path: "+filepath.Join(p.dir, "made")+", content: x}}\nafterwards: Done.\n"), "--output-format", "stream-json", "--verbose"}
			if tt.settings != "" {
				args = append(args, "--settings", `{"permissions":{"defaultMode":"`+tt.settings+`"}}`)
			}
			said, complained, status := p.say(append(append(args, tt.resume...), "--", "go on")...)
			if status != 0 || !strings.Contains(said, `"permissionMode":"`+tt.mode+`"`) || p.has("made") != tt.writes {
				t.Errorf("exit status %d, made: %v, complained %q, said %.900s", status, p.has("made"), complained, said)
			}
			first, _, _ := strings.Cut(said, "\n")
			if tt.warns == "" {
				if complained != "" || strings.Contains(said, `"level":"warning"`) {
					t.Errorf("complained %q, said %s", complained, first)
				}
				return
			}
			if !strings.Contains(complained, tt.warns) || !strings.Contains(first, `"level":"warning"`) || !strings.Contains(first, tt.warns) {
				t.Errorf("complained %q, said %s", complained, first)
			}
		})
	}
}

// A parked call is judged in the restored mode: what bypassPermissions would have let run
// waits when it is not asked for again.
func TestS26_AParkedCallIsJudgedInTheRestoredMode(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		resume []string
		runs   bool
	}{
		"not asked for again": {nil, false}, "asked for again": {[]string{"--dangerously-skip-permissions"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			flags := p.deferring()
			if _, complained, status := p.say(append(append([]string{"-p", "--session-id", chosenID, "--dangerously-skip-permissions", "--model", p.playing("s.yaml", deploys)}, flags...), "deploy")...); status != 0 || p.has("deployed") {
				t.Fatal(complained)
			}
			p.write("answer.json", "{}") // the hook has no opinion any more
			_, complained, status := p.short(append([]string{"--resume", chosenID}, append(flags, tt.resume...)...)...)
			if status != 0 || p.has("deployed") != tt.runs || (p.waits(chosenID) == nil) != tt.runs || strings.Contains(complained, "not restored") == tt.runs {
				t.Errorf("exit status %d, deployed: %v, complained %q", status, p.has("deployed"), complained)
			}
		})
	}
}
