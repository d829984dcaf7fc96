package dialect

import (
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/shell"
)

// maxGuesses bounds what is read into the input of a tool that nobody knows.
const maxGuesses = 128

// unknown is a tool that assent has no word for. What its input names is held
// against the rules that deny or ask: a command, a file, what lies in a directory, an
// address, a patch, a tool of a server. A tool that is new, or that assent forgot, is
// no way around them.
func (a *arguments) unknown(c Call) []Call {
	g := guesser{home: a.home, seen: map[string]bool{}}
	if root, err := strictjson.Tree(a.raw); err == nil {
		g.object(otherKey, root)
	}
	if a.text != "" {
		g.text(commandKey, a.text)
	}
	if g.full() {
		c.Doubt = "its input names too many things to look at"
		g.calls = g.calls[:maxGuesses]
	}
	for _, guessed := range g.calls {
		if c.Doubt == "" {
			c.Doubt = guessed.Doubt
		}
	}
	return append([]Call{c}, guess(g.calls...)...)
}

// guesser reads the input of an unknown tool.
type guesser struct {
	home  home
	calls []Call
	seen  map[string]bool
}

func (g *guesser) full() bool { return len(g.calls) > maxGuesses }

func (g *guesser) add(calls ...Call) {
	for _, c := range calls {
		key := c.Tool + "\x00" + c.Dir + "\x00" + string(c.Input)
		if !g.seen[key] {
			g.seen[key] = true
			g.calls = append(g.calls, c)
		}
	}
}

// object reads an object that stands under a key of some kind. Under that of a place
// the names may be those of files, and so may the values.
func (g *guesser) object(kind keyKind, n strictjson.Node) {
	commands := commandsOf(n)
	g.serverTool(n)
	for _, m := range n.Members() {
		if g.full() {
			return
		}
		name := m.Name.Text()
		if kind == placeKey || kind == partKey {
			g.text(partKey, name)
		}
		inner := kindOfKey(name)
		switch {
		case inner == placeKey && m.Value.Kind == '"' && len(commands) > 0 && runsIn(name):
			g.run(commands, m.Value.Text())
			continue
		case inner == otherKey && (kind == placeKey || kind == partKey):
			inner = partKey
		}
		g.value(inner, m.Value)
	}
	for _, command := range commands { // with its arguments, if they stand apart
		g.text(commandKey, command)
	}
}

func (g *guesser) value(kind keyKind, n strictjson.Node) {
	switch n.Kind {
	case '{':
		g.object(kind, n)
	case '"':
		g.text(kind, n.Text())
	case '[':
		if command, ok := commandOf(kind, n); ok && kind == commandKey { // the words of one command, or several commands
			g.text(kind, command)
		}
		for element := range n.Elements() {
			if g.full() {
				return
			}
			g.value(kind, element)
		}
	}
}

func (g *guesser) text(kind keyKind, text string) {
	for _, change := range namedFiles(text) {
		g.add(change.calls(g.home)...)
	}
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return
	}
	if trimmed[0] == '{' || trimmed[0] == '[' { // JSON inside of a text
		if root, err := strictjson.Tree([]byte(trimmed)); err == nil {
			g.value(kind, root)
		}
	}
	switch path, isFile := strings.CutPrefix(text, "file://"); {
	case isFile && kind != commandKey && kind != codeKey:
		kind, text = placeKey, path
	case kind == otherKey && (strings.HasPrefix(trimmed, "https://") || strings.HasPrefix(trimmed, "http://")):
		kind = addressKey
	}
	switch kind {
	case placeKey:
		g.place(text)
	case partKey:
		if !strings.ContainsAny(trimmed, "\r\n") { // else it is what stands in the file
			g.place(text)
		}
	case commandKey:
		g.add(call("Bash", fields{"command", text}))
	case codeKey:
		if shell.Parse(text).Problem == nil { // else it is in another language
			g.add(call("Bash", fields{"command", text}))
		}
	case addressKey:
		g.add(fetch(text))
	case otherKey:
	}
}

// place is a file that may be read or changed, or a directory whose files may be.
func (g *guesser) place(path string) {
	g.add(g.home.calls(readFile, path)...)
	g.add(g.home.calls(editFile, path)...)
	g.add(g.home.calls(func(path string) Call {
		c := call("Grep", fields{"pattern", ".", "path", path})
		c.IfDir = path
		return c
	}, path)...)
}

// run is a command in the directory that stands beside it.
func (g *guesser) run(commands []string, dir string) {
	g.add(g.home.calls(readFile, dir)...)
	g.add(g.home.calls(editFile, dir)...)
	for _, command := range commands {
		c := call("Bash", fields{"command", command})
		if c.Dir = dir; plainDir(dir) != nil {
			c.Dir, c.Doubt = "", plainDir(dir).Error()
		}
		g.add(c)
	}
}

// commandsOf are the commands among the members of an object, the first with the
// arguments that stand apart from it.
func commandsOf(n strictjson.Node) (all []string) {
	arguments := ""
	for _, m := range n.Members() {
		kind := kindOfKey(m.Name.Text())
		text, ok := commandOf(kind, m.Value)
		words := keyWords(m.Name.Text())
		switch {
		case !ok:
		case is(words[len(words)-1], "arg", "argv", "argument"):
			arguments = text
		default:
			all = append(all, text)
		}
	}
	switch {
	case arguments == "":
	case len(all) == 0:
		all = []string{arguments}
	default:
		all = append(all, all[0]+" "+arguments)
	}
	return all
}

// commandOf is the command that a value is: a text, or a list of words.
func commandOf(kind keyKind, n strictjson.Node) (text string, ok bool) {
	if kind != commandKey || n.Kind != '"' && n.Kind != '[' {
		return "", false
	}
	text, problem := readCommand(strictjson.Raw(n.Raw()))
	return text, problem == "" && strings.TrimSpace(text) != ""
}

// serverTool is a tool of an MCP server that an object names.
func (g *guesser) serverTool(n strictjson.Node) {
	var server, tool string
	for _, m := range n.Members() {
		if m.Value.Kind != '"' {
			continue
		}
		switch m.Name.Text() {
		case "server", "serverName", "server_name", "mcpServer", "mcp_server":
			server = strings.TrimSpace(m.Value.Text())
		case "tool", "toolName", "tool_name":
			tool = strings.TrimSpace(m.Value.Text())
		case "name":
			if tool == "" {
				tool = strings.TrimSpace(m.Value.Text())
			}
		}
	}
	if tool == "" {
		return
	}
	r := nameReader{input: []byte("{}")}
	if server != "" {
		r.way(server, tool)
	}
	r.read(tool, doubled)
	g.add(r.calls...)
}
