package clerk

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// A guard knows its ticket by the files to which its call leads. A yes for other files would
// reach nobody, so it is refused before it stands somewhere for a day; the agent asks anew when
// it tries the call again.
func TestT5_AYesThatNoGuardWouldFetchIsRefused(t *testing.T) {
	const was, is = "/p/a/x", "/p/b/x"
	for name, test := range map[string]struct {
		asker      string
		shown, now []string
		refused    string
	}{
		"it leads there still":                {"codex", []string{was}, []string{was}, ""},
		"nothing was shown":                   {"codex", nil, []string{is}, "it led to " + was + " when it was parked"},
		"it moved, and that was shown":        {"codex", []string{is}, []string{is}, "codex asks anew when it tries this call again"},
		"it moved back after it was shown":    {"codex", []string{is}, []string{was}, "it led to " + is + " when it was shown"},
		"a session runs it where it was seen": {"", []string{is}, []string{is}, ""},
	} {
		m := &Matter{Ticket: &approval.Ticket{ID: "abc", Asker: test.asker, Places: []string{was}}}
		moved := m.MovedSince(test.shown, Reach{Places: test.now, Given: "/p/link/x"})
		switch {
		case moved == nil && test.refused != "":
			t.Errorf("%s: it is not refused", name)
		case moved != nil && (test.refused == "" || !strings.Contains(moved.Error(), test.refused)):
			t.Errorf("%s: %v", name, moved)
		}
	}
}
