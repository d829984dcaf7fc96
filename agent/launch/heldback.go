package launch

import "github.com/assent-dev/assent/rule"

// heldBack is why what the files of a source permit does not count; empty when it does.
func (s *Session) heldBack(source rule.Source) string {
	for _, f := range s.current.Load().Files {
		switch {
		case f.Source != source:
		case f.Trusted:
			return ""
		default:
			return "nobody has trusted this workspace; `assent trust` does"
		}
	}
	return "this session does not read that file"
}
