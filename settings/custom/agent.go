package custom

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Agent is a kind of sub-agent.
type Agent struct {
	// Name is what it is called by, Description says when to use it.
	Name, Description string
	// Prompt are its instructions.
	Prompt string
	// Tools are the names of its tools, without those of Disallowed; nil means all that
	// its parent has. "mcp__server" names all tools of a server, and * stands for anything.
	Tools, Disallowed []string
	// Model is the one to ask; empty means the parent's.
	Model string
	// Mode is the permission mode it works in, if that is stricter than its parent's; zero
	// means the parent's.
	Mode permission.Mode
	// MaxTurns is how often the model is asked; zero means without limit.
	MaxTurns int
	// File is where it stands, Sum stands for its text; both are empty for agents of a
	// command line.
	File, Sum string
	// Fault is why it cannot be used.
	Fault *Fault
}

func readAgent(f file) Agent {
	a := Agent{Name: f.name, File: f.at, Fault: f.fault}
	if a.Fault != nil {
		return a
	}
	a.Sum = sum(f.text)
	if a.Fault = a.understand(f.text); a.Fault != nil {
		a.Fault.File = f.at
	}
	return a
}

func (a *Agent) understand(text string) *Fault {
	head, body, line, f := split(text)
	if f != nil {
		return f
	}
	if head == nil {
		return fault(1, "an agent begins with a front matter that has a name and a description")
	}
	var mode string
	if f = head.texts([]string{"name", "description", "model", "permissionMode"}, &a.Name, &a.Description, &a.Model, &mode); f != nil {
		return f
	}
	if a.Tools, f = head.tools("tools"); f != nil {
		return f
	}
	if a.Disallowed, f = head.tools("disallowedTools"); f != nil {
		return f
	}
	if a.Prompt = strings.TrimSpace(body); a.Prompt == "" {
		return fault(line, "there are no instructions behind the front matter")
	}
	if problem := a.settle(mode); problem != "" {
		return fault(1, "%s", problem)
	}
	return nil
}

// tools reads a list of tools. One that is there and empty would mean all of them to some
// and none to others.
func (m frontMatter) tools(key string) ([]string, *Fault) {
	f, given := m[key]
	if !given {
		return nil, nil
	}
	entries, wrong := m.list(key)
	if wrong != nil {
		return nil, wrong
	}
	var all []string
	for _, e := range entries {
		for _, name := range strings.FieldsFunc(e.Text, func(c rune) bool { return c == ',' || unicode.IsSpace(c) }) {
			if problem := notATool(name); problem != "" {
				return nil, fault(e.Line, "%s: %s", key, problem)
			}
			all = append(all, name)
		}
	}
	if all == nil {
		return nil, fault(f.line, "%s names no tool (leave it out, or name some)", key)
	}
	return all, nil
}

// notATool says what is wrong with the name of a tool. A rule is none: an agent that has
// Bash has all of it, and the rules of the session say what it may do with it.
func notATool(name string) string {
	if strings.ContainsAny(name, "()") {
		return shown(name) + " is a rule, not the name of a tool (write the name, and the rule into the settings)"
	}
	if name == "" || strings.Trim(name, nameLetters+".*") != "" {
		return shown(name) + " is not the name of a tool"
	}
	return ""
}

// settle checks what files and command lines have in common.
func (a *Agent) settle(mode string) string {
	a.Model = ownModel(a.Model)
	if mode != "" {
		var err error
		if a.Mode, err = permission.ParseMode(mode); err != nil {
			return "permissionMode: " + err.Error()
		}
	}
	switch {
	case a.Name == "":
		return "it has no name"
	case !isAgentName(a.Name):
		return shown(a.Name) + " cannot be the name of an agent: it is made of letters, digits, blanks and - _ : . and has at most 64 of them"
	case strings.TrimSpace(a.Description) == "":
		return "it has no description, which says when to use it"
	case strings.TrimSpace(a.Prompt) == "":
		return "it has no prompt, which are its instructions"
	case a.MaxTurns < 0:
		return "maxTurns must be above 0"
	}
	for _, name := range slices.Concat(a.Tools, a.Disallowed) {
		if problem := notATool(name); problem != "" {
			return problem
		}
	}
	return ""
}

func isAgentName(name string) bool {
	odd := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_:. ", c)
	}
	return name != "" && len(name) <= 64 && strings.IndexFunc(name, odd) < 0 && strings.TrimSpace(name) == name
}

// definition is an agent as programs write it.
type definition struct {
	Description string   `json:"description"`
	Prompt      string   `json:"prompt"`
	Tools       []string `json:"tools"`
	Disallowed  []string `json:"disallowedTools"`
	Model       string   `json:"model"`
	MaxTurns    int      `json:"maxTurns"`
	Mode        string   `json:"permissionMode"`
}

// known are the keys of a definition.
var known = [...]string{"description", "prompt", "tools", "disallowedTools", "model", "maxTurns", "permissionMode"}

// ReadFlag reads agents as --agents and hosts give them: an object of names and
// definitions. Notes are about keys that change nothing here.
func ReadFlag(text []byte) (agents []Agent, notes []string, err error) {
	var all map[string]strictjson.Raw
	if err := strictjson.Unmarshal(text, &all); err != nil {
		return nil, nil, fmt.Errorf(`%w (want {"name": {"description": …, "prompt": …}})`, err)
	}
	for name, raw := range all {
		var d definition
		var keys map[string]strictjson.Raw
		if err := strictjson.Unmarshal(raw, &keys); err != nil {
			return nil, nil, fmt.Errorf("agent %s: %w", shown(name), err)
		}
		if err := strictjson.Unmarshal(raw, &d); err != nil {
			return nil, nil, fmt.Errorf("agent %s: %w", shown(name), err)
		}
		for key := range keys {
			if !slices.Contains(known[:], key) {
				notes = append(notes, fmt.Sprintf("agent %s: %s changes nothing here", shown(name), shown(key)))
			}
		}
		a := Agent{Name: name, Description: d.Description, Prompt: d.Prompt, Tools: d.Tools, Disallowed: d.Disallowed, Model: d.Model, MaxTurns: d.MaxTurns}
		if problem := a.settle(d.Mode); problem != "" {
			return nil, nil, fmt.Errorf("agent %s: %s", shown(name), problem)
		}
		agents = append(agents, a)
	}
	slices.SortFunc(agents, func(a, b Agent) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(notes)
	return agents, notes, nil
}
