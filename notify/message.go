package notify

import (
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// Kind is what has happened to a call.
type Kind string

// The kinds of messages.
const (
	// Waits: the call has stopped, and somebody must answer.
	Waits Kind = "waits"
	// Reminds: nobody has answered yet.
	Reminds Kind = "reminds"
	// Answered: somebody has, nobody else needs to.
	Answered Kind = "answered"
	// Expired: nobody has answered in time.
	Expired Kind = "expired"
	// Unknown: the process that ran the call died, and a person must find out how far it came.
	Unknown Kind = "unknown"
)

// Kinds are all kinds.
var Kinds = []Kind{Waits, Reminds, Answered, Expired, Unknown}

// headline is what people read first.
func (k Kind) headline() string {
	switch k {
	case Waits:
		return "A call waits for an answer"
	case Reminds:
		return "A call still waits for an answer"
	case Answered:
		return "A call was answered"
	case Expired:
		return "A call was not answered in time"
	case Unknown:
		return "Nobody knows whether a call ran"
	}
	return "A call changed"
}

// Message is what people are told about one call.
type Message struct {
	// ID is the message's own, of letters, digits, - and _. It stays the same however often the
	// message is tried. Each target gets it with its name at the end.
	ID     string
	Kind   Kind
	At     time.Time // when it happened
	Ticket string
	// Sentence says what the call would do. assent wrote it, never a model; words of the call
	// may be in it, so it goes only where the input may. Outline is the sentence for the others:
	// it says of what kind the call is.
	Sentence, Outline string
	Risk              permission.Risk
	Project           string // the last name of the directory, not its path
	Link              string // where the call can be answered; empty when there is no such page
	Expires           time.Time
	// Input is what would run. It goes only to a target whose settings allow that.
	Input strictjson.Raw
}

// without is the message for a target that may not have the input of calls.
func (m Message) without() Message {
	m.Sentence, m.Input = m.Outline, nil
	return m
}

// check finds what no target could take.
func (m Message) check() error {
	switch {
	case !isName(m.ID):
		return errors.New("the message needs an ID of letters, digits, - and _")
	case !slices.Contains(Kinds, m.Kind):
		return errors.New("the message is of no known kind")
	case m.Sentence == "":
		return errors.New("the message does not say what the call would do")
	case m.At.IsZero():
		return errors.New("the message does not say when it happened")
	}
	if m.Link != "" {
		link, err := url.Parse(m.Link)
		if err != nil || link.Scheme != "https" && link.Scheme != "http" || link.Host == "" || link.User != nil {
			return errors.New("the link of the message is no address of a page")
		}
	}
	if len(m.Input) > 0 {
		if err := strictjson.Valid(m.Input); err != nil {
			return errors.New("the input in the message is no JSON")
		}
	}
	return nil
}

// The places where people read have little room, so long texts are cut. Slack and ntfy would
// refuse them, and nobody decides by a notification: the page has everything.
const (
	sentenceRoom = 500
	inputRoom    = 400
)

func (m Message) sentence() string { return shorten(policy.Visible(m.Sentence), sentenceRoom) }
func (m Message) project() string  { return shorten(policy.Visible(m.Project), 100) }
func (m Message) title() string    { return m.Kind.headline() + " (" + m.Risk.String() + " risk)" }

// input is one line, empty where none may be shown.
func (m Message) input() string {
	if len(m.Input) == 0 {
		return ""
	}
	return shorten(policy.Visible(m.Input.String()), inputRoom)
}

// details are the lines below the sentence.
func (m Message) details() []string {
	var lines []string
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	add("Project", m.project())
	add("Ticket", shorten(policy.Visible(m.Ticket), 100))
	if !m.Expires.IsZero() {
		add("Answer before", m.Expires.UTC().Format("2006-01-02 15:04 MST"))
	}
	add("Input", m.input())
	return lines
}

// shorten cuts between characters and shows that it did.
func shorten(text string, most int) string {
	count := 0
	for i := range text {
		if count == most {
			return text[:i] + "…"
		}
		count++
	}
	return text
}

// isName: the text can stand in a header, a log and a Message-ID as it is.
func isName(text string) bool {
	if text == "" || len(text) > 128 {
		return false
	}
	for _, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != '-' && r != '_' {
			return false
		}
	}
	return true
}
