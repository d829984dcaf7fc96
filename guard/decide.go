package guard

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// judge decides calls by the settings of one project.
type judge struct {
	settings *settings.Settings
	context  *permission.Context
	// engine knows assent's tools, foreign only the agent's.
	engine, foreign *permission.Engine
	links           permission.Links
}

// decided is an event that was judged.
type decided struct {
	outcome dialect.Outcome
	worst   verdict
	where   where
	// terms are how the settings want questions to be treated, and lasts how long they may
	// be answered.
	terms settings.Guard
	lasts time.Duration
	// settings are all by which the event was judged: each may say what a yes needs.
	settings []*settings.Settings
	// who has answered, where somebody was asked.
	who string
}

// decide judges every call of an event wherever it may happen; the strictest decision
// is that of the event.
func (g *guard) decide(event *dialect.Event) (d decided, err error) {
	if err := checkHome(g.Settings.Home); err != nil {
		return d, err
	}
	if d.where, err = g.places(event); err != nil {
		return d, err
	}
	g.Settings.Real = d.where.real
	for i, project := range d.where.projects {
		j, err := g.judge(event, project, d.where.projects)
		if err != nil {
			return d, err
		}
		d.follow(j, i == 0)
		v, err := j.strictest(event.Calls, d.where.dirs)
		if err != nil {
			return d, err
		}
		d.worst = stricter(d.worst, v)
	}
	v, err := g.around(event, &d)
	if err != nil {
		return d, err
	}
	d.worst = stricter(d.worst, v)
	d.outcome = d.worst.outcome()
	return d, nil
}

// follow takes over how the settings of a project want the guard to work. The first
// project's count; what one of them wants to have on record is recorded.
func (d *decided) follow(j *judge, first bool) {
	terms := j.settings.Guard()
	terms.Audit = terms.Audit || d.terms.Audit
	if first {
		d.terms, d.lasts = terms, j.settings.Parking().Lasts
	}
	d.terms.Audit = terms.Audit
	d.settings = append(d.settings, j.settings)
}

// needs is what has to be so before a yes counts, and how long it may be given; zero means that
// nobody limits it. Of what several settings ask for the stricter holds.
func (d *decided) needs(risk permission.Risk) (needs permission.Terms, expires time.Duration) {
	for _, s := range d.settings {
		terms, limit := s.Approvals(risk)
		needs = needs.And(terms)
		if limit > 0 && (expires == 0 || limit < expires) {
			expires = limit
		}
	}
	return needs, expires
}

// stricter is the stricter of two verdicts, with the higher of their risks and the files of
// both.
func stricter(a, b verdict) verdict {
	risk, places := max(a.risk, b.risk), a.places
	if len(b.places) > 0 {
		places = slices.Concat(a.places, b.places)
	}
	if b.strictness() > a.strictness() {
		a = b
	}
	a.risk, a.places = risk, places
	return a
}

// strictest is the strictest decision for any of the calls in any of the directories.
func (j *judge) strictest(calls []dialect.Call, dirs []string) (worst verdict, err error) {
	for _, call := range j.expand(calls) {
		for _, dir := range dirs {
			v, err := j.decide(call, dir)
			if err != nil {
				return v, err
			}
			if v.strictness() == 2 { // the only ones that people are asked about
				v.risk = permission.RiskOf(v.valid, v.Decision)
			}
			worst = stricter(worst, v)
			if v.Behavior == permission.Deny {
				return worst, nil
			}
		}
	}
	return worst, nil
}

// judge reads the settings of a project. The other directories of a workspace are
// working directories, too.
func (g *guard) judge(event *dialect.Event, project string, all []string) (*judge, error) {
	o := g.Settings
	o.Dir = project
	o.KeepsLimits = event.Agent == dialect.Claude
	if len(all) > 1 {
		o.AddDirs = append(slices.Clip(o.AddDirs), all...)
	}
	if event.Mode != 0 {
		o.Mode = event.Mode
	}
	tools, err := newTools()
	if err != nil {
		return nil, err
	}
	s, err := settings.Load(o)
	if err != nil {
		if _, named := errors.AsType[*settings.BrokenError](err); !named {
			err = fmt.Errorf("the settings of %s: %w", o.Dir, err)
		}
		return nil, err
	}
	context, err := s.Context(nil)
	if err != nil {
		return nil, err
	}
	return &judge{
		settings: s, context: context, links: g.Links,
		engine: permission.NewEngine(tools, g.Links), foreign: permission.NewEngine(foreignTools{}, g.Links),
	}, nil
}

// verdict is the decision for one call.
type verdict struct {
	permission.Decision
	judge  *judge
	call   dialect.Call
	engine *permission.Engine
	valid  *permission.Call // nil when the input is invalid
	risk   permission.Risk
	// places are the files of all calls that count, see [permission.Call.Places].
	places []string
}

// strictness orders decisions. What is neither an allow nor a question is a denial.
func (v verdict) strictness() int {
	switch v.Behavior {
	case permission.Allow:
		return 1
	case permission.Ask:
		return 2
	case permission.Deny, permission.Defer, permission.Pass:
		return 3
	}
	if v.engine == nil {
		return 0 // no verdict yet
	}
	return 3
}

// decide judges one call with the engine that the runtime uses.
func (j *judge) decide(call dialect.Call, dir string) (verdict, error) {
	v := verdict{judge: j, call: call, engine: j.engine}
	if call.Foreign {
		v.engine = j.foreign
	}
	if call.IfDir != "" && !j.isDir(call.IfDir, dir) {
		return verdict{}, nil
	}
	dir, err := j.runsIn(call.Dir, dir)
	if err != nil {
		return v, err
	}
	if call.Pattern != "" && call.Doubt == "" {
		call.Doubt = j.leaves(call.PatternDir, call.Pattern, dir)
	}
	request := permission.Request{Tool: call.Tool, Input: call.Input, Given: call.Said, Cwd: dir}
	if call.Doubt != "" {
		request.Hook = permission.Verdict{Behavior: permission.Ask, Reason: call.Doubt}
	}
	valid, err := v.engine.Validate(j.context, request)
	if invalid, ok := errors.AsType[*permission.InvalidError](err); ok {
		v.Decision = j.unasked(permission.Invalid(j.context, invalid))
		return v.unlessGuess(), nil
	}
	if err != nil {
		return v, err
	}
	if valid.Hook.Behavior == 0 {
		valid.Hook = j.heldBack(valid)
	}
	v.valid, v.Decision = valid, v.engine.Decide(j.context, valid)
	if call.Unsure != nil && v.strictness() == 1 && j.restrictsUnsure(v.engine, request, call.Unsure) {
		valid.Hook = permission.Verdict{Behavior: permission.Ask, Reason: "a rule is about a parameter of " + call.Tool + ", and the call says something in words of the agent that assent does not know"}
		v.Decision = v.engine.Decide(j.context, valid)
	}
	v.Decision = j.unasked(v.Decision)
	v.places = valid.Places()
	return v.unlessGuess(), nil
}

// restrictsUnsure: a rule stops the call if a parameter that it is about may have any value.
func (j *judge) restrictsUnsure(engine *permission.Engine, request permission.Request, unsure []byte) bool {
	request.Given = unsure
	valid, err := engine.Validate(j.context, request)
	return err != nil || engine.Decide(j.context, valid).Behavior != permission.Allow
}

// unasked denies what would be asked where settings want nobody to be asked. No classifier of
// assent's works here.
func (j *judge) unasked(d permission.Decision) permission.Decision {
	d.Classify = false
	return d.Unasked(j.context)
}

// unlessGuess: a guess counts only if a rule, a safety check or a fault stops it, also where a
// mode has turned the question into a denial.
func (v verdict) unlessGuess() verdict {
	if !v.call.Guess {
		return v
	}
	kind := v.Trace[v.Stage-1].Reason.Kind
	stopped := kind == permission.ByRule || kind == permission.ByMaybeRule || kind == permission.BySafety || kind == permission.ByFault || kind == permission.ByLimit
	if v.Behavior == permission.Allow || !stopped {
		v.Decision = permission.Decision{}
		v.engine, v.places = nil, nil
	}
	return v
}

// runsIn is the directory in which a call asks to run. Agents differ in whether "x/.."
// is the directory that x lies in or the one that a link x leads to, so it must be
// the same one.
func (j *judge) runsIn(asked, dir string) (string, error) {
	if asked == "" {
		return dir, nil
	}
	if !filepath.IsAbs(asked) {
		asked = dir + "/" + asked
	}
	links := j.links
	if links == nil {
		links = permission.NoLinks{}
	}
	here := permission.ResolvePath(links, asked, dir, "")
	there := permission.ResolvePath(links, filepath.Clean(asked), dir, "")
	switch {
	case here.Problem != "" || there.Problem != "":
		return "", fmt.Errorf("the directory %q of the call cannot be used: %s", asked, cmp.Or(here.Problem, there.Problem))
	case here.Real != there.Real:
		return "", fmt.Errorf("the directory %q of the call leads to %s or to %s, depending on who reads it", asked, here.Real, there.Real)
	}
	return here.Real, nil
}
