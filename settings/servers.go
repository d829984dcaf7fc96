package settings

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Keys that say which MCP servers may be used.
const (
	allowedServersKey = "allowedMcpServers"
	deniedServersKey  = "deniedMcpServers"
	managedServersKey = "allowManagedMcpServersOnly"
)

// serverList is the value of one of these keys. An empty list that is there allows nothing.
type serverList struct {
	line    int
	entries []serverEntry
}

func (l *serverList) set() bool { return l.line > 0 }

// serverEntry names servers in one of three ways.
type serverEntry struct {
	line    int
	name    string
	command []string
	url     string
}

// servers reads a list of servers. An entry that cannot be understood breaks the file: what it was
// meant to say is lost.
func (r *reader) servers(m member) serverList {
	list := serverList{line: m.line}
	if m.value.Kind != '[' {
		r.fail(m.value, m.name+" must be a list of servers", `write [{"serverName": "…"}]`)
		return list
	}
	for n := range m.value.Elements() {
		list.entries = append(list.entries, r.server(n, m.name))
	}
	return list
}

func (r *reader) server(n strictjson.Node, key string) serverEntry {
	e := serverEntry{line: r.line(n)}
	members := r.object(n, "every element of "+key, []string{"serverName", "serverCommand", "serverUrl"})
	if len(members) != 1 {
		r.fail(n, "every element of "+key+" names servers in one way", `write {"serverName": "…"}, {"serverCommand": ["…"]} or {"serverUrl": "…"}`)
		return e
	}
	switch m := members[0]; m.name {
	case "serverName":
		e.name = r.string(m).text
	case "serverUrl":
		e.url = r.string(m).text
	case "serverCommand":
		for _, word := range r.strings(m) {
			e.command = append(e.command, word.text)
		}
	default:
		r.fail(m.value, key+" has "+visible(m.name)+", which is not known", "its keys are serverName, serverCommand and serverUrl")
	}
	if e.name == "" && e.url == "" && len(e.command) == 0 {
		r.fail(n, "an element of "+key+" names no server", "")
	}
	return e
}

// denyServers makes rules of servers that are denied by name, so that they hold wherever rules do.
func (c *content) denyServers() {
	for _, e := range c.deniedServers.entries {
		if e.name != "" {
			c.deny = append(c.deny, rule.Note("mcp__"+toolServer(e.name), e.line))
		}
	}
}

// toolServer is the name of a server as the names of its tools have it.
func toolServer(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// beyondNames: only who starts the servers can tell which are meant.
func (l *serverList) beyondNames() bool {
	return slices.ContainsFunc(l.entries, func(e serverEntry) bool { return e.name == "" })
}

// MCPServer is a server that somebody wants to use.
type MCPServer struct {
	Name string
	// Command is the program with its arguments, URL the address; both are empty for a server
	// inside of the host, which only its name can deny.
	Command []string
	URL     string
	// Managed: it is of managed settings, which need not allow it once more.
	Managed bool
}

// ServerRefused says why settings forbid a server; empty if they do not.
func (s *Settings) ServerRefused(server MCPServer) string {
	for _, l := range s.serverLists(func(c *content) serverList { return c.deniedServers }, allowedAll) {
		if i := slices.IndexFunc(l.entries, func(e serverEntry) bool { return e.denies(server) }); i >= 0 {
			return fmt.Sprintf("deniedMcpServers (%s:%d) names it", l.file, l.entries[i].line)
		}
	}
	if server.Managed || server.URL == "" && len(server.Command) == 0 {
		return ""
	}
	union, apart := s.allowedServers()
	for _, l := range slices.Concat([]placedList{union}, apart) {
		if l.set() && !l.allows(server) {
			return l.place() + " does not name it"
		}
	}
	return ""
}

// placedList is a list with its file.
type placedList struct {
	serverList
	file string
	text text
}

// place names the list for a person.
func (l *placedList) place() string {
	if l.text.serversOnly {
		return l.file
	}
	return fmt.Sprintf("%s (%s:%d)", allowedServersKey, l.file, l.line)
}

func allowedAll(text) bool { return true }

func (s *Settings) serverLists(of func(*content) serverList, counts func(text) bool) (all []placedList) {
	for _, t := range s.texts {
		if !t.selected || t.said == nil || !counts(t) {
			continue
		}
		if l := of(t.said); l.set() {
			all = append(all, placedList{serverList: l, file: t.path, text: t})
		}
	}
	return all
}

// allowedServers are the lists that say what may be used: those of files that may grant something
// as one, and the others each for itself, so that an unknown workspace adds nothing to them.
func (s *Settings) allowedServers() (union placedList, apart []placedList) {
	managed := slices.ContainsFunc(s.texts, func(t text) bool {
		return t.selected && t.said != nil && t.source == rule.PolicySettings && t.said.managedServers.set()
	})
	lists := s.serverLists(func(c *content) serverList { return c.allowedServers }, func(t text) bool { return !managed || t.source == rule.PolicySettings })
	for _, l := range lists {
		switch {
		case fromWorkspace(l.text.source) && s.trust.Status != Trusted:
			apart = append(apart, l)
		case union.set():
			union.entries = slices.Concat(union.entries, l.entries)
		default:
			union = l
		}
	}
	return union, append(apart, s.serverLists(func(c *content) serverList { return c.onlyServers }, allowedAll)...)
}

// denies: the entry is about the server.
func (e *serverEntry) denies(s MCPServer) bool {
	return e.name != "" && toolServer(e.name) == toolServer(s.Name) ||
		len(e.command) > 0 && slices.Equal(e.command, s.Command) ||
		e.url != "" && s.URL != "" && (wild(e.url, s.URL) || addressMatches(e.url, s.URL))
}

// allows: a program must be named by its command and an address by its pattern, where the list has
// any, because everybody can choose a name.
func (l *serverList) allows(s MCPServer) bool {
	has := func(is func(*serverEntry) bool) bool {
		return slices.ContainsFunc(l.entries, func(e serverEntry) bool { return is(&e) })
	}
	switch {
	case len(s.Command) > 0 && has(func(e *serverEntry) bool { return len(e.command) > 0 }):
		return has(func(e *serverEntry) bool { return slices.Equal(e.command, s.Command) })
	case s.URL != "" && has(func(e *serverEntry) bool { return e.url != "" }):
		return has(func(e *serverEntry) bool { return e.url != "" && addressMatches(e.url, s.URL) })
	}
	return has(func(e *serverEntry) bool { return e.name != "" && e.name == s.Name })
}

// addressMatches compares an address with a pattern. A * in the host stands for characters of a
// host, so that https://*.example.com/* is never https://evil.test/?.example.com/.
func addressMatches(pattern, address string) bool {
	scheme, rest, ok := strings.Cut(pattern, "://")
	u, err := url.Parse(address)
	if !ok || err != nil || u.User != nil {
		return false
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	given := u.EscapedPath()
	if u.RawQuery != "" || u.ForceQuery {
		given += "?" + u.RawQuery
	}
	if given == "" && path == "/*" {
		given = "/"
	}
	return wild(strings.ToLower(scheme), strings.ToLower(u.Scheme)) && wild(strings.ToLower(host), strings.ToLower(u.Host)) && wild(path, given)
}

// wild compares a text with a pattern in which * stands for any characters.
func wild(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return strings.HasSuffix(text, parts[len(parts)-1])
}

// limitServers puts the lists that name servers in force for who sees only the names of tools.
func (a *assembly) limitServers() {
	union, apart := a.s.allowedServers()
	for _, l := range slices.Concat([]placedList{union}, apart) {
		if !l.set() || l.beyondNames() {
			continue
		}
		allowed := permission.ServerList{Place: l.place()}
		for _, e := range l.entries {
			allowed.Names = append(allowed.Names, toolServer(e.name))
		}
		for _, t := range a.s.texts {
			if t.said != nil && t.selected && t.source == rule.PolicySettings {
				for _, name := range names(t.said.mcpServers.members) {
					allowed.Names = append(allowed.Names, toolServer(name))
				}
			}
		}
		a.s.config.Servers = append(a.s.config.Servers, allowed)
	}
}

// refuseServers is the limit of a list that only who starts the servers can keep; nil if there is none.
func (r *reader) refuseServers(m member, l serverList, key string) *limit {
	if !l.beyondNames() {
		return nil
	}
	refused := r.broken(m.value.Start(), key+" names servers by their commands or addresses, which are not seen here", "name them with serverName, or take it out of this file")
	return &limit{kind: NotEnforced, refused: refused, starters: true}
}
