package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// A hostile repository holds a link out of it. Whoever approves at a terminal is told where the
// call leads, before a word is asked for and with the yes, here and at a server, and the word is
// not that of the link.
func TestT7_ATerminalSaysWhereACallLeads(t *testing.T) {
	t.Parallel()
	s := newSwapped(t)
	s.must(os.Remove(filepath.Join(s.dir, "docs")))
	s.must(os.Symlink(s.outside, filepath.Join(s.dir, "docs")))
	park := func(name string) string {
		ticket := s.lay(s.tickets, session.NewID(), "Write", fields{"file_path": "docs/" + name, "content": "x"})
		return ticket.ID
	}
	_, link := s.serving("--no-resume", "--", "--model", "script:"+filepath.Join(s.dir, "end.yaml"))
	address, token, _ := strings.Cut(link, "/#token=")
	s.write("token", token+"\n")
	s.must(os.Chmod(filepath.Join(s.dir, "token"), 0o600))
	for where, at := range map[string][]string{"here": nil, "at a server": {"--server", address, "--token-file", "token"}} {
		high, medium := park(".bashrc"), park("plain.txt")
		leads := "it leads to " + s.outside + "/"
		run := func(want int, texts []string, args ...string) {
			t.Helper()
			said, complained, status := s.say(append(args, at...)...)
			for _, text := range texts {
				if status != want || !strings.Contains(said+complained, text) {
					t.Errorf("%s: %v: status %d, want %q: %s%s", where, args, status, text, said, complained)
				}
			}
		}
		place := func(name string) []string { return []string{"--place", filepath.Join(s.outside, name)} }
		again := "assent approve " + high + strings.Join(append([]string{""}, at...), " ") + " --confirm outside/.bashrc"
		run(1, []string{leads + ".bashrc, outside of the project", again}, append([]string{"approve", high}, place(".bashrc")...)...)
		run(1, []string{"is not its word"}, append([]string{"approve", high, "--confirm", ".bashrc"}, place(".bashrc")...)...)
		run(0, []string{"approved " + high, leads + ".bashrc"}, append([]string{"approve", high, "--confirm", "outside/.bashrc"}, place(".bashrc")...)...)
		run(0, []string{"approved " + medium, leads + "plain.txt, outside of the project"}, append([]string{"approve", medium}, place("plain.txt")...)...)
		for _, id := range []string{high, medium} {
			if got, err := s.tickets.Find(t.Context(), id); err != nil || got.State != approval.Approved {
				t.Errorf("%s: %+v, %v", where, got.State, err)
			}
		}
	}
}
