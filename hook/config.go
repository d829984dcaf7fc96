package hook

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/hook/match"
	"github.com/assent-dev/assent/rule"
)

// MaxTimeout is the longest time that an entry may ask for.
const MaxTimeout = 24 * time.Hour

// Parse reads the `hooks` object of a settings file, in the order of the file. line
// is where the object starts.
//
// Nothing is lost in silence: what is unknown is ignored and reported, what is wrong
// is reported. A key that is surely meant as a matcher or a condition is not ignored. A PreToolUse hook that is wrong stays, with a [Entry.Defect]: the
// calls it was to judge are denied, because nobody knows what it would have said. At
// other events it is left out.
func Parse(source rule.Source, file string, line int, json []byte) ([]Entry, []Report) {
	p := parser{text: json, origin: rule.Origin{Source: source, File: file, Line: line}}
	root, err := readPlaces(json)
	if err == nil {
		err = p.events(root)
	}
	if err != nil {
		p.report(0, "the hooks cannot be read: "+err.Error(), "no tool runs until that is mended")
		p.defect(Entry{Event: PreToolUse}, 0, "the hooks of this file cannot be read: "+err.Error())
	}
	return p.entries, p.reports
}

type parser struct {
	text    []byte
	origin  rule.Origin // of the whole object
	entries []Entry
	reports []Report
}

// at is the origin of an offset.
func (p *parser) at(offset int) rule.Origin {
	o := p.origin
	if o.Line > 0 {
		o.Line += strings.Count(string(p.text[:offset]), "\n")
	}
	return o
}

func (p *parser) report(offset int, text, hint string) {
	p.reports = append(p.reports, Report{Origin: p.at(offset), Text: text, Hint: hint})
}

// wrong reports an entry that cannot work, and keeps it where it must not vanish.
func (p *parser) wrong(e Entry, offset int, problem, hint string) {
	if e.Event.failsClosed() {
		p.report(offset, fmt.Sprintf("%s: %s; the calls it is for are denied", e.Event, problem), hint)
		p.defect(e, offset, problem)
		return
	}
	p.report(offset, fmt.Sprintf("%s: %s; the hook is left out", e.Event, problem), hint)
}

func (p *parser) defect(e Entry, offset int, problem string) {
	e.Origin, e.Defect = p.at(offset), problem
	if e.Handler == nil {
		e.Handler = unusable{}
	}
	p.entries = append(p.entries, e)
}

func (p *parser) events(root node) error {
	members, err := root.object()
	if err != nil {
		return err
	}
	for _, m := range members {
		event, problem := knownEvent(m.name)
		switch {
		case event == "":
			p.report(m.at, fmt.Sprintf("unknown hook event %s is ignored", quoted(m.name)), "the events are "+eventList())
		case problem != "":
			p.wrong(Entry{Event: event}, m.at, problem, "write "+string(event))
		default:
			p.groups(event, m.value)
		}
	}
	return nil
}

// knownEvent finds an event by its name. A name that is surely meant to be
// PreToolUse must not lose its hooks; problem says what is wrong with it.
func knownEvent(name string) (event Event, problem string) {
	if slices.Contains(Events, Event(name)) {
		return Event(name), ""
	}
	if match.MeansPreToolUse(name) {
		return PreToolUse, fmt.Sprintf("%s is not how the event is written", quoted(name))
	}
	return "", ""
}

func eventList() string {
	names := make([]string, len(Events))
	for i, e := range Events {
		names[i] = string(e)
	}
	return strings.Join(names, ", ")
}

// groups reads the list of an event: matchers, each with its hooks.
func (p *parser) groups(event Event, list node) {
	groups, err := list.array()
	if err != nil {
		p.wrong(Entry{Event: event}, list.at, err.Error(), `write [{"matcher": …, "hooks": […]}]`)
		return
	}
	for _, g := range groups {
		p.group(event, g)
	}
}

func (p *parser) group(event Event, group node) {
	members, err := group.object()
	if err != nil {
		p.wrong(Entry{Event: event}, group.at, err.Error(), `write {"matcher": …, "hooks": […]}`)
		return
	}
	e := Entry{Event: event}
	var hooks *node
	var condition *member // that stands here and not in a hook
	works := true
	for _, m := range members {
		switch {
		case m.name == "matcher":
			works = p.matcher(&e, m) && works
		case m.name == "hooks":
			hooks = &m.value
		case meansMatcher(m.name):
			works = p.strayMatcher(&e, m, "write matcher") && works
		case meansIf(m.name):
			condition = &m
		default:
			p.unknownKey(m)
		}
	}
	if !works {
		return
	}
	if hooks == nil {
		p.wrong(e, group.at, `the key "hooks" is missing`, `write {"matcher": …, "hooks": […]}`)
		return
	}
	list, err := hooks.array()
	if err != nil {
		p.wrong(e, hooks.at, err.Error(), `"hooks" is a list of hooks`)
	}
	for _, h := range list {
		s := spec{at: h.at}
		if condition != nil {
			s.fail(condition.at, fmt.Sprintf("the key %s has no meaning beside the hooks", quoted(condition.name)))
			s.hint = "write if inside the hook that it is for"
		}
		p.hook(e, h, s)
	}
}

// matcher reads a matcher. One that cannot be understood is for every call at
// PreToolUse, where its hooks may then only restrict; elsewhere they are left out.
func (p *parser) matcher(e *Entry, m member) (works bool) {
	var text string
	err := m.value.into(&text)
	if err == nil {
		e.Matcher, err = ParseMatcher(text)
	} else {
		err = fmt.Errorf("matcher: %w", err)
	}
	switch {
	case err != nil && e.Event.failsClosed():
		e.RestrictOnly = true
		p.report(m.value.at, fmt.Sprintf("%s: %v", e.Event, err), "until then its hooks run for every tool, and what they allow does not count")
	case err != nil:
		p.report(m.value.at, fmt.Sprintf("%s: %v", e.Event, err), "until then its hooks never run")
		return false
	case text != "" && text != "*" && !e.Event.HasSubject():
		e.Matcher = Matcher{}
		p.report(m.at, fmt.Sprintf("%s: the matcher is ignored: there is nothing to compare it with", e.Event), "")
	case e.Matcher.Warning() != "":
		p.report(m.value.at, fmt.Sprintf("%s: %s", e.Event, e.Matcher.Warning()), "")
	}
	return true
}

func (p *parser) unknownKey(m member) {
	p.report(m.at, fmt.Sprintf("unknown key %s is ignored", quoted(m.name)), "")
}

// hook reads one hook of a group; s may know already what is wrong with it.
func (p *parser) hook(e Entry, n node, s spec) {
	members, err := n.object()
	if err != nil {
		p.wrong(e, n.at, err.Error(), `write {"type": "command", "command": …}`)
		return
	}
	for _, m := range members {
		known, err := s.set(&e, m)
		switch {
		case err != nil:
			s.fail(m.value.at, m.name+": "+err.Error())
		case known:
		case meansMatcher(m.name):
			if !p.strayMatcher(&e, m, `write matcher beside "hooks"`) {
				return
			}
		case meansIf(m.name):
			s.fail(m.at, fmt.Sprintf("the key %s is not spelt right", quoted(m.name)))
			s.hint = "write if"
		default:
			p.unknownKey(m)
		}
	}
	e.Origin = p.at(n.at)
	s.finish(&e)
	for _, key := range s.foreign() {
		p.report(n.at, fmt.Sprintf("the key %q means nothing for a hook of type %s and is ignored", key, s.kind), "")
	}
	if s.problem != "" {
		p.wrong(e, s.problemAt, s.problem, s.hint)
		return
	}
	p.entries = append(p.entries, e)
}

// spec collects the keys of one hook, in whatever order they stand.
type spec struct {
	at        int
	kind      string
	command   string
	args      []string
	exec      bool // there is a key args
	url       string
	headers   map[string]string
	variables []string // that headers may use
	given     []string // keys that belong to one type of hook only
	problem   string   // the first thing that is wrong
	problemAt int
	hint      string
}

func (s *spec) fail(at int, problem string) {
	if s.problem == "" {
		s.problem, s.problemAt = problem, at
	}
}

// set takes one key; known is false for a key without meaning.
func (s *spec) set(e *Entry, m member) (known bool, err error) {
	switch m.name {
	case "type":
		return true, m.value.into(&s.kind)
	case "command":
		s.given = append(s.given, m.name)
		return true, m.value.into(&s.command)
	case "args":
		s.given = append(s.given, m.name)
		s.exec = true
		return true, m.value.into(&s.args)
	case "url":
		s.given = append(s.given, m.name)
		return true, m.value.into(&s.url)
	case "headers":
		s.given = append(s.given, m.name)
		return true, m.value.into(&s.headers)
	case "allowedEnvVars":
		s.given = append(s.given, m.name)
		return true, m.value.into(&s.variables)
	case "timeout":
		e.Timeout, err = seconds(m.value)
		return true, err
	case "async":
		return true, m.value.into(&e.Async)
	case "once":
		return true, m.value.into(&e.Once)
	case "onFailure":
		e.OnFailure, err = onFailure(m.value)
		return true, err
	case "if":
		e.If, err = s.condition(e.Event, m.value)
		return true, err
	}
	return false, nil
}

func seconds(n node) (time.Duration, error) {
	var value float64
	if err := n.into(&value); err != nil {
		return 0, err
	}
	if !(value > 0) || value > MaxTimeout.Seconds() {
		return 0, fmt.Errorf("%v: want seconds, more than 0 and at most %v", value, MaxTimeout.Seconds())
	}
	return time.Duration(math.Ceil(value * float64(time.Second))), nil
}

func onFailure(n node) (OnFailure, error) {
	var word string
	if err := n.into(&word); err != nil {
		return AsEvent, err
	}
	switch word {
	case "allow":
		return FailOpen, nil
	case "block":
		return FailClosed, nil
	}
	return AsEvent, fmt.Errorf("%s: want allow or block", quoted(word))
}

func (s *spec) condition(event Event, n node) (*Condition, error) {
	var text string
	if err := n.into(&text); err != nil {
		return nil, err
	}
	if !event.AboutTool() {
		return nil, errors.New("a rule can only be compared with a tool call, and this event has none")
	}
	return ParseCondition(text)
}

// finish makes the handler out of what was given.
func (s *spec) finish(e *Entry) {
	const hint = "a hook is of type command or http"
	var err error
	switch s.kind {
	case "command":
		e.Handler, err = s.process()
	case "http":
		e.Handler, err = NewHTTP(s.url, s.headers, s.variables...)
	case "":
		s.fail(s.at, `the key "type" is missing`)
		s.hint = hint
	default:
		s.fail(s.at, fmt.Sprintf("hooks of type %s do not exist here", quoted(s.kind)))
		s.hint = hint
	}
	if err != nil {
		s.fail(s.at, err.Error())
	}
}

// process is a command: with arguments it runs without a shell.
func (s *spec) process() (Command, error) {
	if s.exec {
		return ExecCommand(s.command, s.args...)
	}
	return ShellCommand(s.command)
}

// foreign are the given keys that belong to another type of hook.
func (s *spec) foreign() []string {
	var own []string
	switch s.kind {
	case "command":
		own = []string{"command", "args"}
	case "http":
		own = []string{"url", "headers", "allowedEnvVars"}
	default:
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.given), func(key string) bool { return slices.Contains(own, key) })
}
