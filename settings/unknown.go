package settings

import "slices"

// Key is a key of a settings file and where it stands.
type Key struct {
	// Path names it from the top, "permissions.alow"; what could deceive a reader is
	// escaped.
	Path string
	Line int // from 1
}

// noteUnknown remembers a key that assent gives no meaning to. Most of them are the
// vendor's and harmless, some are misspelt, and some are limits.
func (c *content) noteUnknown(parent string, m member) {
	c.unknown = append(c.unknown, Key{Path: parent + visible(m.name), Line: m.line})
	off := m.value.Kind == 'f'
	if slices.Contains(vendorLimits, m.name) && !off {
		c.notEnforced = append(c.notEnforced, entry{text: m.name, line: m.line})
	}
}
