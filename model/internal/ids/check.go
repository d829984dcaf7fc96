package ids

import (
	"fmt"
	"strings"
	"unicode"
)

// longest is how many bytes the id and the name of a call may have. Those of honest
// models have some dozens.
const longest = 256

// Check refuses an id or a name that a call cannot have. They get into transcripts,
// records and what people are asked, so they must have an end, and an id must be one
// that can be seen and told from another.
func Check(id, name string) error {
	switch {
	case len(id) > longest:
		return fmt.Errorf("the id of a call has %d bytes, more than the limit of %d", len(id), longest)
	case len(name) > longest:
		return fmt.Errorf("the name of a tool has %d bytes, more than the limit of %d", len(name), longest)
	case strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("the id %q of a call has characters that cannot be seen", id)
	}
	return nil
}
