package permission

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// Config is what a [Context] is made of.
type Config struct {
	// Mode is the mode to start in; zero means Default.
	Mode Mode
	// Cwd is the working directory: absolute, clean, as the kernel would name it
	// after following links.
	Cwd string
	// Home is the home directory of the user: "~/x" in rules and commands.
	Home string
	// Root is the project's root: "/x" in rules; empty means Cwd.
	Root string
	// UserRoot is what "/x" means in a rule of the user's settings; empty means
	// Home/.claude.
	UserRoot string
	// Rules in any order; each one's Origin names its source.
	Rules []rule.Rule
	// Lists are more rules, as settings files have them.
	Lists []rule.List
	// Directories besides Cwd in which files may be read, and edited in acceptEdits.
	Directories []Directory
	// AllowBypass: the process was started with the flag that permits switching to
	// bypassPermissions later. Starting in that mode counts.
	AllowBypass bool
	Limits
	// Protected are places besides those that are protected by their names. No update
	// takes one away.
	Protected []Place
	// Shell is the shell in which the agent runs its commands.
	Shell shell.Language
	// ModeLimit is the administrator's mode: nothing looser can be chosen, at the
	// start or later. Zero means that there is no limit.
	ModeLimit Mode
}

// Directory is an additional working directory and the source that granted it.
type Directory struct {
	Path   string // absolute and clean
	Source rule.Source
	// Given is the name it was granted under, when Path is where that link leads;
	// taking that name away takes this one away too.
	Given string
}

// Context is everything that is known about permissions at one moment. It is
// immutable and safe for concurrent use: an update makes a new one, and a check
// that is under way keeps the one it started with.
type Context struct {
	config Config
	// sets holds one compiled set per source, so that an update compiles only its
	// own; nil where a source has no rules.
	sets [rule.Session + 1]*rule.Set
	// restriction is the nearest deny or ask rule on Bash: what cannot be known may
	// be what it is about.
	restriction *rule.Rule
	// bash are the rules that name Bash as a whole: every shell call asks for them.
	bash rule.Hits
	// commands are, for each behaviour, the sets with rules on Bash, nearest source
	// first.
	commands [rule.Deny + 1][]*rule.Set
	// files: some rule is about files.
	files bool
	// paths are the sets with rules about files, nearest source first.
	paths []*rule.Set
	// parametric are the sets with rules on parameters, nearest source first.
	parametric []*rule.Set
	// led is what the links of a file system make of them.
	led    *ledRules
	parent *Context // set for a sub-agent
}

// NewContext compiles a configuration.
func NewContext(config Config) (*Context, error) {
	if !strings.HasPrefix(config.Cwd, "/") || !strings.HasPrefix(config.Home, "/") {
		return nil, fmt.Errorf("working directory %q and home %q must be absolute", config.Cwd, config.Home)
	}
	config.Cwd, config.Home = clean(config.Cwd), clean(config.Home)
	if config.Mode == 0 {
		config.Mode = Default
	}
	if !config.Mode.Within(config.ModeLimit) {
		config.Mode = config.ModeLimit
	}
	if config.Refuses(config.Mode) != nil {
		config.Mode = Default
	}
	config.AllowBypass = config.AllowBypass || config.Mode == BypassPermissions
	if config.Root == "" {
		config.Root = config.Cwd
	}
	if config.UserRoot == "" {
		config.UserRoot = config.Home + "/.claude"
	}
	c := &Context{config: config}
	c.config.Rules, c.config.Lists = nil, nil
	if err := c.compile(config.Rules, config.Lists); err != nil {
		return nil, err
	}
	c.index()
	return c, nil
}

// compile makes the set of each source.
func (c *Context) compile(rules []rule.Rule, lists []rule.List) error {
	var count [len(c.sets)]int
	for i := range rules {
		source := rules[i].Origin.Source
		if !c.isSource(source) {
			return fmt.Errorf("rule %q has no source", rules[i].Text)
		}
		count[source]++
	}
	var rulesOf [len(c.sets)][]rule.Rule
	for i := range rules {
		of := &rulesOf[rules[i].Origin.Source]
		if *of == nil {
			*of = make([]rule.Rule, 0, count[rules[i].Origin.Source])
		}
		*of = append(*of, rules[i])
	}
	var listsOf [len(c.sets)][]rule.List
	for i := range lists {
		source := lists[i].Source()
		if !c.isSource(source) {
			return errors.New("a list of rules has no source")
		}
		if c.config.counts(source, lists[i].Behavior()) {
			listsOf[source] = append(listsOf[source], lists[i])
		}
	}
	for source := range c.sets {
		rules, lists, anchors := c.config.counted(rule.Source(source), rulesOf[source]), listsOf[source], c.anchors(rule.Source(source))
		switch {
		case len(rules) > 0:
			for i := range lists {
				rules = lists[i].AppendTo(rules)
			}
			c.sets[source] = rule.Adopt(rules, anchors)
		case len(lists) > 0:
			c.sets[source] = rule.AdoptLists(lists, anchors)
		}
	}
	return nil
}

func (c *Context) isSource(s rule.Source) bool { return s != 0 && int(s) < len(c.sets) }

func (c *Context) anchors(source rule.Source) rule.Anchors {
	a := rule.Anchors{Root: c.config.Root, Cwd: c.config.Cwd, Home: c.config.Home}
	if source == rule.UserSettings {
		a.Root = c.config.UserRoot
	}
	return a
}

func (c *Context) index() {
	c.restriction, c.bash = nil, c.wholeTool("Bash")
	c.paths, c.parametric, c.led = nil, nil, new(ledRules)
	clear(c.commands[:])
	for _, source := range rule.Sources {
		set := c.sets[source]
		if set == nil {
			continue
		}
		if set.HasFiles() {
			c.paths = append(c.paths, set)
		}
		if set.HasParameters() {
			c.parametric = append(c.parametric, set)
		}
		if c.restriction == nil {
			c.restriction = set.Restriction()
		}
		for b := rule.Allow; b <= rule.Deny; b++ {
			if set.HasBash(b) {
				c.commands[b] = append(c.commands[b], set)
			}
		}
	}
	c.files = len(c.paths) > 0
}

// bareHits are the rules that name a tool as a whole, nearest source first.
func (c *Context) bareHits(tool string) rule.Hits {
	if tool == "Bash" {
		return c.bash
	}
	return c.wholeTool(tool)
}

func (c *Context) wholeTool(tool string) rule.Hits {
	var hits rule.Hits
	for _, source := range rule.Sources {
		if set := c.sets[source]; set != nil {
			hits = merge(hits, set.Tool(tool))
		}
	}
	return hits
}

// Removed is the rule that takes a tool away as a whole, a deny without content: to
// the agent there is no such tool. It is nil when nothing does.
func (c *Context) Removed(tool string) *rule.Rule {
	if r := c.bareHits(tool).Deny; r != nil {
		return r
	}
	switch tool { // one tool under two names
	case "Agent":
		return c.bareHits("Task").Deny
	case "Task":
		return c.bareHits("Agent").Deny
	}
	return nil
}

// Mode is the mode in force; inside a sub-agent it is Bubble.
func (c *Context) Mode() Mode {
	if c.parent != nil {
		return Bubble
	}
	return c.config.Mode
}

// effective is the mode that decides: a sub-agent decides like its parent.
func (c *Context) effective() Mode { return c.config.Mode }

// Cwd is the working directory.
func (c *Context) Cwd() string { return c.config.Cwd }

// Home is the home directory.
func (c *Context) Home() string { return c.config.Home }

// Directories are the additional working directories.
func (c *Context) Directories() []Directory { return slices.Clone(c.config.Directories) }

// Rules lists the rules of all sources, nearest source first.
func (c *Context) Rules() []rule.Rule {
	var all []rule.Rule
	for _, source := range rule.Sources {
		if set := c.sets[source]; set != nil {
			all = append(all, set.Rules()...)
		}
	}
	return all
}

// Bubble is the context of a sub-agent: the same permissions, never more, and its
// questions go to the parent. It can be restricted further; what would loosen it
// belongs to the parent's context, and is refused here.
func (c *Context) Bubble() *Context {
	child := *c
	child.parent = c
	return &child
}

// Parent is the context of the agent that started this one, or nil.
func (c *Context) Parent() *Context { return c.parent }

// inside reports whether a path lies in a working directory, under both names.
func (c *Context) inside(p Path) bool {
	return p.Problem == "" && c.insideDir(p.Given) && (p.Real == p.Given || c.insideDir(p.Real))
}

func (c *Context) insideDir(path string) bool {
	if within(path, c.config.Cwd) {
		return true
	}
	for i := range c.config.Directories {
		if within(path, c.config.Directories[i].Path) {
			return true
		}
	}
	return false
}

// ErrBypass says that bypassPermissions cannot be switched on.
var ErrBypass = errors.New("bypassPermissions was not enabled when the process started; start it with --allow-dangerously-skip-permissions")

// ErrModeLimit says that a mode is looser than the administrator's.
var ErrModeLimit = errors.New("managed settings name a defaultMode, and a looser mode cannot be chosen")

// ErrSubAgent says that a sub-agent would get more than its parent has.
var ErrSubAgent = errors.New("a sub-agent's permissions cannot be loosened; change those of the agent that started it")

// WithMode is the context in another mode.
func (c *Context) WithMode(mode Mode) (*Context, error) {
	refused := c.config.Refuses(mode)
	switch {
	case mode == Bubble || mode == 0:
		return nil, fmt.Errorf("mode %v cannot be chosen", mode)
	case refused != nil:
		return nil, refused
	case mode == BypassPermissions && !c.config.AllowBypass:
		return nil, ErrBypass
	case !mode.Within(c.config.ModeLimit):
		return nil, fmt.Errorf("mode %v: %w (it is %v)", mode, ErrModeLimit, c.config.ModeLimit)
	case c.parent != nil && mode != c.config.Mode && !mode.Tightens(c.config.Mode):
		return nil, fmt.Errorf("mode %v: %w", mode, ErrSubAgent)
	}
	next := *c
	next.config.Mode = mode
	return &next, nil
}
