package foreign

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// Policy says whether a policy is written as well.
type Policy int

// The policies.
const (
	Starter  Policy = iota // one to start from, unless there is one
	NoPolicy               // none; undoing leaves the one that is there
)

// Options say what to change.
type Options struct {
	Places
	Scope  Scope
	Agents []Agent
	Policy Policy
	// Program starts the guard.
	Program Program
	// Runs says whether a program that a file names can be started.
	Runs func(program string) bool
	// StateDir is where it is noted what was added; empty means Home/.assent.
	StateDir string
}

func (o Options) stateDir() string {
	if o.StateDir != "" {
		return o.StateDir
	}
	return filepath.Join(o.Home, ".assent")
}

// PolicyFile is where the policy of the scope stands.
func (o Options) PolicyFile() string { return o.policyFile(o.Scope) }

// Subject is what a result is about.
type Subject string

// The subjects.
const (
	Guard Subject = "guard"
	Rules Subject = "policy"
	Tests Subject = "tests"
)

// Result is what becomes of one thing.
type Result struct {
	Subject Subject
	Agent   Agent // of a guard
	File    string
	Outcome Outcome
	Notes   []string
}

// Change is what becomes of one file. A nil text means that there is no such file.
type Change struct {
	File          string
	Before, After []byte

	target string // the file when links are followed
	record record // as it is to be
}

// Granting: the file is one by which a workspace grants itself something, which
// counts when somebody trusts it.
func (c Change) Granting() bool {
	return strings.HasSuffix(filepath.ToSlash(c.File), ".claude/settings.json")
}

// Plan is what would be done. Nothing is done until [Plan.Apply].
type Plan struct {
	Results []Result
	Changes []Change
	options Options
}

// Wiring plans to add the guard to the agents' files, and the policy.
func Wiring(o Options) (*Plan, error) {
	b, err := newBuilder(o)
	if err != nil {
		return nil, err
	}
	if o.Policy == Starter {
		if err := b.addPolicy(); err != nil {
			return nil, err
		}
	}
	for _, a := range o.Agents {
		if err := b.wire(a); err != nil {
			return nil, err
		}
	}
	return b.plan()
}

// builder collects the changes of every file.
type builder struct {
	Options
	known   records
	files   []*pending
	results []Result
}

// pending is a file on its way through the plan.
type pending struct {
	edit
	before []byte
	target string
	record record
	gone   bool // it is to be removed
}

func newBuilder(o Options) (*builder, error) {
	if o.Scope == User {
		if err := o.checkMoved(append([]Agent{Claude}, o.Agents...)...); err != nil {
			return nil, err
		}
	}
	known, err := readRecords(o.stateDir())
	return &builder{Options: o, known: known}, err
}

// file is the one behind a path. Two paths can lead to the same file.
func (b *builder) file(path string) (*pending, error) {
	target, text, err := b.load(path)
	if err != nil {
		return nil, err
	}
	for _, p := range b.files {
		if p.target == target {
			return p, nil
		}
	}
	p := &pending{edit: edit{file: path, text: bytes.Clone(text)}, before: text, target: target, record: b.known.of(target)}
	b.files = append(b.files, p)
	return p, nil
}

func (b *builder) wire(a Agent) error {
	path := b.Places.file(a, b.Scope)
	p, err := b.file(path)
	if err != nil {
		return err
	}
	p.notes = nil
	outcome, err := p.wire(a, b.Program, b.Runs)
	if err != nil {
		return err
	}
	notes := append(p.notes, b.offElsewhere(a)...)
	b.results = append(b.results, Result{Subject: Guard, Agent: a, File: path, Outcome: outcome, Notes: notes})
	return nil
}

func (b *builder) addPolicy() error {
	p, err := b.file(b.policyFile(b.Scope))
	if err != nil {
		return err
	}
	outcome, err := p.addPolicy()
	if err != nil {
		return err
	}
	b.results = append(b.results, Result{Subject: Rules, File: p.file, Outcome: outcome})
	if outcome != Added {
		return nil
	}
	tests, err := b.file(b.testFile(b.Scope))
	if err != nil || tests.before != nil {
		return err
	}
	tests.step(AddedFile, []byte(starterTests), nil)
	b.results = append(b.results, Result{Subject: Tests, File: tests.file, Outcome: Added})
	return nil
}

// plan checks every new text once more: what would break a file is never written.
func (b *builder) plan() (*Plan, error) {
	out := &Plan{Results: b.results, options: b.Options}
	for _, p := range b.files {
		after := p.text
		if p.gone {
			after = nil
		}
		if bytes.Equal(p.before, after) && (p.before == nil) == (after == nil) && len(p.steps) == 0 {
			continue
		}
		if !blank(after) {
			if _, err := parse(p.file, after); err != nil {
				return nil, err
			}
		}
		if writeProtected(p.target) {
			out.note(p.file, "the file is write-protected; it is changed all the same, and stays protected")
		}
		r := p.record
		if p.before == nil {
			r.Created, r.Dirs, r.Steps = true, missingDirs(filepath.Dir(p.target)), nil
		}
		r.Steps = slices.Concat(r.Steps, p.steps)
		out.Changes = append(out.Changes, Change{File: p.file, Before: p.before, After: after, target: p.target, record: r})
	}
	return out, nil
}

// note adds a remark to the first result about a file.
func (p *Plan) note(file, text string) {
	for i, r := range p.Results {
		if r.File == file {
			p.Results[i].Notes = append(p.Results[i].Notes, text)
			return
		}
	}
}
