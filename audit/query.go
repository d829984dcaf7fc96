package audit

import (
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Query says which records are wanted. The zero value wants all.
type Query struct {
	// Session is an id or the beginning of one.
	Session string
	Tool    string
	// Decision is allow, deny, defer or error.
	Decision string
	// Since and Until are the first moment that counts, and the first that does not.
	Since, Until time.Time
	// Rule is the text of the rule that decided, or its file, with or without a line.
	Rule string
	// Text occurs in the summary, the input, the reason, the rule or the directory, in any
	// case.
	Text string
}

// Match reports whether a record is wanted.
func (q Query) Match(r Record) bool {
	return strings.HasPrefix(r.Session, q.Session) &&
		(q.Tool == "" || r.Tool == q.Tool) &&
		(q.Decision == "" || r.Decision == q.Decision) &&
		(q.Since.IsZero() || !r.Time.Before(q.Since)) &&
		(q.Until.IsZero() || r.Time.Before(q.Until)) &&
		(q.Rule == "" || r.Rule == q.Rule || r.File != "" && (r.File == q.Rule || r.Place() == q.Rule)) &&
		(q.Text == "" || r.contains(strings.ToLower(q.Text)))
}

// contains: inputs are JSON, so what is looked for may stand there with escapes.
func (r Record) contains(text string) bool {
	for _, where := range []string{r.Summary, r.Reason, r.Rule, r.Cwd} {
		if strings.Contains(strings.ToLower(where), text) {
			return true
		}
	}
	inJSON := escaped(text)
	for _, where := range []string{r.Input.Text, r.Input.Tail, r.Asked.Text, r.Asked.Tail} {
		where = strings.ToLower(where)
		if strings.Contains(where, text) || strings.Contains(where, inJSON) {
			return true
		}
	}
	return false
}

// escaped is a text as it stands in a JSON string.
func escaped(text string) string {
	quoted, err := strictjson.Marshal(text)
	if err != nil {
		return text
	}
	return string(quoted[1 : len(quoted)-1])
}
