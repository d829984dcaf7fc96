package foreign

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Outcome says what becomes of something in a file.
type Outcome int

// The outcomes.
const (
	Missing Outcome = iota // it is not in the file, and is not added
	Added                  // it is added
	Present                // it is there already
	Mended                 // the guard is there and would not have stopped every call
	Removed                // it is taken out
)

// edit is a text on its way through several steps.
type edit struct {
	file  string
	text  []byte
	steps []Step
	notes []string
}

func (e *edit) step(kind Kind, after []byte, fill func(*Step)) {
	s := newStep(kind, e.text, after)
	if fill != nil {
		fill(&s)
	}
	e.text, e.steps = after, append(e.steps, s)
}

// open parses the text. A blank one counts as an empty object, in a form that is
// meant to be filled.
func (e *edit) open() (*document, error) {
	if !blank(e.text) {
		return parse(e.file, e.text)
	}
	d, err := parse(e.file, []byte("{}\n"))
	if err == nil {
		d.mark = e.text[:len(e.text)-len(bytes.TrimPrefix(e.text, byteOrderMark))]
	}
	return d, err
}

// wire adds the guard for an agent.
func (e *edit) wire(a Agent, p Program, runs func(program string) bool) (Outcome, error) {
	d, err := e.open()
	if err != nil {
		return Missing, err
	}
	if err := d.checkVersion(a); err != nil {
		return Missing, err
	}
	_, list, err := d.list(a)
	if err != nil {
		return Missing, err
	}
	e.warn(d, a)
	if outcome := e.rewire(d, a, p, d.guards(a, list), runs); outcome != Missing {
		return outcome, nil
	}
	if _, i := d.root.member("version"); i < 0 && a.versioned() {
		e.step(AddedVersion, d.add(d.root, d.rootLevel(), "", `"version": 1`), func(s *Step) { s.Made = []string{"version"} })
	}
	return Added, e.addHook(a, p)
}

func (d *document) checkVersion(a Agent) error {
	v, i := d.root.member("version")
	if a.versioned() && i >= 0 && string(d.raw(v)) != "1" {
		return d.broken(v.start, fmt.Sprintf("version %s of the format is not known, only 1", d.raw(v)))
	}
	return nil
}

// addHook adds the entry, with the object and the list around it if they are missing.
func (e *edit) addHook(a Agent, p Program) error {
	d, err := e.open()
	if err != nil {
		return err
	}
	hooks, list, err := d.list(a)
	if err != nil {
		return err
	}
	item, err := strictjson.MarshalIndent(a.entry(p))
	if err != nil {
		return err
	}
	root := d.rootLevel()
	inner := d.inside(root, hooks, root.indent)
	var after []byte
	var made []string
	switch {
	case hooks.kind == 0:
		made = []string{"hooks", a.event()}
		after = d.add(d.root, root, "", `"hooks": `+nest("{", `"`+a.event()+`": `+nest("[", string(item), "]"), "}"))
	case list.kind == 0:
		made = []string{a.event()}
		after = d.add(hooks, inner, root.indent, `"`+a.event()+`": `+nest("[", string(item), "]"))
	default:
		after = d.add(list, d.inside(inner, list, inner.indent), inner.indent, string(item))
	}
	value, err := strictjson.Marshal(a.handler(p))
	if err != nil {
		return err
	}
	e.step(AddedHook, after, func(s *Step) { s.Agent, s.Made, s.Value = a.String(), made, string(value) })
	return nil
}

// nest puts an item that is indented by two blanks a level into brackets.
func nest(open, item, end string) string {
	return open + "\n  " + string(bytes.ReplaceAll([]byte(item), []byte("\n"), []byte("\n  "))) + "\n" + end
}

// warn notes what would keep the guard from running.
func (e *edit) warn(d *document, a Agent) {
	if d.commented() && a.refusesComments() {
		e.notes = append(e.notes, "the file is not plain JSON (comments, trailing commas or a byte order mark); if "+a.Name()+" refuses it, no hook of it runs")
	}
	if off, _ := d.root.member("disableAllHooks"); a == Claude && off.kind == 't' {
		e.notes = append(e.notes, `"disableAllHooks" is true: the guard does not run until that is removed`)
	}
	if config, _ := d.root.member("hooksConfig"); a == Gemini {
		enabled, _ := config.member("enabled")
		disabled, _ := config.member("disabled")
		if enabled.kind == 'f' || slices.ContainsFunc(disabled.elements(), func(n node) bool { return d.str(n) == "assent" }) {
			e.notes = append(e.notes, `"hooksConfig" switches hooks off: the guard does not run until that is removed`)
		}
	}
}
