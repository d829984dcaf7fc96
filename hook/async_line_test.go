package hook

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/rule"
)

// A hook that forgot the end of the line is told so.
func TestH4_AnAsyncLineWithoutItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := late{Reply{Text: []byte(`{"async":true}`), Failure: tookTooLong()}}
		s := newSession(t, Config{Entries: before(h)}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("ls"), denied, "hook broken: late: it did not answer within 1m0s", "without a line feed")
		h.reply.Text = []byte("{}")
		s = newSession(t, Config{Entries: before(h)}, textRule(t, rule.Allow, "Bash"))
		if message := s.bash("ls").Decision.Message(); strings.Contains(message, "line feed") {
			t.Error(message)
		}
	})
}
