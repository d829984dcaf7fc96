package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// MaxLine is how long a line of a host may be. A picture fits; what is longer is no
// message that anybody means to send.
const MaxLine = 32 << 20

// PromptKind is what the user wants.
type PromptKind uint8

// The kinds.
const (
	// Said: there is content.
	Said PromptKind = iota
	// GoesOn: there is none. What waits in the session is to be taken up.
	GoesOn
	// Left: nobody has said anything, and the host is gone. What waits is left alone.
	Left
)

// Prompt is a message of the user.
type Prompt struct {
	Kind    PromptKind
	Content []model.Block
	// UUID is the host's own name for it; it may be empty.
	UUID string

	size   int  // of the line it came in
	doomed bool // the host has interrupted it before its turn
}

// incoming is any message of a host.
type incoming struct {
	Type      string         `json:"type"`
	Message   strictjson.Raw `json:"message"`
	UUID      string         `json:"uuid"`
	RequestID string         `json:"request_id"`
	Request   strictjson.Raw `json:"request"`
	Response  *response      `json:"response"`
}

// response is an answer of a host. What it says about its own failure may be anything: the
// request has failed all the same.
type response struct {
	Subtype   strictjson.Raw `json:"subtype"`
	RequestID string         `json:"request_id"`
	Response  strictjson.Raw `json:"response"`
	Error     strictjson.Raw `json:"error"`
}

// InputError is a line that cannot be read. Nobody knows what it was meant to say, and
// it may have been an answer: reading ends with it.
type InputError struct {
	Line int // from 1
	Err  error
}

func (e *InputError) Error() string {
	return fmt.Sprintf("stdin line %d: %v", e.Line, e.Err)
}

// Unwrap returns what is wrong.
func (e *InputError) Unwrap() error { return e.Err }

// read reads messages until r ends. What is JSON but no message is skipped: a bare
// string, an empty line, a type that is not known.
func read(r io.Reader, take func(incoming) error) error {
	for line, err := range strictjson.Lines(&lines{r: r}, MaxLine) {
		if err != nil {
			if errors.Is(err, strictjson.ErrLineTooLong) {
				return &InputError{line.Number, errLong}
			}
			return err
		}
		m, known, err := parse(line.Data)
		if err != nil {
			return &InputError{line.Number, err}
		}
		if !known {
			continue
		}
		if err := take(m); err != nil {
			return &InputError{line.Number, err}
		}
	}
	return nil
}

// errLong is what is wrong with a line that is too long.
var errLong = fmt.Errorf("it is longer than %d MB: %w", MaxLine>>20, strictjson.ErrLineTooLong)

// lines is a reader that ends when a line gets too long: its end may never come.
type lines struct {
	r    io.Reader
	long int // what has come of the line so far
	err  error
}

func (l *lines) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.r.Read(p)
	if i := bytes.LastIndexByte(p[:n], '\n'); i >= 0 {
		l.long = n - i - 1
	} else {
		l.long += n
	}
	if l.long > MaxLine {
		l.err = errLong
		return 0, l.err
	}
	return n, err
}

// parse reads one line; known is false for JSON that is no message.
func parse(line []byte) (m incoming, known bool, err error) {
	if blank(line) {
		return m, false, nil
	}
	tree, err := strictjson.Tree(line)
	if err != nil {
		return m, false, err
	}
	if tree.Kind != '{' {
		return m, false, nil
	}
	var kind struct {
		Type strictjson.Raw `json:"type"`
	}
	if err := strictjson.Unmarshal(line, &kind); err != nil {
		return m, false, err
	}
	var name string
	if err := strictjson.Unmarshal(kind.Type, &name); err != nil {
		return m, false, nil // no type at all, or one that is no text
	}
	switch name {
	case "user", "control_request", "control_response", "control_cancel_request":
		return m, true, misfit(strictjson.Unmarshal(line, &m))
	}
	return m, false, nil
}

// misfit says what is wrong with JSON that is well formed and does not fit, without calling
// it invalid.
func misfit(err error) error {
	if e, ok := err.(*strictjson.Error); ok && e.Fault == strictjson.Misfit {
		return errors.New(strings.TrimPrefix(e.Pointer+": "+e.Message, ": "))
	}
	return err
}

// missing: a member is not there, or null.
func missing(member strictjson.Raw) bool { return member == nil || string(member) == "null" }

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// prompt reads the message of a user.
func (m incoming) prompt() (Prompt, error) {
	var said struct {
		Role    string         `json:"role"`
		Content strictjson.Raw `json:"content"`
	}
	if missing(m.Message) {
		return Prompt{}, errors.New("message is missing: a user message needs a message object")
	}
	if err := strictjson.Unmarshal(m.Message, &said); err != nil {
		return Prompt{}, fmt.Errorf("a user message needs a message object: %w", misfit(err))
	}
	if said.Role != "" && said.Role != string(model.User) {
		return Prompt{}, fmt.Errorf("a user message cannot have the role %q", said.Role)
	}
	content, err := model.Content(said.Content)
	if err != nil {
		return Prompt{}, fmt.Errorf("the content of a user message cannot be read: %w", misfit(err))
	}
	kind, err := kindOf(content)
	if err != nil {
		return Prompt{}, err
	}
	return Prompt{Kind: kind, Content: content, UUID: m.UUID}, nil
}

// errEmpty is what is wrong with a prompt without content where nothing waits.
var errEmpty = errors.New("the content of a user message is empty (send a text)")

// kindOf says whether there is content. It refuses what no user says: blocks that only an
// agent may write, for instance the result of a tool.
func kindOf(content []model.Block) (PromptKind, error) {
	empty := true
	for _, b := range content {
		switch b.Kind {
		case model.Text:
			empty = empty && strings.TrimSpace(b.Text) == ""
		case "image", "document":
			empty = false
		default:
			return 0, fmt.Errorf("a user message cannot hold a block of type %q (send text, image or document)", b.Kind)
		}
	}
	if empty {
		return GoesOn, nil
	}
	return Said, nil
}
