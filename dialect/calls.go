package dialect

import (
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// fields are the properties of an input, name and value in turn.
type fields []string

// call makes a call of one of assent's tools. Only what a decision depends on is
// carried over: an agent's newer options must not make an input invalid, and the
// text of a file is no reason to be slow.
func call(tool string, f fields) Call {
	object := make(map[string]string, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		object[f[i]] = f[i+1]
	}
	return Call{Tool: tool, Input: marshal(object)}
}

func marshal(v any) []byte {
	data, err := strictjson.Marshal(v)
	if err != nil {
		return nil // no input is valid without text, so this is never allowed
	}
	return data
}

func readFile(path string) Call { return call("Read", fields{"file_path", path}) }

func writeFile(path string) Call { return call("Write", fields{"file_path", path, "content", ""}) }

func editFile(path string) Call {
	return call("Edit", fields{"file_path", path, "old_string", "", "new_string", ""})
}

func fetch(url string) Call { return call("WebFetch", fields{"url", url, "prompt", ""}) }

func webSearch(query string) Call { return call("WebSearch", fields{"query", query}) }

func listFiles(dir string) Call { return call("Glob", fields{"pattern", "*", "path", dir}) }

// notes are the agent's own list of things to do.
func notes() Call { return Call{Tool: "TodoWrite", Input: []byte(`{"todos":[]}`)} }

func subagent(kind string) Call {
	f := fields{"description", "", "prompt", ""}
	if kind != "" {
		f = append(f, "subagent_type", kind)
	}
	return call("Agent", f)
}

// own is a tool of the agent's that assent has no word for.
func (a *arguments) own() []Call {
	return []Call{{Tool: a.tool, Input: a.raw, Foreign: true}}
}

// guess marks calls that may not be what the agent's tool does. A doubt about a guess
// is none about the call, and would hide what a rule says.
func guess(calls ...Call) []Call {
	for i := range calls {
		calls[i].Guess, calls[i].Doubt = true, ""
	}
	return calls
}

// home says how an agent reads a path that starts with "~".
type home uint8

const (
	// literal: most agents take it for the name of a directory, some releases do not.
	literal home = iota
	// expanded: it is the home directory, as it is to assent.
	expanded
)

// readings are what a path may mean. doubt is why that is not all of it.
func (h home) readings(path string) (all []string, doubt string) {
	switch {
	case h == expanded || !strings.HasPrefix(path, "~"):
		return []string{path}, ""
	case path == "~" || strings.HasPrefix(path, "~/"):
		return []string{"./" + path, path}, ""
	}
	return []string{"./" + path}, "the path starts with somebody's home directory, and whose it is depends on the agent"
}

// calls are one call for every reading of a path: all of them must be allowed.
func (h home) calls(make func(string) Call, path string) []Call {
	paths, doubt := h.readings(path)
	var all []Call
	for _, path := range paths {
		c := make(path)
		c.Doubt = doubt
		all = append(all, c)
	}
	return all
}
