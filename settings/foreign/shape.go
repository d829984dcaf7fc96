package foreign

import "slices"

// hookSeconds is how long an agent waits for the guard. Most agents let a call run
// when a hook takes too long, so it must be well above the guard's own deadline.
const hookSeconds = 30

// event is the name of the list of hooks that see every call before it runs. One is
// enough: where an agent has several, such as Cursor's beforeShellExecution, a call
// that fires one of those fires this one, too.
func (a Agent) event() string {
	switch a {
	case Claude, Codex:
		return "PreToolUse"
	case Gemini:
		return "BeforeTool"
	default:
		return "preToolUse"
	}
}

// versioned: the file must say "version": 1.
func (a Agent) versioned() bool { return a == Cursor || a == Copilot }

// grouped: handlers stand in groups that share a matcher.
func (a Agent) grouped() bool { return a == Claude || a == Codex || a == Gemini }

// refusesComments: the file is read as plain JSON, as far as is known.
func (a Agent) refusesComments() bool { return a != Gemini }

type group struct {
	Matcher string    `json:"matcher"`
	Hooks   []handler `json:"hooks"`
}

// handler has the keys of all agents; each uses some.
type handler struct {
	Name       string `json:"name,omitzero"`
	Type       string `json:"type,omitzero"`
	Command    string `json:"command,omitzero"`
	Bash       string `json:"bash,omitzero"`
	Powershell string `json:"powershell,omitzero"`
	Timeout    int    `json:"timeout,omitzero"`
	TimeoutSec int    `json:"timeoutSec,omitzero"`
	FailClosed bool   `json:"failClosed,omitzero"`
}

// handler is what starts the guard.
func (a Agent) handler(p Program) handler {
	line := p.line(a)
	switch a {
	case Gemini: // its timeout is in milliseconds
		return handler{Name: "assent", Type: "command", Command: line, Timeout: hookSeconds * 1000}
	case Cursor:
		return handler{Command: line, Timeout: hookSeconds, FailClosed: true}
	case Copilot:
		h := handler{Type: "command", Bash: line, Powershell: p.powershell(a), TimeoutSec: hookSeconds}
		if p.absolute() { // a path is that of one system
			h.Powershell = ""
		}
		if p.absolute() && p.Windows {
			h.Bash, h.Powershell = "", p.powershell(a)
		}
		return h
	default:
		return handler{Type: "command", Command: line}
	}
}

// entry is what is added to the list of the event.
func (a Agent) entry(p Program) any {
	if !a.grouped() {
		return a.handler(p)
	}
	return group{Matcher: a.matcher(), Hooks: []handler{a.handler(p)}}
}

// matcher is the one that is written for every tool; empty where none is.
func (a Agent) matcher() string {
	switch {
	case !a.grouped():
		return ""
	case a == Gemini: // its matcher is a regular expression
		return ".*"
	}
	return "*"
}

// list finds the hooks of the event. What does not exist is a node without a kind.
func (d *document) list(a Agent) (hooks, list node, err error) {
	hooks, i := d.root.member("hooks")
	if i < 0 {
		return hooks, list, nil
	}
	if hooks.kind != '{' {
		return hooks, list, d.broken(hooks.start, "hooks must be an object")
	}
	if list, i = hooks.member(a.event()); i >= 0 && list.kind != '[' {
		return hooks, list, d.broken(list.start, a.event()+" must be a list")
	}
	return hooks, list, nil
}

// wired is a handler that starts the guard.
type wired struct {
	entry, handler int // indices; handler is -1 where there are no groups
	node           node
	matcher        string
	matcherAt      node
	commands       []command
}

// command is one of the commands of a handler, which can have one for each system.
type command struct {
	key   string
	value node
	args  node // of a program that is started without a shell
	guardLine
}

// exec: it is started without a shell.
func (c command) exec() bool { return c.args.kind != 0 }

// guards lists the handlers of the event that start the guard for this agent.
func (d *document) guards(a Agent, list node) []wired {
	var all []wired
	add := func(h node, entry, handler int, matcher node) {
		if commands := d.commands(a, h); len(commands) > 0 {
			all = append(all, wired{entry: entry, handler: handler, node: h, matcher: d.str(matcher), matcherAt: matcher, commands: commands})
		}
	}
	for i, e := range list.elements() {
		matcher, _ := e.member("matcher")
		if !a.grouped() {
			add(e, i, -1, matcher)
			continue
		}
		handlers, _ := e.member("hooks")
		for j, h := range handlers.elements() {
			add(h, i, j, matcher)
		}
	}
	return all
}

// commands are those of a handler that start the guard for this agent.
func (d *document) commands(a Agent, h node) []command {
	var all []command
	args, _ := h.member("args")
	for _, key := range a.commandKeys() {
		value, _ := h.member(key)
		c := command{key: key, value: value}
		ok := false
		if args.kind == '[' && (key == "exec" || a == Claude) {
			var given []string
			for _, e := range args.elements() {
				given = append(given, d.str(e))
			}
			c.args = args
			c.guardLine, ok = readCommand(d.str(value), given)
		} else {
			c.guardLine, ok = readLine(d.str(value))
		}
		if ok && c.told.agent == a.String() {
			all = append(all, c)
		}
	}
	return all
}

// commandKeys are the keys under which a handler has its command.
func (a Agent) commandKeys() []string {
	if a == Copilot {
		return []string{"command", "bash", "powershell", "exec"}
	}
	return []string{"command"}
}

// everything: a matcher that leaves no tool out.
func everything(matcher string) bool {
	return slices.Contains([]string{"", "*", ".*"}, matcher)
}
