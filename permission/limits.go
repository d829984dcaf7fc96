package permission

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// Limits are what settings forbid, whatever rules, modes, hooks and people say. The zero
// value forbids nothing.
type Limits struct {
	// DisableBypass, DisableAuto: the mode cannot be entered.
	DisableBypass, DisableAuto bool
	// ManagedRulesOnly: only managed settings allow. Deny and ask rules of every source hold.
	ManagedRulesOnly bool
	// NoPrompts: a call about which a person would be asked is denied instead. Classifiers and
	// PermissionRequest hooks answer first.
	NoPrompts bool
	// BlockReads, BlockWrites: the tools for files are refused outside the working directories, and a
	// command that names a path there asks (BlockReads). BlockWrites also refuses to write settings files.
	BlockReads, BlockWrites bool
	// ReadsExempt are directories and files that BlockReads leaves alone: absolute, as written.
	ReadsExempt []string
	// Servers are lists of MCP servers: a call to one that is not on all of them is denied.
	Servers []ServerList
}

// ServerList says which MCP servers may be used.
type ServerList struct {
	Place string   // of the list: "allowedMcpServers (FILE:LINE)"
	Names []string // as the names of tools have them
}

// refusesServer says why settings refuse the server of a tool; empty if they do not.
func (l *Limits) refusesServer(call *Call) string {
	if len(l.Servers) == 0 {
		return ""
	}
	rest, mcp := strings.CutPrefix(call.Name, "mcp__")
	server, _, _ := strings.Cut(rest, "__")
	if call.Name == "ReadMcpResourceTool" {
		server, mcp = call.Input["server"].(string)
	}
	if !mcp {
		return ""
	}
	for i := range l.Servers {
		if !slices.Contains(l.Servers[i].Names, server) {
			return l.Servers[i].Place + " does not name the server " + server
		}
	}
	return ""
}

// ErrBypassDisabled says that settings forbid bypassPermissions.
var ErrBypassDisabled = errors.New("bypassPermissions is disabled by settings (disableBypassPermissionsMode)")

// ErrAutoDisabled says that settings forbid auto mode.
var ErrAutoDisabled = errors.New("auto mode is disabled by settings (disableAutoMode, or limits in autoMode that assent does not enforce)")

// ErrManagedRulesOnly says that an allow rule does not count.
var ErrManagedRulesOnly = errors.New("only managed settings allow anything here (allowManagedPermissionRulesOnly)")

// Refuses says why a mode cannot be entered; nil if it can.
func (l *Limits) Refuses(mode Mode) error {
	switch {
	case mode == BypassPermissions && l.DisableBypass:
		return ErrBypassDisabled
	case mode == Auto && l.DisableAuto:
		return ErrAutoDisabled
	}
	return nil
}

// counts reports whether rules of a source and behavior are in force.
func (l *Limits) counts(source rule.Source, b rule.Behavior) bool {
	return !l.ManagedRulesOnly || source == rule.PolicySettings || b != rule.Allow
}

// counted drops the rules that are not in force. It may write to a list of its own only.
func (l *Limits) counted(source rule.Source, rules []rule.Rule) []rule.Rule {
	if !l.ManagedRulesOnly {
		return rules
	}
	return slices.DeleteFunc(rules, func(r rule.Rule) bool { return !l.counts(source, r.List) })
}

// NoPrompts reports whether no person is asked about anything.
func (c *Context) NoPrompts() bool { return c.config.NoPrompts }

// NobodyAsked is why a question had no answer where no person is asked.
const NobodyAsked = "permissions.denyInsteadOfPrompting is set, so nobody is asked"

// Unasked is the decision where only a person could answer the question: settings may want it
// denied instead. What a classifier may answer stays a question.
func (d Decision) Unasked(ctx *Context) Decision {
	if !ctx.NoPrompts() || d.Behavior != Ask || d.Classify {
		return d
	}
	d.Behavior = Deny
	d.Reason = Reason{Kind: ByLimit, Detail: fmt.Sprintf("%s and this is denied (%s)", NobodyAsked, d.Reason.sentence(Ask))}
	return d
}

// Question is the reason of the stage that decided, also where the mode or a setting has
// turned its question into a denial.
func (d Decision) Question() Reason {
	turned := d.Reason.Kind == ByMode && d.Reason.Mode == DontAsk || d.Reason.Kind == ByLimit && d.Behavior == Deny
	if turned && d.Trace[d.Stage-1].Outcome == Ask {
		return d.Trace[d.Stage-1].Reason
	}
	return d.Reason
}

// blocks says why settings refuse a file; empty if they do not.
func (c *Context) blocks(call *Call) string {
	switch l := &c.config.Limits; {
	case call.Kind != Edit && l.BlockReads && !c.mayRead(call.path):
		return "blockReadsOutsideWorkingDirectories refuses to read outside the working directories"
	case call.Kind != Edit || !l.BlockWrites:
	case !c.inside(call.path):
		return "blockWritesOutsideWorkingDirectories refuses to write outside the working directories"
	case c.isSettings(call.path.Given) || c.isSettings(call.path.Real):
		return "blockWritesOutsideWorkingDirectories refuses to write settings files"
	}
	return ""
}

// mayRead: both names of the file lie in a working directory or are exempt.
func (c *Context) mayRead(p Path) bool {
	return p.Problem == "" && c.open(p.Given) && (p.Real == p.Given || c.open(p.Real))
}

func (c *Context) open(name string) bool {
	return c.insideDir(name) || c.exempt(name)
}

func (c *Context) exempt(name string) bool {
	return slices.ContainsFunc(c.config.ReadsExempt, func(dir string) bool { return within(name, dir) })
}

// isSettings: the file says what is allowed, by its name or because settings are read from it.
func (c *Context) isSettings(name string) bool {
	dir, base := path.Split(lower(name))
	switch path.Base(dir) {
	case ".claude", ".assent":
		return base == "settings.json" || base == "settings.local.json"
	}
	return strings.HasPrefix(base, "managed-settings") || c.place(name) != nil
}

// blockedReads asks about a command that names a file outside the working directories, in
// every mode and whatever is allowed. A word of which nothing is known, given to a program
// that may not take it for a file, names none.
func (s *shellCheck) blockedReads() {
	if !s.ctx.config.BlockReads || s.f.rules == Deny || s.f.rules == Ask {
		return
	}
	s.dropSeen()
	for k := range s.accesses {
		a := s.access(k)
		path, where := s.accessOutside(a)
		if where == inside || a.Possible && (where == unknown || isProse(a.Path)) {
			continue
		}
		s.matched(Ask, Reason{Kind: ByLimit, Detail: "blockReadsOutsideWorkingDirectories: " + where.String(), Part: s.part(a.Command), Path: path})
		return
	}
}
