package settings

import (
	"fmt"
	"slices"

	"github.com/assent-dev/assent/rule"
)

// Keys that say where HTTP hooks may go, and what they may carry.
const (
	hookURLsKey      = "allowedHttpHookUrls"
	hookVariablesKey = "httpHookAllowedEnvVars"
)

// textList is a list that says what may be used. An empty one that is there allows nothing.
type textList struct {
	line  int
	texts []string
}

func (r *reader) texts(m member) textList {
	list := textList{line: m.line}
	for _, e := range r.strings(m) {
		list.texts = append(list.texts, e.text)
	}
	return list
}

// HTTPHook says what settings leave of an HTTP hook of a file: the variables that it may send, and
// why it may not go to its address at all; refused is empty if it may.
func (s *Settings) HTTPHook(source rule.Source, address string, variables []string) (allowed []string, refused string) {
	place, may := s.hookMay(source, func(c *content) textList { return c.hookURLs }, func(pattern string) bool { return addressMatches(pattern, address) })
	if !may {
		return nil, fmt.Sprintf("%s (%s) does not name its address", hookURLsKey, place)
	}
	for _, name := range variables {
		if _, may := s.hookMay(source, func(c *content) textList { return c.hookVariables }, func(have string) bool { return have == name }); may {
			allowed = append(allowed, name)
		}
	}
	return allowed, ""
}

// hookMay looks through the lists that count for the hooks of a source. Those of files that may
// grant something are one list; what an unknown workspace lists only restricts. For managed hooks
// no list counts unless managed settings have one.
func (s *Settings) hookMay(source rule.Source, of func(*content) textList, fits func(string) bool) (place string, may bool) {
	managed, union, found := false, false, ""
	for _, t := range s.texts {
		if !t.selected || t.said == nil || of(t.said).line == 0 {
			continue
		}
		managed = managed || t.source == rule.PolicySettings
		at, fit := fmt.Sprintf("%s:%d", t.path, of(t.said).line), slices.ContainsFunc(of(t.said).texts, fits)
		switch {
		case source == rule.PolicySettings && !managed: // managed settings come first
		case fromWorkspace(t.source) && s.trust.Status != Trusted:
			if !fit {
				return at, false
			}
		default:
			found, union = at, union || fit
		}
	}
	return found, found == "" || union
}
