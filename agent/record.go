package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/permission"
)

// verdict is what came of a call, in the words of the audit log.
type verdict string

const (
	allowed verdict = "allow"
	denied  verdict = "deny"
	// deferred: it waits for somebody's answer.
	deferred verdict = "defer"
	failed   verdict = "error" // it could not be judged: no such tool, an invalid input
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
	spelt := spelling(m.decided())
	record := audit.Record{
		Time: time.Now().UTC(), Session: r.config.Transcript.ID(), Agent: r.base().AgentID, ToolUseID: m.ID, Tool: m.Name, Cwd: cwd, Mode: r.modeOf(m).String(),
		Digest: callDigest(m.Name, spelt, cwd), Summary: summary(m, spelt), Input: excerpt(spelt), Asked: m.asked(spelt), Decision: string(v),
		Micros: time.Since(m.started).Microseconds(), Hooks: hookRecords(m),
	}
	explain(&record, m, v, text)
	return r.config.Audit.Append(record)
}

// modeOf is the mode that a call was judged in. The context of a sub-agent only says that
// it is one.
func (r *run) modeOf(m *matter) permission.Mode {
	if mode := m.snapshot.Mode(); mode != permission.Bubble {
		return mode
	}
	return r.deciding()
}

// explain says why: the stage, the rule and who answered.
func explain(record *audit.Record, m *matter, v verdict, text string) {
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
	if v != allowed && m.resolution.Answer.Behavior == permission.Allow { // the answer was overruled
		record.Losers = append(record.Losers, m.answeredBy()+": "+permission.Allow.String())
	} else {
		record.Stage, record.Who = permission.StageResolve.String(), m.answeredBy()
		if m.resolution.Winner != "" {
			record.Trust = m.resolution.Trust.String()
		}
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
func callDigest(tool string, spelt []byte, cwd string) string {
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(tool), spelt, []byte(cwd)} {
		sum.Write(part)
		sum.Write([]byte{0})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
