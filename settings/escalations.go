package settings

import "github.com/assent-dev/assent/internal/strictjson"

// Told is a notification that the settings name as one to be told when nobody answers, and where
// they do.
type Told struct {
	Name string
	File string
	Line int
}

// EscalateTo are the notifications that the approvals of all files name, as often as they do.
func (s *Settings) EscalateTo() []Told {
	var all []Told
	for i := range s.texts {
		t := &s.texts[i]
		if !t.selected || !t.exists || t.said == nil {
			continue
		}
		a := &t.said.approvals
		for _, class := range []*approvalClass{&a.any, &a.low, &a.medium, &a.high} {
			for _, e := range class.told {
				all = append(all, Told{e.text, t.path, e.line})
			}
		}
	}
	return all
}

// NotificationNames are the names of the notifications of these settings, also of those with which
// something is wrong.
func (s *Settings) NotificationNames() []string {
	var names []string
	for target := range s.notificationTargets() {
		if name := target.Member("name"); name.Kind == '"' {
			names = append(names, name.Text())
		}
	}
	return names
}

// notificationTargets are the targets of all notifications, as they stand there.
func (s *Settings) notificationTargets() func(yield func(strictjson.Node) bool) {
	return func(yield func(strictjson.Node) bool) {
		for _, n := range s.Notifications() {
			list, err := strictjson.Tree(n.JSON)
			if err != nil || list.Kind != '[' {
				continue
			}
			for target := range list.Elements() {
				if target.Kind == '{' && !yield(target) {
					return
				}
			}
		}
	}
}
