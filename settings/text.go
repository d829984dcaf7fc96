package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/assent-dev/assent/rule"
)

// maxFileSize is far more than people write and little enough to parse at once.
const maxFileSize = 4 << 20

// slot is a place where settings may be.
type slot struct {
	source   rule.Source
	path     string
	inline   string // the text itself, for --settings
	required bool   // somebody named it, so it must exist
	selected bool   // its content counts, not only for what the workspace would grant
	// serversOnly: it names the only MCP servers that may be used, and nothing else.
	serversOnly bool
	fault       error // why it cannot be read, if that is known already
}

// text is what was found in a slot.
type text struct {
	slot
	exists bool
	data   string // as it was read, to notice changes
	// said is the content in force; nil when there is none.
	said *content
	// broken is why the file as it stands cannot be used.
	broken *BrokenError
}

func (p *places) read() []text {
	var all []text
	l := looked{}
	for _, s := range p.slots(l) {
		all = append(all, s.read(l))
	}
	if !p.KeepsLimits {
		refuseLimits(all, p.StartsServers)
	}
	return all
}

func (s slot) read(l looked) text {
	t := text{slot: s}
	data, exists, err := s.content(l)
	if err != nil {
		t.exists, t.broken = true, unreadable(s.path, err)
		return t
	}
	if !exists {
		return t
	}
	t.exists, t.data = true, data
	if t.said, t.broken = s.understand(data); s.serversOnly && t.said != nil {
		t.said.onlyServers = serverList{line: 1}
	}
	return t
}

func (s slot) understand(data string) (*content, *BrokenError) {
	if s.serversOnly {
		return understandMCP(s.path, data)
	}
	return understand(s.path, data)
}

func (s slot) content(l looked) (data string, exists bool, err error) {
	if s.fault != nil {
		return "", true, s.fault
	}
	if s.inline != "" {
		return s.inline, true, nil
	}
	data, err = readFile(s.path, maxFileSize)
	if err == nil || s.required {
		return data, true, err
	}
	// "There is no such file" is not what hides one, such as a link to nowhere anywhere
	// on the way.
	switch link, there := l.danglingLink(s.path); {
	case link != "":
		return "", true, &linkError{link}
	case !there && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)):
		return "", false, nil
	}
	return "", true, err
}

func tooLarge(limit int64) error { return fmt.Errorf("it is larger than %d MiB", limit>>20) }
