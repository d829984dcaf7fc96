package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// patch applies updates to the text of a settings file and keeps everything else:
// comments, unknown keys, layout. A nil text is a file that does not exist. A
// broken one is refused, because rewriting it would lose what it was meant to say.
func (p *places) patch(file string, text []byte, dest rule.Source, updates []permission.Update) ([]byte, error) {
	if text == nil {
		text = []byte("{}\n")
	}
	if _, broken := understand(file, string(text)); broken != nil {
		return nil, broken
	}
	body := bytes.TrimPrefix(text, []byte(byteOrderMark))
	e, err := newEdit(p, dest, body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, u := range updates {
		if err := e.apply(u); err != nil {
			return nil, fmt.Errorf("%s: %s cannot be written: %w", file, u.Type, err)
		}
	}
	out := slices.Concat(text[:len(text)-len(body)], e.pack())
	if len(out) > maxFileSize {
		return nil, fmt.Errorf("%s: it would become larger than %d MiB (remove rules that are not needed)", file, maxFileSize>>20)
	}
	if _, broken := understand(file, string(out)); broken != nil {
		return nil, fmt.Errorf("the change would break the file: %w", broken)
	}
	return out, nil
}

// edit is a settings text that is being changed.
type edit struct {
	*places
	dest      rule.Source
	root      hujson.Value
	eol, unit string // how the file ends lines and indents one level
	addedEOL  bool   // parsing needs a final line break that the file has not
}

func (e *edit) apply(u permission.Update) error {
	switch u.Type {
	case permission.AddRules:
		return e.addAll(u.Behavior.String(), u.Rules, ruleKey)
	case permission.ReplaceRules:
		return e.replaceAll(u.Behavior.String(), u.Rules)
	case permission.RemoveRules:
		return e.removeAll(u.Behavior.String(), u.Rules, ruleKey)
	case permission.SetMode:
		return e.setMode(u.Mode)
	case permission.AddDirectories:
		return e.addAll("additionalDirectories", e.written(u.Directories), e.absolute)
	case permission.RemoveDirectories:
		return e.removeAll("additionalDirectories", e.leadingTo(u.Directories), e.absolute)
	}
	return fmt.Errorf("unknown update %q", u.Type)
}

// ruleKey is what a rule says, however it is written.
func ruleKey(text string) string {
	r, _, err := rule.Read(text, rule.Deny, rule.Origin{})
	if err != nil {
		return strings.TrimSpace(text)
	}
	return r.String()
}

// written is how directories are put into the file. Relative ones would mean
// something else in every project, so user settings get them in full.
func (e *edit) written(dirs []string) []string {
	if e.dest != rule.UserSettings {
		return dirs
	}
	var all []string
	for _, d := range dirs {
		all = append(all, e.absolute(d))
	}
	return all
}

// leadingTo adds the entries that are links to one of dirs. A linked directory is in
// force under both of its names, so either of them takes it away.
func (e *edit) leadingTo(dirs []string) []string {
	all := slices.Clone(dirs)
	list := e.list("additionalDirectories")
	if list == nil {
		return all
	}
	for _, v := range list.Elements {
		end, _ := follow(e.absolute(literal(v)))
		if slices.ContainsFunc(dirs, func(d string) bool { return e.absolute(d) == end }) {
			all = append(all, literal(v))
		}
	}
	return all
}

func (e *edit) setMode(m permission.Mode) error {
	if v := e.root.Find("/permissions/defaultMode"); v != nil && literal(*v) == m.String() {
		return nil
	}
	if err := e.ensurePermissions(); err != nil {
		return err
	}
	return e.setMember("defaultMode", m.String())
}

func (e *edit) addAll(key string, texts []string, meaning func(string) string) error {
	for _, text := range texts {
		if e.index(key, text, meaning) >= 0 {
			continue
		}
		list, err := e.ensureList(key)
		if err != nil {
			return err
		}
		if err := e.insert(key, len(list.Elements), text); err != nil {
			return err
		}
	}
	return nil
}

func (e *edit) removeAll(key string, texts []string, meaning func(string) string) error {
	for _, text := range texts {
		for i := e.index(key, text, meaning); i >= 0; i = e.index(key, text, meaning) {
			if err := e.remove(key, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaceAll makes the list say exactly texts, in that order. Rules that stay keep
// their comments.
func (e *edit) replaceAll(key string, texts []string) error {
	if e.list(key) == nil && len(texts) == 0 {
		return nil
	}
	if _, err := e.ensureList(key); err != nil {
		return err
	}
	n := 0
	for _, text := range texts {
		i := e.index(key, text, ruleKey)
		var err error
		switch {
		case i >= 0 && i < n:
			continue // it was given twice
		case i < 0:
			err = e.insert(key, n, text)
		case i > n:
			err = e.move(key, i, n)
		}
		if err != nil {
			return err
		}
		n++
	}
	for i := len(e.list(key).Elements) - 1; i >= n; i-- {
		if err := e.remove(key, i); err != nil {
			return err
		}
	}
	return nil
}

// index finds an element that means the same as text, or -1.
func (e *edit) index(key, text string, meaning func(string) string) int {
	list := e.list(key)
	if list == nil {
		return -1
	}
	want := meaning(text)
	return slices.IndexFunc(list.Elements, func(v hujson.Value) bool { return meaning(literal(v)) == want })
}

func (e *edit) list(key string) *hujson.Array {
	v := e.root.Find("/permissions/" + key)
	if v == nil {
		return nil
	}
	list, _ := v.Value.(*hujson.Array)
	return list
}

// operation is one step of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from,omitzero"`
	Value any    `json:"value,omitzero"`
}

func (e *edit) do(o operation) error {
	text, err := strictjson.Marshal([]operation{o})
	if err != nil {
		return err
	}
	return e.root.Patch(text)
}

func at(key string, i int) string { return "/permissions/" + key + "/" + strconv.Itoa(i) }

// literal is the text of a string.
func literal(v hujson.Value) string {
	l, ok := v.Value.(hujson.Literal)
	switch {
	case !ok:
		return ""
	case l.Kind() == '"' && bytes.IndexByte(l, '\\') < 0:
		return string(l[1 : len(l)-1]) // nothing to unescape, which is nearly always so
	}
	return l.String()
}
