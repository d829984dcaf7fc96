package policy

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Permissions are rules that stand in for the settings on disk, in a request or a
// test file. They count as the settings of a trusted project.
type Permissions struct {
	Allow                 Texts `json:"allow,omitempty"`
	Ask                   Texts `json:"ask,omitempty"`
	Deny                  Texts `json:"deny,omitempty"`
	AdditionalDirectories Texts `json:"additionalDirectories,omitempty"`
}

// Texts is a list of texts. In JSON neither it nor an element can be null: whatever
// that was meant to say would be lost.
type Texts []string

// UnmarshalJSON reads the list.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var elements []*string
	if err := strictjson.Unmarshal(data, &elements); err != nil {
		return err
	}
	if elements == nil {
		return errors.New("want an array, got null")
	}
	list := make(Texts, 0, len(elements))
	for _, e := range elements {
		if e == nil {
			return errors.New("want an array of strings, one of them is null")
		}
		list = append(list, *e)
	}
	*t = list
	return nil
}

// rules reads the lists. A malformed rule is kept as "ask for that tool" where it
// restricts and dropped where it allows, as in a settings file.
func (p Permissions) rules() (rules []rule.Rule, notes []string) {
	lists := []struct {
		behavior rule.Behavior
		texts    []string
	}{{rule.Deny, p.Deny}, {rule.Ask, p.Ask}, {rule.Allow, p.Allow}}
	for _, list := range lists {
		for _, text := range list.texts {
			r, note, ok := readRule(text, list.behavior, rule.ProjectSettings)
			if ok {
				rules = append(rules, r)
			}
			if note != "" {
				notes = append(notes, note)
			}
		}
	}
	return rules, notes
}

// readRule reads one rule that stands in no file; note says what is wrong with it.
func readRule(text string, b rule.Behavior, source rule.Source) (r rule.Rule, note string, ok bool) {
	r, ok, err := rule.Read(text, b, rule.Origin{Source: source})
	switch {
	case err == nil:
		return r, "", ok
	case ok:
		note = fmt.Sprintf("%s %v, so %s asks", b, err, everyCall(r.Tool))
	default:
		note = fmt.Sprintf("%s %v, so it is dropped", b, err)
	}
	return r, note, ok
}

// everyCall words what a rule on a whole tool is about.
func everyCall(tool string) string {
	if tool == "*" {
		return "every call of every tool"
	}
	return "every " + Visible(tool) + " call"
}

// directories are additional directories of a place; paths are relative to its
// working directory.
func directories(paths []string, at place, source rule.Source) []permission.Directory {
	var all []permission.Directory
	for _, dir := range paths {
		path := permission.ResolvePath(permission.NoLinks{}, dir, at.cwd, at.home).Given
		all = append(all, permission.Directory{Path: path, Source: source})
	}
	return all
}
