package settings

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/rule"
)

// content is what one settings file says, before anybody asks whether it may.
type content struct {
	allow, ask, deny []rule.Written
	directories      []entry
	mode             entry // defaultMode; no line when absent
	disableBypass    entry

	hooks, env, mcpServers, assent section
	disableAllHooks                entry
	enableAllMCP                   entry
	enabledMCP, disabledMCP        []entry

	unknown           []Key
	trustedWorkspaces []entry // assent.trustedWorkspaces, for managed files
	parking           parkingSetting
	guard             guardSetting
	approvals         approvalSetting
	notifications     Value   // assent.notifications, for package notify to read
	classifier        entry   // assent.classifier: the name of a model, or BuiltinClassifier
	limiting          []limit // limits of the vendor's that assent cannot keep
	sandbox           sandboxSetting
	kept              []keptLimit
	ignored           []entry // sentences about keys that mean nothing to assent
	allowedServers    serverList
	deniedServers     serverList
	managedServers    entry
	onlyServers       serverList // empty: no server counts but those of managed settings
	hookURLs          textList
	hookVariables     textList
	readsExempt       []entry
}

// entry is one string, or the name of a switch that is on, and where it stands.
type entry struct {
	text string
	line int
}

func (e entry) set() bool { return e.line > 0 }

// section is an object that is kept as it is.
type section struct {
	Value
	members []member
}

type member struct {
	name  string
	at    strictjson.Node // the name, where it stands
	line  int
	value strictjson.Node
}

var assentKeys = []string{"trustedWorkspaces", "classifier", "parking", "guard", approvalsKey, "notifications"}

// understand reads a settings text: broken when a key that matters has the wrong
// type, because what it was meant to say is lost.
func understand(file, data string) (*content, *BrokenError) {
	d, broken := parse(file, data)
	if broken != nil {
		return nil, broken
	}
	r := &reader{document: d}
	c := r.content()
	if r.fault != nil {
		return nil, r.fault
	}
	return c, nil
}

func (r *reader) content() *content {
	c := &content{}
	for _, m := range r.object(r.root, "settings", ReadKeys("")) {
		switch m.name {
		case "permissions":
			r.permissions(m, c)
		case "hooks":
			c.hooks = r.section(m)
		case "env":
			c.env = r.section(m)
		case "mcpServers":
			c.mcpServers = r.section(m)
		case "assent":
			c.assent = r.section(m)
			r.assent(m, c)
		case "disableAllHooks":
			c.disableAllHooks = r.toggle(m)
		case "enableAllProjectMcpServers":
			c.enableAllMCP = r.toggle(m)
		case "enabledMcpjsonServers":
			c.enabledMCP = r.strings(m)
		case "disabledMcpjsonServers":
			c.disabledMCP = r.strings(m)
		case allowedServersKey:
			c.allowedServers = r.servers(m)
			c.limit(r.refuseServers(m, c.allowedServers, m.name))
		case deniedServersKey:
			c.deniedServers = r.servers(m)
			c.limit(r.refuseServers(m, c.deniedServers, m.name))
		case hookURLsKey:
			c.hookURLs = r.texts(m)
		case hookVariablesKey:
			c.hookVariables = r.texts(m)
		case managedServersKey:
			c.managedServers = r.toggle(m)
		case "sandbox":
			c.sandbox = r.sandbox(m, c)
		default:
			r.noteKey(c, "", m)
		}
	}
	c.denyServers()
	return c
}

func (c *content) limit(l *limit) {
	if l != nil {
		c.limiting = append(c.limiting, *l)
	}
}

func (r *reader) permissions(m member, c *content) {
	for _, m := range r.object(m.value, "permissions", ReadKeys("permissions")) {
		switch m.name {
		case "allow":
			c.allow = r.rules(m)
		case "ask":
			c.ask = r.rules(m)
		case "deny":
			c.deny = r.rules(m)
		case "additionalDirectories":
			c.directories = r.strings(m)
		case "defaultMode":
			c.mode = r.string(m)
		case "disableBypassPermissionsMode":
			c.disableBypass = r.string(m)
		default:
			r.noteKey(c, "permissions", m)
		}
	}
}

func (r *reader) assent(m member, c *content) {
	for _, m := range r.object(m.value, "assent", assentKeys) {
		switch m.name {
		case "trustedWorkspaces":
			c.trustedWorkspaces = r.strings(m)
		case "classifier":
			c.classifier = r.classifier(m)
		case "parking":
			c.parking = r.parkingTerms(m)
		case "guard":
			c.guard = r.guardTerms(m)
		case approvalsKey:
			c.approvals = r.approvals(m)
		case "notifications":
			c.notifications = Value{JSON: []byte(m.value.Raw()), Line: r.line(m.value)}
		default: // all that stands here is for assent, and what it cannot understand may be a limit
			r.fail(m.value, "assent has "+visible(m.name)+", which nobody knows", "its keys are "+strings.Join(assentKeys, ", "))
		}
	}
}

// reader walks a document and remembers the first fault.
type reader struct {
	*document
	fault *BrokenError
}

func (r *reader) fail(n strictjson.Node, problem, hint string) {
	if r.fault == nil {
		r.fault = r.broken(n.Start(), problem, hint)
	}
}

// object lists the members of an object. A key that differs from a known one in letter case, or in signs
// such as blanks and underscores, is a fault: ignoring it would drop what it says.
func (r *reader) object(n strictjson.Node, name string, known []string) []member {
	if n.Kind != '{' {
		r.fail(n, name+" must be an object", `write {…}`)
		return nil
	}
	var all []member
	for _, om := range n.Members() {
		key := om.Name.Text()
		if !slices.Contains(known, key) {
			if i := slices.IndexFunc(known, func(k string) bool { return sameWord(k, key) }); i >= 0 {
				r.fail(om.Name, "the key "+keyName(key)+" is not "+known[i], "keys are read in their exact letter case, and without other signs")
			}
		}
		all = append(all, member{name: key, at: om.Name, line: r.line(om.Name), value: om.Value})
	}
	return all
}

func (r *reader) section(m member) section {
	members := r.object(m.value, m.name, nil)
	if members == nil && r.fault != nil {
		return section{}
	}
	json := []byte(m.value.Raw())
	return section{Value: Value{JSON: json, Line: r.line(m.value)}, members: members}
}

// maxRoom is how many entries of a list are made room for before they are seen.
const maxRoom = 1 << 12

func (r *reader) strings(m member) []entry {
	if m.value.Kind != '[' {
		r.fail(m.value, m.name+" must be a list of strings", `write ["…"]`)
		return nil
	}
	all := make([]entry, 0, min(m.value.Most(), maxRoom))
	for n := range m.value.Elements() {
		all = append(all, r.element(n, m))
	}
	return all
}

// rules is strings for rules.
func (r *reader) rules(m member) []rule.Written {
	if m.value.Kind != '[' {
		r.strings(m) // which fails
		return nil
	}
	all := make([]rule.Written, 0, min(m.value.Most(), maxRoom))
	for n := range m.value.Elements() {
		e := r.element(n, m)
		all = append(all, rule.Note(e.text, e.line))
	}
	return all
}

func (r *reader) element(n strictjson.Node, m member) entry {
	return r.stringAt(n, "every element of ", m.name)
}

func (r *reader) string(m member) entry { return r.stringAt(m.value, "", m.name) }

// stringAt reads a string; which and name say what it is.
func (r *reader) stringAt(n strictjson.Node, which, name string) entry {
	if n.Kind != '"' {
		r.fail(n, which+name+" must be a string", `write it in double quotes`)
		return entry{}
	}
	return entry{text: n.Text(), line: r.line(n)}
}

// toggle reads true or false; only a switch that is on is worth an entry.
func (r *reader) toggle(m member) entry {
	switch m.value.Kind {
	case 't':
		return entry{text: m.name, line: m.line}
	case 'f':
	default:
		r.fail(m.value, m.name+" must be true or false", "")
	}
	return entry{}
}
