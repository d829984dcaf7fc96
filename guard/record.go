package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/internal/strictjson"
)

// record writes a decision down before it is told, if the settings want that. After an
// error the call must not run.
func (g *guard) record(event *dialect.Event, d *decided, told dialect.Outcome, began time.Time) error {
	if !d.terms.Audit {
		return nil
	}
	if g.Record == nil {
		return errors.New("the settings want every decision of the guard on record, and there is no record here")
	}
	return g.Record(d.record(event, told, began))
}

func (d *decided) record(event *dialect.Event, told dialect.Outcome, began time.Time) audit.Record {
	tool, input := event.Tool, []byte(nil)
	if whole, ok := event.Whole(); ok {
		tool, input = whole.Tool, whole.Input
	}
	spelt, err := strictjson.Canonical(input)
	if err != nil {
		spelt = input
	}
	mode := ""
	if d.worst.judge != nil {
		mode = d.worst.judge.context.Mode().String()
	}
	cwd := strings.Join(d.where.dirs, ", ")
	r := audit.Record{
		Session: event.Session, Agent: event.Agent.String(), Tool: tool, Cwd: cwd, Mode: mode,
		Digest: digest(tool, spelt, cwd), Summary: summary(spelt), Input: excerpt(spelt), Decision: told.Behavior.String(), Reason: told.Reason,
		Micros: time.Since(began).Microseconds(), Who: d.who,
		Stage: d.worst.Stage.String(), Kind: d.worst.Reason.Kind.String(),
	}
	if rule := d.worst.Reason.Rule; rule != nil {
		r.Rule, r.File, r.Line = rule.Text, rule.Origin.File, rule.Origin.Line
	}
	return r
}

// digest identifies a call as the records of assent's own agent do.
func digest(tool string, spelt []byte, cwd string) string {
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(tool), spelt, []byte(cwd)} {
		sum.Write(part)
		sum.Write([]byte{0})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// summary says in one line what a call is about: the command, the file, the address.
// Nothing in it can deceive a reader.
func summary(input []byte) string {
	const most = 200
	var said map[string]strictjson.Raw
	if strictjson.Unmarshal(input, &said) != nil {
		return ""
	}
	for _, name := range [...]string{"command", "cmd", "file_path", "path", "url", "query", "pattern", "text"} {
		var text string
		if strictjson.Unmarshal(said[name], &text) != nil || text == "" {
			continue
		}
		if len(text) > most {
			text = strings.ToValidUTF8(text[:most], "") + "…"
		}
		return strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) {
				return r
			}
			return unicode.ReplacementChar
		}, text)
	}
	return ""
}

// maxRecorded is how much of an input is on record, from the front and from the end.
const maxRecorded = 4 << 10

func excerpt(text []byte) audit.Excerpt {
	if len(text) <= 2*maxRecorded {
		return audit.Excerpt{Text: string(text)}
	}
	head, tail := maxRecorded, len(text)-maxRecorded
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return audit.Excerpt{Text: string(text[:head]), LeftOut: tail - head, Tail: string(text[tail:])}
}
