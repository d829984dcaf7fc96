package dialect

import (
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// maxGuesses bounds what is read into the input of a tool that nobody knows.
const maxGuesses = 64

// unknown is a tool that assent has no word for. What its input names is held
// against the rules that deny or ask: a command, a file, an address, a patch. A tool
// that is new, or that assent forgot, is no way around them.
func (a *arguments) unknown(c Call) []Call {
	g := guesser{home: a.home}
	if root, err := strictjson.Tree(a.raw); err == nil {
		g.object(root)
	}
	if a.text != "" {
		g.text(commandKey, a.text)
	}
	if len(g.calls) > maxGuesses {
		c.Doubt = "its input names too many things to look at"
		g.calls = g.calls[:maxGuesses]
	}
	return append([]Call{c}, guess(g.calls...)...)
}

// guesser reads the input of an unknown tool.
type guesser struct {
	home  home
	calls []Call
}

func (g *guesser) object(n strictjson.Node) {
	for _, m := range n.Members() {
		if len(g.calls) > maxGuesses {
			return
		}
		g.value(kindOfKey(m.Name.Text()), m.Value)
	}
}

func (g *guesser) value(kind keyKind, n strictjson.Node) {
	switch n.Kind {
	case '{':
		g.object(n)
	case '"':
		g.text(kind, n.Text())
	case '[':
		if kind == commandKey { // the words of one command, or several commands
			if command, problem := readCommand(strictjson.Raw(n.Raw())); problem == "" {
				g.text(kind, command)
			}
		}
		for element := range n.Elements() {
			if len(g.calls) > maxGuesses {
				return
			}
			g.value(kind, element)
		}
	}
}

func (g *guesser) text(kind keyKind, text string) {
	for _, change := range namedFiles(text) {
		g.calls = append(g.calls, change.calls(g.home)...)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	if path, ok := strings.CutPrefix(text, "file://"); ok && kind != commandKey {
		kind, text = placeKey, path
	}
	switch kind {
	case placeKey:
		g.calls = append(g.calls, g.home.calls(readFile, text)...)
		g.calls = append(g.calls, g.home.calls(editFile, text)...)
	case commandKey:
		g.calls = append(g.calls, call("Bash", fields{"command", text}))
	case addressKey:
		g.calls = append(g.calls, fetch(text))
	case otherKey:
	}
}
