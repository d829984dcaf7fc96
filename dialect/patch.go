package dialect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// change is what a patch does to one file.
type change struct {
	path   string
	create bool
	moved  bool // it has the text of another file
	// added and removed are the lines of each hunk.
	added, removed []string
}

// calls judge the change of a file. Removing and moving a file are edits: whoever may
// not edit a file may not make it disappear either.
func (c change) calls(h home) []Call {
	make, texts := editFile, map[string]strictjson.Raw{}
	if c.create {
		make = writeFile
	}
	switch {
	case c.create && !c.moved:
		texts["content"] = marshal(strings.Join(c.added, "\n"))
	case len(c.added) > 0 && !c.create:
		texts["new_string"], texts["old_string"] = marshal(c.added), marshal(c.removed)
	}
	all := h.calls(make, c.path)
	for i := range all {
		all[i].texts, all[i].textsElsewhere = texts, c.moved
	}
	return all
}

// add takes a line of content over.
func (c *change) add(line string) {
	line = strings.TrimSuffix(line, "\r")
	if n := len(c.added); n == 0 || strings.HasPrefix(line, "@@") {
		c.added, c.removed = append(c.added, ""), append(c.removed, "")
	}
	in := &c.added[len(c.added)-1]
	switch {
	case strings.HasPrefix(line, "-"):
		in = &c.removed[len(c.removed)-1]
	case !strings.HasPrefix(line, "+"):
		return
	}
	if *in != "" {
		*in += "\n"
	}
	*in += line[1:]
}

// patchNames are the names under which a tool is given a patch.
var patchNames = [...]string{"command", "input", "patch"}

// patch translates a patch and, if the input names a file besides, an edit of that.
func (a *arguments) patch(file ...string) ([]Call, error) {
	a.translated = true
	text := a.text
	if text == "" {
		var err error
		if text, err = a.need(patchNames[:]...); err != nil {
			return nil, err
		}
	}
	calls, err := patchCalls(text, a.home)
	if err != nil {
		return nil, err
	}
	path, _, err := a.get(file...)
	if path != "" {
		calls = append(calls, a.home.calls(editFile, path)...)
	}
	return calls, err
}

// fileOrPatch is for one name that stands for several tools: one names its file, the
// other takes a patch that names files inside of it. An input of both shapes is
// judged as both.
func (a *arguments) fileOrPatch(make func(string) Call, file ...string) ([]Call, error) {
	a.translated = true
	path, found, err := a.get(file...)
	if err != nil {
		return nil, err
	}
	if !found || path == "" {
		return a.patch()
	}
	calls := a.home.calls(make, path)
	if a.valueOf("Write", "content", sortedNames(a.named)) != nil { // one tool that edits or creates
		calls = append(calls, guess(a.home.calls(writeFile, path)...)...)
	}
	for _, name := range patchNames {
		text, _, err := a.get(name)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(text, "***") {
			continue // the name of an action, for instance
		}
		more, err := patchCalls(text, a.home)
		if err != nil {
			return nil, err
		}
		calls = append(calls, more...)
	}
	return calls, nil
}

// patchCalls translates a patch: calls for each file it names. One that cannot be read
// completely is an error, since it may name a file that was not seen.
func patchCalls(text string, h home) ([]Call, error) {
	changes, err := readPatch(text)
	if err != nil {
		return nil, fmt.Errorf("the patch cannot be read: %w", err)
	}
	var calls []Call
	for _, c := range changes {
		calls = append(calls, c.calls(h)...)
	}
	return calls, nil
}

const (
	patchBegin = "*** Begin Patch"
	patchEnd   = "*** End Patch"
	patchEOF   = "*** End of File"
)

// readPatch lists the files of a patch. The grammar is that of Codex: headers that
// start with three stars, and lines of content that start with a sign. Blanks
// around a header are ignored, as Codex ignores them; so a line that might be a
// header counts as one.
func readPatch(text string) ([]change, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) < 2 || strings.TrimSpace(lines[0]) != patchBegin || strings.TrimSpace(lines[len(lines)-1]) != patchEnd {
		return nil, fmt.Errorf("want %q as its first line and %q as its last", patchBegin, patchEnd)
	}
	var all []change
	for i, line := range lines[1 : len(lines)-1] {
		c, isHeader := readHeader(line)
		switch {
		case isHeader && c.path != "":
			all = append(all, c)
		case isHeader || !isContent(line):
			return nil, fmt.Errorf("line %d is neither a header nor content", i+2)
		case len(all) > 1 && all[len(all)-1].moved: // they change what is moved
			all[len(all)-2].add(line)
		case len(all) > 0:
			all[len(all)-1].add(line)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("it names no file")
	}
	return all, nil
}

// readHeader reads a line that names a file.
func readHeader(line string) (c change, isHeader bool) {
	line = strings.TrimSpace(line)
	for _, head := range [...]string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"} {
		if path, ok := strings.CutPrefix(line, head); ok {
			return change{path: strings.TrimSpace(path), create: head == "*** Add File:" || head == "*** Move to:", moved: head == "*** Move to:"}, true
		}
	}
	return change{}, strings.HasPrefix(line, "***") && line != patchEOF
}

func isContent(line string) bool {
	line = strings.TrimSuffix(line, "\r")
	return line == "" || strings.ContainsRune(" +-", rune(line[0])) || strings.HasPrefix(line, "@@") || strings.TrimSpace(line) == patchEOF
}

// namedFiles lists the files of every header in a text that need not be a patch.
func namedFiles(text string) []change {
	if !strings.Contains(text, patchBegin) {
		return nil
	}
	var all []change
	for line := range strings.SplitSeq(text, "\n") {
		if c, ok := readHeader(line); ok && c.path != "" {
			all = append(all, c)
		}
	}
	return all
}
