package builtin

// arguments are the decoded input of a call. The schema has been checked, so a
// property is there with its type or it is absent.
type arguments map[string]any

func (a arguments) has(name string) bool {
	_, ok := a[name]
	return ok
}

// text is "" when the property is absent.
func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a arguments) flag(name string, absent bool) bool {
	if b, ok := a[name].(bool); ok {
		return b
	}
	return absent
}

// mostCount bounds the numbers in inputs: sums of them do not overflow, and no tool
// has as much to give.
const mostCount = 1_000_000

func (a arguments) count(name string, absent int) int {
	switch n := a[name].(type) {
	case float64:
		return int(min(max(n, 0), mostCount))
	case int64:
		return int(min(max(n, 0), mostCount))
	}
	return absent
}
