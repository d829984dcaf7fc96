package policy

import (
	"fmt"
	"slices"

	"github.com/assent-dev/assent/settings"
)

// escalations looks for notifications that approvals name and nobody has: when nobody answers,
// nobody is told. Where these settings have none at all, those of the server on another machine may
// be meant.
func (l *linter) escalations(s *settings.Settings) {
	names := s.NotificationNames()
	for _, told := range s.EscalateTo() {
		if slices.Contains(names, told.Name) {
			continue
		}
		f := Finding{
			Severity: Warning, Code: "unknown-notification", File: told.File, Line: told.Line,
			Text: fmt.Sprintf("escalate names the notification %s, which the settings do not have: it is told nothing when nobody answers", named(told.Name)),
			Fix:  "name one of the notifications of the user's or the administrator's settings, or add it there",
		}
		if near := Nearest(told.Name, names); near != "" {
			f.Fix = "write " + near
		}
		if len(names) == 0 {
			f.Severity, f.Fix = Info, "see that the settings of the server that tells people have it"
		}
		l.found = append(l.found, f)
	}
}
