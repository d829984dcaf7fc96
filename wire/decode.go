package wire

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Unknown is a message of a program that has more to tell than this package knows.
type Unknown struct {
	Type, Subtype string
	// Raw is all of it.
	Raw strictjson.Raw
	Stamp
}

// Decode reads a line that [Encode] or another program of this protocol has written: it
// is the way back. Members that are not known are ignored, and a message that is not
// known is an [*Unknown], since others add to what they say. What two readers could
// understand differently is an error: a key that occurs twice, a byte that is no UTF-8;
// and so is a line beyond [MaxLine].
//
// Lines of the control protocol are no messages; see [ReadControl].
func Decode(line []byte) (Message, error) {
	head, err := readHead(line)
	if err != nil {
		return nil, err
	}
	read := readerOf(head)
	if read == nil {
		return head.unknown(line), nil
	}
	m, err := read(line)
	switch {
	case errors.Is(err, errOther):
		return head.unknown(line), nil
	case err != nil:
		return nil, fmt.Errorf("a message of type %s cannot be read: %w", head.name(), err)
	}
	return m, nil
}

// SessionOf is the session that a message belongs to; "" when it does not say.
func SessionOf(m Message) string { return m.stamp().SessionID }

// errOther: the message has the name of one that is known, and another shape.
var errOther = errors.New("the message has another shape")

// head is what all messages have.
type head struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Stamp
}

func readHead(line []byte) (head, error) {
	var h head
	if len(line) > MaxLine {
		return h, errLong
	}
	tree, err := strictjson.Tree(line)
	if err != nil {
		return h, err
	}
	if tree.Kind != '{' {
		return h, errors.New("it is JSON and no object")
	}
	return h, strictjson.Unmarshal(line, &h)
}

func (h head) name() string {
	if h.Subtype == "" {
		return h.Type
	}
	return h.Type + "/" + h.Subtype
}

func (h head) unknown(line []byte) *Unknown {
	return &Unknown{Type: h.Type, Subtype: h.Subtype, Raw: append(strictjson.Raw{}, line...), Stamp: h.Stamp}
}

// Control is a line of the control protocol as a host gets it.
type Control struct {
	Kind ControlKind
	// ID is that of the request. Subtype and Body are what is asked; Body is also what a
	// request of the host was answered.
	ID, Subtype string
	Body        strictjson.Raw
	// Failure is why a request of the host failed.
	Failure string
}

// ControlKind tells the lines of the control protocol apart.
type ControlKind uint8

// The kinds.
const (
	Asked     ControlKind = iota + 1 // the program wants to know something
	Withdrawn                        // it does not any more
	Answered                         // a request of the host went well
	Refused                          // a request of the host failed
)

// ReadControl reads a line of the control protocol; ok is false for any other line, and
// then the error is nil: [Decode] says what is wrong with it.
func ReadControl(line []byte) (c Control, ok bool, err error) {
	var kind struct {
		Type string `json:"type"`
	}
	if len(line) > MaxLine || strictjson.Unmarshal(line, &kind) != nil {
		return c, false, nil
	}
	var m incoming
	switch kind.Type {
	case "control_request", "control_response", "control_cancel_request":
		if err := strictjson.Unmarshal(line, &m); err != nil {
			return c, true, fmt.Errorf("a %s cannot be read: %w", kind.Type, err)
		}
	default:
		return c, false, nil
	}
	switch {
	case kind.Type == "control_cancel_request":
		return Control{Kind: Withdrawn, ID: m.RequestID}, true, nil
	case kind.Type == "control_request":
		var request struct {
			Subtype string `json:"subtype"`
		}
		if err := checkRequest(m); err != nil {
			return c, true, err
		}
		err := strictjson.Unmarshal(m.Request, &request)
		return Control{Kind: Asked, ID: m.RequestID, Subtype: request.Subtype, Body: m.Request}, true, err
	case m.Response == nil:
		return c, true, errors.New("a control_response has no response")
	}
	body, err := m.Response.read()
	if failed, ok := errors.AsType[*HostError](err); ok {
		return Control{Kind: Refused, ID: m.Response.RequestID, Failure: failed.Text}, true, nil
	}
	return Control{Kind: Answered, ID: m.Response.RequestID, Body: body}, true, nil
}
