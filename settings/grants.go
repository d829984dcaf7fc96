package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Grant is everything the files of a workspace would grant. Deny and ask rules are
// no part of it, so restricting a trusted workspace further needs no new trust.
type Grant struct {
	Dir string
	// Lines say what is granted, one thing each, sorted: for people to read and for
	// a difference to be shown.
	Lines []string
	// Custom are the commands and agents, in the same way. Trust in them is a matter of
	// its own: when they change, the settings stay trusted.
	Custom []string

	items []grantItem
}

// grantItem is one thing that is granted and where it stands.
type grantItem struct {
	file string
	line int
	// text names the thing; detail is the rest of it, which may be long or secret
	// and is shown only to somebody who decides about it.
	text, detail string
	// isMode: the thing is a defaultMode, which restricts as often as not.
	isMode bool
}

// Grants lists what the workspace o.Dir would be given if it were trusted.
func Grants(o Options) (Grant, error) {
	p, err := locate(o)
	if err != nil {
		return Grant{}, err
	}
	texts := p.read()
	for _, t := range texts {
		if t.broken != nil && fromWorkspace(t.source) {
			return Grant{}, t.broken
		}
	}
	g := p.grant(texts, p.readMCP(), targets{})
	g.Custom = p.grantedCustom()
	return g, nil
}

// grant computes the grant of files that have been read, so that what is trusted
// is what is used. Where directories lead is remembered in links for the same
// reason.
func (p *places) grant(texts []text, mcp text, links targets) Grant {
	g := Grant{Dir: p.realDir}
	for _, t := range texts {
		if fromWorkspace(t.source) {
			g.items = append(g.items, p.grantItems(t, links)...)
		}
	}
	g.items = append(g.items, mcpItems(mcp)...)
	g.Lines = make([]string, 0, len(g.items))
	file, shown := "", ""
	for _, i := range g.items {
		if i.file != file { // they come file by file
			file, shown = i.file, " ("+p.inWorkspace(i.file)+")"
		}
		g.Lines = append(g.Lines, i.text+i.detail+shown)
	}
	slices.Sort(g.Lines)
	g.Lines = slices.Compact(g.Lines)
	return g
}

// same: both grant the same things. Lines are quoted where they could be ambiguous.
func (g Grant) same(other Grant) bool { return slices.Equal(g.Lines, other.Lines) }

// digest stands for what is granted. Lines are quoted where they could be ambiguous,
// so joining them is unambiguous, too. It is made when somebody asks: for most
// workspaces there is no record to compare it with.
func digest(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (p *places) inWorkspace(file string) string {
	if rel, err := filepath.Rel(p.Dir, file); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}

func (p *places) grantItems(t text, links targets) []grantItem {
	if t.said == nil {
		return unknownItem(t)
	}
	c := t.said
	all := make([]grantItem, 0, len(c.allow)+8)
	add := func(line int, detail, format string, args ...any) {
		all = append(all, grantItem{file: t.path, line: line, text: fmt.Sprintf(format, args...), detail: detail})
	}
	for _, e := range c.allow {
		all = append(all, grantItem{file: t.path, line: int(e.Line), text: "allow rule " + strconv.Quote(e.Text)})
	}
	for _, e := range c.directories {
		add(e.line, "", "additional directory %s", links.describe(p.absolute(e.text)))
	}
	if c.mode.set() {
		add(c.mode.line, "", "defaultMode %q", c.mode.text)
		all[len(all)-1].isMode = true
	}
	for _, h := range c.hookGroups() {
		add(h.line, " "+h.text, "hook %q", h.Event)
	}
	for _, e := range []entry{c.disableAllHooks, c.enableAllMCP} {
		if e.set() {
			add(e.line, "", "%s", e.text)
		}
	}
	for _, e := range c.enabledMCP {
		add(e.line, "", "MCP server %q of .mcp.json", e.text)
	}
	for _, e := range c.approvals.grants {
		add(e.line, "", "%s", e.text)
	}
	all = append(all, memberItems(t.path, "environment variable", c.env)...)
	all = append(all, memberItems(t.path, "MCP server", c.mcpServers)...)
	return append(all, memberItems(t.path, "assent key", granting(c.assent))...)
}

// granting is the part of the section "assent" that could grant something.
func granting(s section) section {
	s.members = slices.DeleteFunc(slices.Clone(s.members), func(m member) bool { return m.name == approvalsKey })
	return s
}

func memberItems(file, what string, s section) []grantItem {
	var all []grantItem
	for _, m := range s.members {
		all = append(all, grantItem{file: file, line: m.line, text: what + " " + strconv.Quote(m.name), detail: " " + canonical(m.value)})
	}
	return all
}

func mcpItems(t text) []grantItem {
	if t.said == nil {
		return unknownItem(t)
	}
	return memberItems(t.path, "MCP server", t.said.mcpServers)
}

// unknownItem stands for a file that cannot be read: whatever it grants, it is not
// what somebody trusted.
func unknownItem(t text) []grantItem {
	if t.broken == nil {
		return nil
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(t.data)) // to tell one text from the next; it grants nothing
	return []grantItem{{file: t.path, text: fmt.Sprintf("unreadable content %d bytes %016x", len(t.data), sum.Sum64())}}
}
