package settings

import (
	"slices"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// hookGroup is one entry of a hook event: a matcher with its hooks.
type hookGroup struct {
	HookMatcher
	line int
	text string
}

// hookGroups takes the hooks apart. What has not the known shape counts as a hook
// for every call.
func (c *content) hookGroups() []hookGroup {
	var all []hookGroup
	for _, event := range c.hooks.members {
		if event.value.Kind != '[' {
			all = append(all, hookGroup{HookMatcher{Event: event.name}, event.line, canonical(event.value)})
			continue
		}
		for n := range event.value.Elements() {
			all = append(all, hookGroup{HookMatcher{event.name, matcher(n)}, event.line, canonical(n)})
		}
	}
	return all
}

func matcher(group strictjson.Node) string {
	return group.Member("matcher").Text()
}

// holdBack records what an untrusted file does not get.
func (a *assembly) holdBack(c *content, t text) {
	h := &a.s.HeldBack
	h.Rules = united(h.Rules, []rule.List{a.list(c.allow, rule.Allow, t)})
	for _, e := range c.directories {
		h.Directories = append(h.Directories, a.bothNames(a.absolute(e.text), t.source)...)
	}
	for _, g := range c.hookGroups() {
		h.Hooks = append(h.Hooks, g.HookMatcher)
	}
	h.DisableAllHooks = h.DisableAllHooks || c.disableAllHooks.set()
	h.Env = append(h.Env, names(c.env.members)...)
	h.MCPServers = append(h.MCPServers, names(c.mcpServers.members)...)
	h.Assent = append(h.Assent, names(granting(c.assent).members)...)
}

func names(members []member) []string {
	var all []string
	for _, m := range members {
		all = append(all, m.name)
	}
	return all
}

// reportHeldBack tells about each thing that is held back, once.
func (a *assembly) reportHeldBack(g Grant) {
	if a.trusted {
		return
	}
	for _, i := range g.items {
		if !a.counts(i) {
			continue
		}
		a.report(Report{
			Kind: HeldBackGrant, File: i.file, Line: i.line,
			Text: i.text + " is held back: nobody has trusted this workspace", Hint: a.trustHint(),
		})
	}
}

// counts: the thing is of a file that was asked for and can be read, and it is not
// a mode, which is in force when it restricts and has its own report when it does
// not exist.
func (a *assembly) counts(i grantItem) bool {
	if i.line == 0 || i.file == a.mcpPath() {
		return i.line > 0
	}
	at := slices.IndexFunc(a.s.Files, func(f File) bool { return f.Path == i.file })
	if at < 0 || !i.isMode {
		return at >= 0
	}
	f := &a.s.Files[at]
	mode, err := permission.ParseMode(a.text(f).said.mode.text)
	return err == nil && f.Mode != mode
}
