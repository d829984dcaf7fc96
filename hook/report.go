package hook

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// Report is something a person should know about the hooks of a settings file.
type Report struct {
	// Origin is the place that is to blame.
	Origin rule.Origin
	Text   string // one sentence, one line
	Hint   string // what to do about it
}

// String is the report on one line: "FILE:LINE: text (hint)".
func (r Report) String() string {
	var b strings.Builder
	if at := whereabouts(r.Origin); at != "" {
		b.WriteString(at + ": ")
	}
	b.WriteString(r.Text)
	if r.Hint != "" {
		b.WriteString(" (" + r.Hint + ")")
	}
	return b.String()
}

// whereabouts words an origin: "FILE:LINE", or the source where there is no file.
func whereabouts(o rule.Origin) string {
	switch {
	case o.File != "" && o.Line > 0:
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	case o.File != "":
		return o.File
	case o.Source != 0:
		return o.Source.String()
	}
	return ""
}
