package permission

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// DefaultAgent is the kind of agent that a call starts which names none. Rules on it hold
// for such a call, too.
const DefaultAgent = "general-purpose"

// Request is a call as it comes from the model.
type Request struct {
	Tool  string
	Input []byte // JSON
	// Cwd is where the call runs; empty means the context's.
	Cwd string
	// Given is the input as it was given, which rules on parameters are compared with; nil means Input.
	Given []byte
	// AgentID names the sub-agent that makes the call; empty for the main agent.
	AgentID string
	// Hook is what the PreToolUse hooks said.
	Hook Verdict
}

// Call is a request whose input was validated and decoded once: what is judged is
// what will run.
type Call struct {
	Name    string
	Kind    Kind
	AgentID string
	Hook    Verdict
	// Input is the decoded input.
	Input map[string]any

	cwd     string // where it runs
	command string // Shell
	path    Path   // Read, Search, Edit
	host    string // Fetch
	content string // what a rule's content is compared with, for the other kinds
	given   []byte // the input as it was given, for rules on parameters
	script  *shell.Script
}

// Script is how the command of a shell call is understood; nil for other calls.
func (c *Call) Script() *shell.Script {
	if c.Kind == Shell && c.script == nil {
		c.script = shell.Parse(c.command)
	}
	return c.script
}

// Path is the file that the call names; zero for calls that name none.
func (c *Call) Path() Path { return c.path }

// ErrNoSuchTool is the error for a tool that does not exist or was removed.
var ErrNoSuchTool = errors.New("no such tool")

// InvalidError is the error for an input that is not what the tool's schema says.
// It becomes a question: an answer may fix the input.
type InvalidError struct {
	Tool string
	Err  error
}

func (e *InvalidError) Error() string { return e.Err.Error() }

func (e *InvalidError) Unwrap() error { return e.Err }

// Engine decides calls. It holds what does not change: the tools and the file
// system's links. It is safe for concurrent use.
type Engine struct {
	tools Tools
	links Links
}

// NewEngine makes an engine; a nil links means that there are none.
func NewEngine(tools Tools, links Links) *Engine {
	if links == nil {
		links = NoLinks{}
	}
	return &Engine{tools: tools, links: links}
}

// Validate is stage 1: it finds the tool, checks the input against its schema and
// resolves the path it names. The error is [ErrNoSuchTool], an [*InvalidError] or a
// [*FaultError].
func (e *Engine) Validate(ctx *Context, req Request) (call *Call, err error) {
	defer catch(func(fault *FaultError) { call, err = nil, fault })
	tool, ok := e.tools.Lookup(req.Tool)
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoSuchTool, req.Tool)
	}
	input, err := tool.Decode(req.Input)
	if err != nil {
		return nil, &InvalidError{Tool: req.Tool, Err: err}
	}
	cwd := req.Cwd
	if cwd == "" {
		cwd = ctx.Cwd()
	}
	call = &Call{Name: tool.Name(), Kind: tool.Kind(), AgentID: req.AgentID, Hook: req.Hook, Input: input, cwd: cwd, given: req.Given}
	if call.given == nil {
		call.given = req.Input
	}
	subject, _ := input[tool.Subject()].(string)
	if call.Kind == Agent && subject == "" {
		subject = DefaultAgent
	}
	if err := e.subject(ctx, call, subject, cwd); err != nil {
		return nil, &InvalidError{Tool: req.Tool, Err: err}
	}
	return call, nil
}

func (e *Engine) subject(ctx *Context, call *Call, subject, cwd string) error {
	switch call.Kind {
	case Shell:
		call.command = subject
	case Read, Edit:
		call.path = ResolvePath(e.links, subject, cwd, ctx.Home())
	case Search:
		call.path = ResolvePath(e.links, searchRoot(call, subject), cwd, ctx.Home())
	case Fetch:
		u, err := url.Parse(subject)
		if err != nil || u.Hostname() == "" {
			return fmt.Errorf("%s input: /url: want an absolute URL with a host", call.Name)
		}
		if u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("%s input: /url: want http or https, got %q", call.Name, u.Scheme)
		}
		if call.host, err = canonicalHost(u.Hostname()); err != nil {
			return fmt.Errorf("%s input: /url: %w", call.Name, err)
		}
	case Other, Lookup, Session, Person, Agent, Process:
		call.content = subject
	}
	return nil
}

// canonicalHost is the one spelling of a host that rules are compared with. What a
// client might read as another host is refused, not guessed: also letters beyond
// ASCII, of which clients make different names.
func canonicalHost(host string) (string, error) {
	if strings.IndexFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return "", errors.New("the host is not plain ASCII: write it in its xn-- form")
	}
	name, problem := rule.CanonicalHost(host)
	if problem != "" {
		return "", errors.New("the host " + problem)
	}
	return name, nil
}

// searchRoot is the directory a search starts in. A pattern of Glob may itself
// name another one: "/etc/*", "../x/**".
func searchRoot(call *Call, dir string) string {
	if dir == "" {
		dir = "."
	}
	pattern, _ := call.Input["pattern"].(string)
	if call.Name != "Glob" || pattern == "" {
		return dir
	}
	literal := pattern
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		literal = pattern[:strings.LastIndexByte(pattern[:i], '/')+1]
	}
	switch {
	case strings.Contains(pattern[len(literal):], "..") || choosesPaths(pattern):
		return "/" // a wildcard before "..", or a choice of paths, may lead anywhere
	case strings.HasPrefix(literal, "/") || strings.HasPrefix(literal, "~"):
		return literal
	}
	return dir + "/" + literal
}

// choosesPaths: one of several choices in a pattern is a path of its own, "{/etc,x}/*".
// One among names, "*.{ts,tsx}", stays where it stands.
func choosesPaths(pattern string) bool {
	depth := 0
	for _, c := range pattern {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth = max(depth-1, 0)
		case depth > 0 && (c == '/' || c == '~' || c == '\\'):
			return true
		}
	}
	return depth > 0 // where it ends nobody can say
}

// Invalid is the decision for an input that failed validation: ask, so that
// somebody may fix it; it can never run as it is. Where the context is not known
// (nil) it asks in any mode.
func Invalid(ctx *Context, err *InvalidError) (d Decision) {
	reason := Reason{Kind: ByInvalid, Detail: err.Error()}
	if ctx == nil {
		d.end(StageValidate, Ask, reason)
		return d
	}
	d.ask(ctx, StageValidate, reason)
	return d
}
