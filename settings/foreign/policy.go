package foreign

import (
	_ "embed"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// The starter policy is plain JSON: Claude Code reads the same file and refuses it as
// a whole when it has a comment. What the rules are for is said in the tests.
var (
	//go:embed starter.json
	starterPolicy string
	//go:embed starter.test.json
	starterTests string
)

// addPolicy adds the starter policy unless the file has permissions of its own.
func (e *edit) addPolicy() (Outcome, error) {
	d, err := e.open()
	if err != nil {
		return Missing, err
	}
	if e.hasPolicy() {
		return Present, nil
	}
	plain, err := strictjson.Marshal(strictjson.Raw(starterPolicy))
	if err != nil {
		return Missing, err
	}
	item := `"permissions": ` + strings.TrimSpace(starterPolicy)
	e.step(AddedPolicy, d.add(d.root, d.rootLevel(), "", item), func(s *Step) {
		s.Made, s.Value = []string{"permissions"}, string(plain)
	})
	return Added, nil
}

// hasPolicy: the text says what is permitted.
func (e *edit) hasPolicy() bool {
	d, err := e.open()
	if err != nil {
		return false
	}
	_, i := d.root.member("permissions")
	return i >= 0
}

// removePolicy takes the starter policy out of a file that was changed. Once
// somebody has changed the policy itself it is theirs, and stays.
func (e *edit) removePolicy(s Step) error {
	if blank(e.text) {
		return nil
	}
	d, err := parse(e.file, e.text)
	if err != nil {
		return err
	}
	value, i := d.root.member("permissions")
	if i < 0 {
		return nil
	}
	plain, err := strictjson.Marshal(strictjson.Raw(d.raw(value)))
	if err != nil {
		return err
	}
	if string(plain) != s.Value || d.holdsComment(value) {
		e.notes = append(e.notes, "the policy was changed since it was written, so it stays")
		return nil
	}
	e.text = d.remove(d.root, i)
	return nil
}
