package inbox

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// turnView is something that was said in a session. Its text is what a model, a tool or a
// person has written: it proves nothing, and nothing in it is meant for the page.
type turnView struct {
	Who  string    `json:"who"` // model, tool or person
	Text string    `json:"text"`
	Tool string    `json:"tool,omitempty"`
	At   time.Time `json:"at"`
}

// contextView is what has led to a call.
type contextView struct {
	Prompt string     `json:"prompt"`
	Turns  []turnView `json:"turns"`
	// Problem is why nothing can be said about it.
	Problem string `json:"problem,omitempty"`
	// seen are the files that the model has seen; nil when nobody can say.
	seen map[string]bool
}

// told is how many turns are shown with a call.
const told = 5

func (s *Server) context(c approval.Call) contextView {
	talk, err := s.talk(c.Session, told, c.ToolUseID)
	if talk != nil && talk.before != nil { // what came after it has not led to it
		talk = talk.before
	}
	switch {
	case errors.Is(err, session.ErrUnknown), errors.Is(err, session.ErrBadID): // the session of another agent
		return contextView{Turns: []turnView{}, Problem: "the session is not known here"}
	case err != nil:
		return contextView{Turns: []turnView{}, Problem: policy.WellFormed(err.Error())}
	}
	return contextView{Prompt: talk.prompt, Turns: talk.turns, seen: talk.seen}
}

// doubt is why a change of a file will fail: the tools change no file that the model has not
// seen. It is empty when nothing is known against it.
func (c contextView) doubt(j judged) string {
	if c.seen == nil || j.judgement == nil || j.judgement.Call == nil || j.call.Tool != "Edit" && j.call.Tool != "Write" {
		return ""
	}
	path := j.judgement.Call.Path()
	if path.Problem != "" || path.Real == "" || c.seen[path.Real] {
		return ""
	}
	if info, err := os.Lstat(path.Real); err != nil || !info.Mode().IsRegular() { // a new one needs no look
		return ""
	}
	return "the file has not been read in this session, so the tool will refuse to change it (deny it, and say that it should be read first)"
}

// talk is what was said in a session: the last prompt of a person, and the last turns.
type talk struct {
	prompt string
	turns  []turnView
	result string
	tools  map[string]string // by the id of the call
	seen   map[string]bool   // files, by their names with links followed
	most   int
	// without is the id of a call that is left out: whoever asks knows it. before is what was
	// said up to there.
	without string
	before  *talk
}

func (s *Server) talk(id string, most int, without string) (*talk, error) {
	t := &talk{turns: []turnView{}, tools: map[string]string{}, seen: map[string]bool{}, most: most, without: without}
	for r, err := range s.Sessions.Records(id) {
		if err != nil {
			return t, err
		}
		if r.Kind == session.Saw {
			var sight struct {
				Path string `json:"path"`
			}
			if strictjson.Unmarshal(r.Body, &sight) == nil {
				t.seen[sight.Path] = true
			}
		}
		if r.Kind != session.Said {
			continue
		}
		var m model.Message
		if err := strictjson.Unmarshal(r.Body, &m); err != nil {
			return t, err
		}
		t.take(m, r.Time)
	}
	return t, nil
}

func (t *talk) take(m model.Message, at time.Time) {
	for _, b := range m.Content {
		turn := turnView{At: at}
		switch {
		case b.Kind == model.Text && m.Role == model.User:
			turn.Who, turn.Text = "person", b.Text
			t.prompt = clip(b.Text)
		case b.Kind == model.Text:
			turn.Who, turn.Text = "model", b.Text
			t.result = clip(b.Text)
		case b.Kind == model.ToolUse && b.ID == t.without && b.ID != "":
			t.before = &talk{prompt: t.prompt, turns: slices.Clone(t.turns), seen: t.seen}
			continue
		case b.Kind == model.ToolUse:
			turn.Who, turn.Text, turn.Tool = "model", string(b.Input), policy.WellFormed(b.Name)
			t.tools[b.ID] = turn.Tool
		case b.Kind == model.ToolResult:
			turn.Who, turn.Text, turn.Tool = "tool", model.PlainText(b.Result), t.tools[b.ToolUseID]
		default:
			continue
		}
		if turn.Text = clip(turn.Text); turn.Text == "" && turn.Tool == "" {
			continue
		}
		if t.turns = append(t.turns, turn); len(t.turns) > t.most {
			t.turns = t.turns[1:]
		}
	}
}

// clip is the beginning of a text, as much as somebody reads.
func clip(text string) string {
	const most = 4000
	text = strings.TrimSpace(policy.WellFormed(text))
	if len(text) <= most {
		return text
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
