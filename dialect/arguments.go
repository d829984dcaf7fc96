package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// arguments are the tool and the input of a call as the agent wrote them.
type arguments struct {
	tool  string
	raw   strictjson.Raw // the input as an object
	named envelope
	// text is an input that is no object but a plain text, as freeform tools have.
	text string
	// home says how the agent reads a path that starts with "~".
	home home
	// asked are the names that were looked at. translated: the tool is one that assent
	// has a word for, so that a name nobody looked at matters.
	asked      []string
	translated bool
}

// readArguments reads an input: an object, or a string that holds one.
func readArguments(tool string, input strictjson.Raw) (*arguments, error) {
	a := &arguments{tool: tool, raw: input}
	if input == nil || string(input) == "null" {
		return nil, fmt.Errorf("the input of %s is missing", quoted(tool))
	}
	if bytes.HasPrefix(input, []byte(`"`)) {
		if err := strictjson.Unmarshal(input, &a.text); err != nil {
			return nil, err
		}
		a.raw = []byte("{}")
		if strings.HasPrefix(strings.TrimSpace(a.text), "{") {
			a.raw, a.text = []byte(a.text), ""
		}
	}
	if err := strictjson.Unmarshal(a.raw, (*map[string]strictjson.Raw)(&a.named)); err != nil {
		return nil, fmt.Errorf("the input of %s cannot be read: %w", quoted(tool), err)
	}
	return a, nil
}

// whole is everything that the agent has written for the tool.
func (a *arguments) whole() strictjson.Raw {
	if a.text != "" {
		return marshal(map[string]string{"text": a.text})
	}
	return a.raw
}

// get is the string under one of several names. Names that are given and differ
// are an error: which of them the agent goes by is not known.
func (a *arguments) get(names ...string) (value string, found bool, err error) {
	return a.agreed(names, func(raw strictjson.Raw) (text string, problem string) {
		if strictjson.Unmarshal(raw, &text) != nil {
			return "", "is no text"
		}
		return text, ""
	})
}

// agreed reads what stands under several names, which must all say the same.
func (a *arguments) agreed(names []string, read func(strictjson.Raw) (text, problem string)) (value string, found bool, err error) {
	a.asked = append(a.asked, names...)
	for _, name := range names {
		if !a.named.has(name) {
			continue
		}
		text, problem := read(a.named[name])
		if problem == "" && found && text != value {
			problem = "is given under two names and differs"
		}
		if problem != "" {
			return "", false, fmt.Errorf("%s of %s %s", name, quoted(a.tool), problem)
		}
		value, found = text, true
	}
	return value, found, nil
}

// need is [arguments.get] for what a call cannot be without.
func (a *arguments) need(names ...string) (string, error) {
	value, found, err := a.get(names...)
	return a.needed(names[0], value, found, err)
}

func (a *arguments) needed(name, value string, found bool, err error) (string, error) {
	if err == nil && (!found || value == "") {
		err = fmt.Errorf("%s of %s is missing", name, quoted(a.tool))
	}
	return value, err
}

// list is a list of strings, or a single one, under one of several names.
func (a *arguments) list(names ...string) ([]string, error) {
	a.asked = append(a.asked, names...)
	var all []string
	for _, name := range names {
		if !a.named.has(name) {
			continue
		}
		var one string
		var many []string
		switch {
		case strictjson.Unmarshal(a.named[name], &one) == nil:
			all = append(all, one)
		case strictjson.Unmarshal(a.named[name], &many) == nil:
			all = append(all, many...)
		default:
			return nil, fmt.Errorf("%s of %s is no list of texts", name, quoted(a.tool))
		}
	}
	return all, nil
}

// about makes a call about the one thing that an input names: an address, a query.
func (a *arguments) about(make func(string) Call, names ...string) ([]Call, error) {
	a.translated = true
	text, err := a.need(names...)
	return []Call{make(text)}, err
}

// file makes a call about the one file that an input names.
func (a *arguments) file(make func(string) Call, names ...string) ([]Call, error) {
	a.translated = true
	path, err := a.need(names...)
	return a.home.calls(make, path), err
}

// search makes calls of Glob or Grep, one for every place that is searched. Optional
// properties are left out when they are absent: an empty path is not the same as none.
func (a *arguments) search(tool string, pattern, path, glob []string) ([]Call, error) {
	a.translated = true
	text, err := a.need(pattern...)
	if err != nil {
		return nil, err
	}
	filter, _, err := a.get(glob...)
	if err != nil {
		return nil, err
	}
	places, err := a.list(path...)
	if err != nil {
		return nil, err
	}
	if len(places) == 0 {
		places = []string{""}
	}
	patterns, doubt := []string{text}, ""
	if tool == "Glob" { // its pattern is a path as well
		patterns, doubt = a.home.readings(text)
	}
	var calls []Call
	for _, place := range places {
		for _, pattern := range patterns {
			calls = append(calls, a.home.calls(func(place string) Call {
				f := fields{"pattern", pattern}
				if place != "" {
					f = append(f, "path", place)
				}
				if filter != "" {
					f = append(f, "glob", filter)
				}
				return call(tool, f)
			}, place)...)
		}
	}
	if doubt != "" {
		calls[0].Doubt = doubt
	}
	return calls, nil
}

// command makes a call of Bash. A list of words is quoted, so that the shell would
// see the same words.
func (a *arguments) command(names, dirs []string) ([]Call, error) {
	a.translated = true
	text, found, err := a.agreed(names, readCommand)
	if text, err = a.needed(names[0], text, found, err); err != nil {
		return nil, err
	}
	dir, _, err := a.get(dirs...)
	if err != nil {
		return nil, err
	}
	if err := plainDir(dir); err != nil {
		return nil, err
	}
	run := call("Bash", fields{"command", text})
	run.Dir = dir
	run.Doubt, err = a.otherProgram()
	return []Call{run}, err
}

// plainDir refuses a directory that depends on who reads its name.
func plainDir(dir string) error {
	if strings.HasPrefix(dir, "~") {
		return errors.New("the directory of the command starts with ~, and whose home that is depends on the agent")
	}
	return nil
}

// readCommand reads a command: a text, or a list of words.
func readCommand(raw strictjson.Raw) (text, problem string) {
	if !bytes.HasPrefix(raw, []byte("[")) {
		if strictjson.Unmarshal(raw, &text) != nil {
			return "", "is no text"
		}
		return text, ""
	}
	var words []string
	if strictjson.Unmarshal(raw, &words) != nil || len(words) == 0 {
		return "", "is no list of words"
	}
	for i, word := range words {
		words[i] = Quote(word)
	}
	return strings.Join(words, " "), ""
}

// Quote writes a word so that a shell reads exactly it.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// kindOfAgent is the sub-agent that an input names, under any agent's word for it.
func (a *arguments) kindOfAgent() ([]Call, error) {
	kind, _, err := a.get(agentTypes[:]...)
	return a.agentGuesses([]Call{subagent(kind)}), err
}

// agentGuesses adds the sub-agents that an input may mean by a name.
func (a *arguments) agentGuesses(calls []Call) []Call {
	for _, key := range [...]string{"agent", "name", "agent_name", "agentName"} {
		if name, _, err := a.get(key); err == nil && name != "" {
			calls = append(calls, guess(subagent(name))...)
		}
	}
	return calls
}

// agentTypes are the names under which agents say which sub-agent they start.
var agentTypes = [...]string{"subagent_type", "agent_type", "subagentType", "agentType"}
