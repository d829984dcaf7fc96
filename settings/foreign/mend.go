package foreign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// A guard that is there already may be one that stops nothing: its program is gone,
// what its line says does not reach the agent, the agent does not wait for it. This
// file finds that out, and mends what can be mended without losing what a person has
// written.

// rewire looks at the guards that are there. With one that stops every call nothing is
// left to do. Otherwise the first one is mended; where nobody can say what one does, it
// is left alone, and the outcome is that there is none.
func (e *edit) rewire(d *document, a Agent, p Program, all []wired, runs func(string) bool) Outcome {
	var clear []wired
	for _, w := range all {
		if why := d.unclear(a, p, w); why != "" {
			e.notes = append(e.notes, "a guard that is there does not count: "+why)
			continue
		}
		clear = append(clear, w)
	}
	if len(clear) == 0 {
		return Missing
	}
	whole := slices.DeleteFunc(slices.Clone(clear), func(w wired) bool { return d.narrow(a, w) != "" })
	if len(whole) == 0 {
		e.notes = append(e.notes, d.narrow(a, clear[0]))
		whole = clear
	}
	var chosen *mending
	for _, w := range whole {
		m := d.examine(a, p, w, runs)
		if len(m.splices) == 0 {
			e.notes = append(e.notes, m.remarks...)
			return Present
		}
		if chosen == nil {
			chosen = m
		}
	}
	e.notes = append(append(e.notes, chosen.flaws...), chosen.remarks...)
	after := d.spliced(chosen.splices...)
	e.step(MendedHook, after, func(s *Step) {
		s.Agent, s.Was, s.Value = a.String(), d.source(chosen.guard.node), e.mended(a, chosen.guard, after)
	})
	return Mended
}

// mended is a guard as it is after it was mended.
func (e *edit) mended(a Agent, was wired, after []byte) string {
	d, err := parse(e.file, after)
	if err != nil {
		return "" // which the plan will find
	}
	_, list, _ := d.list(a)
	for _, w := range d.guards(a, list) {
		if w.entry == was.entry && w.handler == was.handler {
			return d.source(w.node)
		}
	}
	return ""
}

// unclear is why nobody can say that a guard stops calls, or mend it.
func (d *document) unclear(a Agent, p Program, w wired) string {
	if kind, i := w.node.member("type"); i >= 0 && d.str(kind) != "command" {
		return fmt.Sprintf("its type is %s, so no command is run", d.raw(kind))
	}
	if why := d.odd(a, w); why != "" {
		return why
	}
	c, ok := w.here(p)
	switch {
	case !ok:
		return "it has no command for this system"
	case c.unclear != "":
		return c.unclear
	case c.exec() && d.holdsComment(c.args):
		return "its arguments hold a comment"
	}
	for _, key := range a.commandKeys() { // which of two commands runs is not known
		_, i := w.node.member(key)
		guard := slices.ContainsFunc(w.commands, func(c command) bool { return c.key == key })
		if i >= 0 && key != otherSystem(p) && !guard {
			return fmt.Sprintf("its %q starts something else", key)
		}
	}
	return ""
}

// odd is why nobody can say when the agent runs a guard: what says so is of a kind that
// the agent does not know.
func (d *document) odd(a Agent, w wired) string {
	if w.matcherAt.kind != 0 && w.matcherAt.kind != '"' {
		return fmt.Sprintf("its matcher is %s, which is no text", d.raw(w.matcherAt))
	}
	if a == Copilot && w.matcher == "*" {
		return `its matcher "*" is no pattern`
	}
	if v, i := w.node.member("if"); a == Claude && i >= 0 && v.kind != '"' {
		return fmt.Sprintf(`its "if" is %s, which is no text`, d.raw(v))
	}
	for _, key := range asyncKeys {
		if v, i := w.node.member(key); i >= 0 && v.kind != 't' && v.kind != 'f' {
			return fmt.Sprintf("its %q is %s, which is neither true nor false", key, d.raw(v))
		}
	}
	return ""
}

// asyncKeys are the keys by which an agent does not wait for a hook.
var asyncKeys = [...]string{"async", "asyncRewake"}

// here is the command that runs on this system.
func (w wired) here(p Program) (command, bool) {
	for _, c := range w.commands {
		if c.key != otherSystem(p) {
			return c, true
		}
	}
	return command{}, false
}

// otherSystem is the key of the command that does not run on this system.
func otherSystem(p Program) string {
	if p.Windows {
		return "bash"
	}
	return "powershell"
}

// narrow says which calls a guard does not see; empty if it sees all.
func (d *document) narrow(a Agent, w wired) string {
	if condition, _ := w.node.member("if"); a == Claude && d.str(condition) != "" {
		return fmt.Sprintf(`the guard sees only the calls that its "if" %q names`, d.str(condition))
	}
	if !everything(w.matcher) {
		return fmt.Sprintf("the guard sees only the tools that its matcher %q names", w.matcher)
	}
	return ""
}

// mending is what is wrong with a guard, and how that is put right.
type mending struct {
	*document
	agent   Agent
	guard   wired
	flaws   []string // what the splices put right
	splices []splice
	remarks []string // what a person should know, and may want
}

func (m *mending) flaw(says string, s ...splice) {
	m.flaws, m.splices = append(m.flaws, says), append(m.splices, s...)
}

func (d *document) examine(a Agent, p Program, w wired, runs func(string) bool) *mending {
	m := &mending{document: d, agent: a, guard: w}
	if shell, _ := w.node.member("shell"); d.str(shell) == "powershell" {
		p.Windows = true
	}
	c, _ := w.here(p)
	m.program(c, p, runs)
	m.waits(c.told)
	m.closed()
	m.remark(c.told)
	return m
}

// program: the command starts a program that is there, and says "no" if it cannot.
func (m *mending) program(c command, p Program, runs func(string) bool) {
	gone := c.program != p.Path && !runs(c.program)
	if gone {
		m.flaw("the program " + c.program + " of the guard was not found")
	}
	switch {
	case c.exec():
		if gone {
			m.splices = append(m.splices, m.execSplices(c, p)...)
		}
		if p.otherwise(m.agent) != "" {
			m.remarks = append(m.remarks, "the guard is started without a shell: if it cannot be started, "+m.agent.Name()+" lets the call run")
		}
		return
	case !obeyed(m.agent, p, c.otherwise):
		m.flaw("when the guard cannot be started, its line does not say \"no\" in a way that " + m.agent.Name() + " obeys")
	case !gone:
		return
	}
	m.splices = append(m.splices, m.replaced(c.value, c.again(m.agent, p, gone)))
	if gone {
		m.others(c, p)
	}
}

// again is the line as it should be. The person's flags stay as they are written, and
// so does the program if it is there.
func (c command) again(a Agent, p Program, gone bool) string {
	start, alone := c.start, guardAlone(c.program)
	if gone {
		start, alone = p.quoted(), guardAlone(p.Path)
		if c.key == "powershell" {
			start = p.quotedForPowershell()
		}
	}
	if !alone {
		start += " hook"
	}
	if c.key == "powershell" {
		return start + c.flags
	}
	return start + c.flags + p.otherwise(a)
}

// others: the commands for other systems start the same program, or a path that is as
// old. A name is right on every system, a path only here.
func (m *mending) others(mended command, p Program) {
	for _, c := range m.guard.commands {
		switch old := c.program; {
		case c.key == mended.key || c.exec() || old != mended.guardLine.program && !strings.ContainsAny(old, `/\`):
		case p.absolute():
			m.remarks = append(m.remarks, fmt.Sprintf("its %q line still starts %s", c.key, old))
		default:
			m.splices = append(m.splices, m.replaced(c.value, c.again(m.agent, p, true)))
		}
	}
}

// execSplices give a program that is started without a shell the arguments that it
// needs: only one of the two programs has a word for being the guard.
func (m *mending) execSplices(c command, p Program) []splice {
	all := []splice{m.replaced(c.value, p.Path)}
	was, is := guardAlone(c.program), guardAlone(p.Path)
	items := c.args.items
	switch {
	case was && !is && len(items) == 0:
		all = append(all, splice{at: c.args.start, end: c.args.end, text: `["hook"]`})
	case was && !is:
		all = append(all, splice{at: items[0].start, end: items[0].start, text: `"hook", `})
	case !was && is && len(items) == 1:
		all = append(all, splice{at: c.args.start, end: c.args.end, text: `[]`})
	case !was && is:
		all = append(all, splice{at: items[0].start, end: items[1].start})
	}
	return all
}

// waits: the agent waits for the answer, and longer than the guard takes.
func (m *mending) waits(t told) {
	for _, key := range asyncKeys {
		if v, _ := m.guard.node.member(key); v.kind == 't' {
			m.flaw(fmt.Sprintf("%q: %s does not wait for the guard", key, m.agent.Name()), splice{at: v.start, end: v.end, text: "false"})
		}
	}
	key, unit, limit := m.agent.patience()
	v, i := m.guard.node.member(key)
	if i >= 0 {
		number, _ := strconv.ParseFloat(string(m.raw(v)), 64)
		limit = time.Duration(min(number, 1e6) * float64(unit))
	}
	if limit > t.deadline {
		return
	}
	enough := strconv.Itoa(int((t.deadline + hookSeconds*time.Second - guardDeadline) / unit))
	m.flaw(fmt.Sprintf("%s waits %v for the guard, which may take %v", m.agent.Name(), limit, t.deadline), m.set(key, enough))
}

// patience is how long an agent waits for a hook: the key for it, its unit, and what
// holds without it.
func (a Agent) patience() (key string, unit, usual time.Duration) {
	switch a {
	case Gemini:
		return "timeout", time.Millisecond, time.Minute
	case Cursor:
		return "timeout", time.Second, time.Minute
	case Copilot:
		return "timeoutSec", time.Second, 30 * time.Second
	default:
		return "timeout", time.Second, 10 * time.Minute
	}
}

// closed: Cursor lets a call run when a hook fails, unless it is told not to.
func (m *mending) closed() {
	if v, _ := m.guard.node.member("failClosed"); m.agent == Cursor && v.kind != 't' {
		m.flaw(`without "failClosed" Cursor lets a call run when the guard fails`, m.set("failClosed", "true"))
	}
}

// remark tells what a guard is told that makes it looser, or another one.
func (m *mending) remark(t told) {
	if t.trust {
		m.remarks = append(m.remarks, "the guard has --trust-workspace: every project grants itself what it likes")
	}
	if t.settings != "" {
		m.remarks = append(m.remarks, "the guard has --settings "+t.settings+": what that allows is allowed")
	}
	if t.project != "" {
		m.remarks = append(m.remarks, "the guard has --project "+t.project+": wherever the agent works, the settings of that project hold")
	}
}

// replaced puts another string in the place of one.
func (d *document) replaced(n node, s string) splice {
	quoted, err := strictjson.Marshal(s)
	if err != nil {
		quoted = d.raw(n) // what was read from JSON can be written as JSON
	}
	return splice{at: n.start, end: n.end, text: string(quoted)}
}

// set replaces the value of a key, or puts the key before the others: what stands
// behind a value may be a comment on it.
func (m *mending) set(key, value string) splice {
	n := m.guard.node
	if v, i := n.member(key); i >= 0 {
		return splice{at: v.start, end: v.end, text: value}
	}
	first := n.items[0].start
	text := `"` + key + `": ` + value + ", "
	if indent, ok := m.startsLine(first); ok {
		text = strings.TrimSuffix(text, " ") + m.eol + indent
	}
	return splice{at: first, end: first, text: text}
}
