package foreign

import (
	"bytes"
	"slices"
)

// Undoing plans to take out what [Wiring] has added: the guard of the agents and,
// unless the options say NoPolicy, the policy and its tests.
func Undoing(o Options) (*Plan, error) {
	b, err := newBuilder(o)
	if err != nil {
		return nil, err
	}
	for _, a := range slices.Backward(o.Agents) { // two can have one file: the last one goes first
		if err := b.unwire(a); err != nil {
			return nil, err
		}
	}
	slices.Reverse(b.results)
	if o.Policy == Starter {
		if err := b.undoPolicy(); err != nil {
			return nil, err
		}
	}
	for _, p := range b.files {
		p.gone = p.before != nil && p.removable()
	}
	return b.plan()
}

// removable: the file is one that was made here, and nothing is left in it.
func (p *pending) removable() bool {
	return p.record.Created && !bytes.Equal(p.before, p.text) && nothingLeft(p.file, p.text)
}

func (b *builder) unwire(a Agent) error {
	path := b.Places.file(a, b.Scope)
	p, err := b.file(path)
	if err != nil || p.before == nil {
		return err
	}
	was := p.text
	p.notes = nil
	mine := func(s Step) bool {
		return s.Agent == a.String() || s.Kind == AddedVersion
	}
	recorded := slices.ContainsFunc(p.record.Steps, func(s Step) bool { return s.Agent == a.String() })
	if recorded {
		p.record.Steps, err = p.undo(p.record.Steps, mine)
	} else {
		err = p.unwireUnknown(a)
	}
	if err != nil {
		return err
	}
	b.removed(Result{Subject: Guard, Agent: a, File: path, Notes: p.notes}, !bytes.Equal(was, p.text))
	return nil
}

// unwireUnknown takes out a guard that nobody noted: a colleague added it to the
// project, or it was on another machine.
func (p *pending) unwireUnknown(a Agent) error {
	if err := p.edit.unwire(a, []string{"hooks", a.event()}, ""); err != nil {
		return err
	}
	if a == Copilot && !bytes.Equal(p.before, p.text) { // the file has our name
		p.record.Created = true
		return p.removeVersion()
	}
	return nil
}

// undoPolicy takes the policy back. Its tests go with it, and only with it: once
// somebody has made the policy theirs, so are its tests.
func (b *builder) undoPolicy() error {
	if err := b.undoWhole(Rules, b.policyFile(b.Scope), AddedPolicy); err != nil {
		return err
	}
	p, err := b.file(b.policyFile(b.Scope))
	if err != nil {
		return err
	}
	if p.hasPolicy() && b.recorded(b.testFile(b.Scope), AddedFile) {
		b.removed(Result{Subject: Tests, File: b.testFile(b.Scope), Notes: []string{"it belongs to the policy, so it stays"}}, false)
		return nil
	}
	return b.undoWhole(Tests, b.testFile(b.Scope), AddedFile)
}

func (b *builder) recorded(path string, kind Kind) bool {
	return slices.ContainsFunc(b.known.of(resolved(path)).Steps, func(s Step) bool { return s.Kind == kind })
}

// undoWhole takes back the steps of one kind.
func (b *builder) undoWhole(subject Subject, path string, kind Kind) error {
	if !b.recorded(path, kind) {
		return nil
	}
	p, err := b.file(path)
	if err != nil || p.before == nil {
		return err
	}
	was := p.text
	p.notes = nil
	if p.record.Steps, err = p.undo(p.record.Steps, func(s Step) bool { return s.Kind == kind }); err != nil {
		return err
	}
	b.removed(Result{Subject: subject, File: path, Notes: p.notes}, !bytes.Equal(was, p.text))
	return nil
}

func (b *builder) removed(r Result, changed bool) {
	if r.Outcome = Missing; changed {
		r.Outcome = Removed
	}
	b.results = append(b.results, r)
}
