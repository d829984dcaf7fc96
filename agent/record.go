package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// verdict is what came of a call, in the words of the audit log.
type verdict string

const (
	allowed verdict = "allow"
	denied  verdict = "deny"
	failed  verdict = "error" // it could not be judged: no such tool, an invalid input
)

// record writes the decision about a call down. text is what the model was told.
func (r *run) record(m *matter, v verdict, text string) error {
	if r.config.Audit == nil {
		return nil
	}
	if m.snapshot == nil { // cut off before it was judged
		m.snapshot = r.context()
	}
	cwd := m.snapshot.Cwd()
	input := strictjson.Raw(m.judged.Input)
	if input == nil {
		input = m.call.Input
	}
	record := audit.Record{
		Time: time.Now().UTC(), Session: r.config.Transcript.ID(), Agent: r.base().AgentID, ToolUseID: m.ID, Tool: m.Name, Cwd: cwd, Mode: m.snapshot.Mode().String(),
		Digest: callDigest(m.Name, input, cwd), Summary: summary(m), Decision: string(v),
		Micros: time.Since(m.started).Microseconds(), Hooks: hookRecords(m),
	}
	explain(&record, m, text)
	return r.config.Audit.Append(record)
}

// explain says why: the stage, the rule and who answered.
func explain(record *audit.Record, m *matter, text string) {
	d := m.judged.Decision
	record.Stage, record.Kind, record.Reason = d.Stage.String(), d.Reason.Kind.String(), text
	if text == "" {
		record.Reason = d.Message()
	}
	if rule := d.Reason.Rule; rule != nil {
		record.Rule, record.File, record.Line = rule.Text, rule.Origin.File, rule.Origin.Line
	}
	if m.resolution.Winner == "" && len(m.resolution.Losers) == 0 && m.resolution.Answer.Behavior == 0 {
		return // nobody was asked
	}
	record.Stage, record.Who = permission.StageResolve.String(), m.answeredBy()
	if m.resolution.Winner != "" {
		record.Trust = m.resolution.Trust.String()
	}
	for _, loser := range m.resolution.Losers {
		record.Losers = append(record.Losers, lostRace(loser))
	}
}

// answeredBy names who answered: the hook itself, where one did.
func (m *matter) answeredBy() string {
	if m.resolution.Trust != permission.TrustHook {
		return m.resolution.Winner
	}
	for _, run := range m.answering {
		if run.Decision == m.resolution.Answer.Behavior {
			return m.resolution.Winner + " " + run.Hook
		}
	}
	return m.resolution.Winner
}

// lostRace names somebody whose answer did not count, and what it was.
func lostRace(l permission.Loser) string {
	switch {
	case l.Answer.Behavior != 0:
		return l.Name + ": " + l.Answer.Behavior.String()
	case l.Err != nil:
		return l.Name + ": " + l.Err.Error()
	}
	return l.Name
}

func hookRecords(m *matter) []audit.Hook {
	var list []audit.Hook
	for _, run := range append(slices.Clip(m.runs), m.answering...) {
		h := audit.Hook{Name: run.Hook, Outcome: run.Outcome.String(), Micros: run.Took.Microseconds(), Changed: run.Changed}
		if run.Decision != 0 && run.Decision != permission.Pass {
			h.Said = run.Decision.String()
		}
		for _, c := range m.changes {
			if c.Hook == run.Hook {
				h.Before, h.After = c.Before, c.After
			}
		}
		list = append(list, h)
	}
	return list
}

// callDigest identifies a call by what would run: the tool, its input in one spelling
// and the directory.
func callDigest(tool string, input strictjson.Raw, cwd string) string {
	spelt, err := strictjson.Canonical(input)
	if err != nil {
		spelt = input // what cannot be read cannot run either
	}
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(tool), spelt, []byte(cwd)} {
		sum.Write(part)
		sum.Write([]byte{0})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// summary says in one line what a call is about.
func summary(m *matter) string {
	if m.judged.Call == nil {
		return ""
	}
	for _, key := range []string{"command", "file_path", "notebook_path", "url", "pattern", "path"} {
		if text, ok := m.judged.Call.Input[key].(string); ok {
			if key == "file_path" {
				text = filepath.Clean(text)
			}
			return clip(visible(text), 200)
		}
	}
	return ""
}

// visible writes what a terminal would act on or hide as what it is.
func visible(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return '⏎'
		case c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c >= 0x200b && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 || c == 0xfeff:
			return '\uFFFD'
		}
		return c
	}, text)
}
