package settings

import "github.com/assent-dev/assent/rule"

// Notifications is what one file says about whom to tell that a call waits, as it stands there:
// package notify reads it.
type Notifications struct {
	File string
	Value
}

// Notifications are what the administrator's files and the user's say, in this order. What a
// workspace says does not count, trusted or not: it would decide where the words of calls are
// sent. Nor does the command line: an agent can start a server.
func (s *Settings) Notifications() []Notifications {
	var all []Notifications
	for i := range s.Files {
		f := &s.Files[i]
		if f.Source != rule.PolicySettings && f.Source != rule.UserSettings {
			continue
		}
		for _, t := range s.texts {
			if t.source == f.Source && t.path == f.Path && t.said != nil && t.said.notifications.Line > 0 {
				all = append(all, Notifications{t.path, t.said.notifications})
			}
		}
	}
	return all
}
