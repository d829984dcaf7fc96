package foreign

import (
	"slices"

	"github.com/assent-dev/assent/internal/strictjson"
)

// undo takes back those steps of a file that chosen names, the last one first:
// exactly where the text is still the one that a step left behind, and otherwise by
// looking for what the step added. It returns the steps that stay.
func (e *edit) undo(steps []Step, chosen func(Step) bool) (kept []Step, err error) {
	for i, s := range slices.Backward(steps) {
		switch before, ok := s.revert(e.text); {
		case !chosen(s):
			kept = append(kept, s)
		case ok:
			e.text = before
		default:
			if err := e.undoChanged(s, steps[:i]); err != nil {
				return nil, err
			}
		}
	}
	slices.Reverse(kept)
	return kept, nil
}

// undoChanged takes a step back in a text that was changed after it.
func (e *edit) undoChanged(s Step, earlier []Step) error {
	switch s.Kind {
	case AddedHook, MendedHook:
		added := func(other Step) bool { return other.Kind == AddedHook && other.Agent == s.Agent }
		if s.Kind == MendedHook && slices.ContainsFunc(earlier, added) {
			return nil // it goes with the step that added it
		}
		a, err := ParseAgent(s.Agent)
		if err != nil {
			return err
		}
		if s.Kind == MendedHook {
			return e.unmend(a, s)
		}
		return e.unwire(a, s.Made, s.Value)
	case AddedPolicy:
		return e.removePolicy(s)
	case AddedVersion:
		return e.removeVersion()
	case AddedFile:
		e.notes = append(e.notes, "it was changed since it was written, so it stays")
	}
	return nil
}

// unmend restores a guard that somebody had written before it was mended. It is theirs,
// so it stays; if they have changed it since, it stays as it is.
func (e *edit) unmend(a Agent, s Step) error {
	if blank(e.text) {
		return nil
	}
	d, err := parse(e.file, e.text)
	if err != nil {
		return err
	}
	_, list, err := d.list(a)
	if err != nil {
		return err
	}
	all := d.guards(a, list)
	same := slices.DeleteFunc(slices.Clone(all), func(w wired) bool { return d.source(w.node) != s.Value })
	switch {
	case len(all) == 0:
	case len(same) != 1 || s.Was == "":
		e.notes = append(e.notes, "the guard was there before it was mended, and was changed since, so it stays as it is")
	default:
		e.text = d.spliced(splice{at: same[0].node.start, end: same[0].node.end, text: s.Was})
		e.notes = append(e.notes, "the guard was there before it was mended, so it stays, as it was then")
	}
	return nil
}

// unwire takes out the handler of the event that was added, and what is empty then if
// it is one of made. If nobody knows which one that was, or somebody has changed it,
// every handler that starts the guard goes. Comments are never removed.
func (e *edit) unwire(a Agent, made []string, added string) error {
	for sure := (likeness{}); ; {
		if blank(e.text) {
			return nil
		}
		d, err := parse(e.file, e.text)
		if err != nil {
			return err
		}
		hooks, list, err := d.list(a)
		if err != nil {
			return err
		}
		all := sure.narrow(d.guards(a, list), func(w wired) likeness {
			same := d.compact(w.node) == added
			return likeness{handler: same, matcher: same && w.matcher == a.matcher()}
		})
		if len(all) == 0 {
			return nil
		}
		e.text = d.cut(a, hooks, list, all[len(all)-1], made)
	}
}

// likeness says in what a handler is the one that was added.
type likeness struct{ handler, matcher bool }

// narrow are the handlers that are most like the one that was added. Once one of them
// was found, those that are less like it are somebody else's.
func (l *likeness) narrow(all []wired, like func(wired) likeness) []wired {
	for _, w := range all {
		l.handler, l.matcher = l.handler || like(w).handler, l.matcher || like(w).matcher
	}
	return slices.DeleteFunc(slices.Clone(all), func(w wired) bool {
		return l.handler && !like(w).handler || l.matcher && !like(w).matcher
	})
}

// source is a value as it is written.
func (d *document) source(n node) string { return string(d.text[n.start:n.end]) }

// compact is a value without blanks and comments.
func (d *document) compact(n node) string {
	text, err := strictjson.Marshal(strictjson.Raw(d.raw(n)))
	if err != nil {
		return ""
	}
	return string(text)
}

// cut removes the outermost thing that holds nothing but this guard.
func (d *document) cut(a Agent, hooks, list node, w wired, made []string) []byte {
	entry := list.items[w.entry].value
	handlers, _ := entry.member("hooks")
	_, event := hooks.member(a.event())
	_, outer := d.root.member("hooks")
	switch {
	case w.handler >= 0 && (len(handlers.items) > 1 || d.holdsComment(entry)):
		return d.remove(handlers, w.handler)
	case len(list.items) > 1 || d.holdsComment(list) || !slices.Contains(made, a.event()):
		return d.remove(list, w.entry)
	case len(hooks.items) > 1 || d.holdsComment(hooks) || !slices.Contains(made, "hooks"):
		return d.remove(hooks, event)
	}
	return d.remove(d.root, outer)
}

// removeVersion takes the version out, unless there are hooks of somebody else that
// need it.
func (e *edit) removeVersion() error {
	if blank(e.text) {
		return nil
	}
	d, err := parse(e.file, e.text)
	if err != nil {
		return err
	}
	v, i := d.root.member("version")
	if hooks, _ := d.root.member("hooks"); i >= 0 && len(hooks.items) == 0 && string(d.raw(v)) == "1" {
		e.text = d.remove(d.root, i)
	}
	return nil
}

// nothingLeft: the text is an empty object without comments, or less.
func nothingLeft(file string, text []byte) bool {
	if blank(text) {
		return true
	}
	d, err := parse(file, text)
	return err == nil && len(d.root.items) == 0 && !d.commented()
}
