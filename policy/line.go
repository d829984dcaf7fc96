package policy

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// LineReply answers one line of `assent check --jsonl`: a decision or an error,
// never both.
type LineReply struct {
	ID strictjson.Raw `json:"id"`
	*Reply
	// Error is why there is no decision; it is not a permission.
	Error string `json:"error,omitempty"`
}

// lineQuery is a line as it is written.
type lineQuery struct {
	ID          strictjson.Raw     `json:"id"`
	Tool        string             `json:"tool_name"`
	Input       strictjson.Raw     `json:"tool_input"`
	Cwd         string             `json:"cwd"`
	Home        string             `json:"home"`
	Mode        string             `json:"mode"`
	Permissions *Permissions       `json:"permissions"`
	Symlinks    *map[string]string `json:"symlinks"`
}

// Line answers one line. Whatever the line holds, there is exactly one answer.
func (c *Checker) Line(line []byte) LineReply {
	q, err := readLine(line)
	reply := LineReply{ID: q.ID}
	var j *Judgement
	if err == nil {
		j, err = c.Judge(q.Query)
	}
	if invalid, ok := errors.AsType[*permission.InvalidError](err); ok {
		reply.Reply = invalidReply(invalid)
		return reply
	}
	if err != nil {
		reply.Error = err.Error()
		return reply
	}
	r := j.Reply()
	reply.Reply = &r
	return reply
}

type identified struct {
	ID strictjson.Raw
	Query
}

func readLine(line []byte) (identified, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return identified{}, errors.New("the line is empty")
	}
	var w lineQuery
	if err := strictjson.UnmarshalKnown(line, &w); err != nil {
		return identified{ID: findID(line)}, refused(line, err)
	}
	q := identified{ID: w.ID, Query: Query{Tool: w.Tool, Input: w.Input, Cwd: w.Cwd, Home: w.Home, Permissions: w.Permissions}}
	if w.Symlinks != nil {
		q.Symlinks = *w.Symlinks
		if q.Symlinks == nil {
			q.Symlinks = map[string]string{}
		}
	}
	if w.Input == nil {
		return q, errors.New("tool_input is missing")
	}
	if w.Mode != "" {
		mode, err := permission.ParseMode(w.Mode)
		if err != nil {
			return q, err
		}
		q.Mode = mode
	}
	return q, nil
}

// refused tells a line that cannot be read from an input that cannot: the latter
// is what the first stage would say about it.
func refused(line []byte, err error) error {
	fault, ok := errors.AsType[*strictjson.Error](err)
	if !ok || !strings.HasPrefix(fault.Pointer, "/tool_input") {
		return err
	}
	var tool string
	if start, end := member(line, "tool_name"); start >= 0 {
		if strictjson.Unmarshal(line[start:end], &tool) != nil {
			return err
		}
	}
	problem := fmt.Errorf("%s input: %s: %s", tool, strings.TrimPrefix(fault.Pointer, "/tool_input"), fault.Message)
	return &permission.InvalidError{Tool: tool, Err: problem}
}

func invalidReply(err *permission.InvalidError) *Reply {
	d := permission.Invalid(nil, err)
	return &Reply{
		Decision: d.Behavior.String(), Reason: partText(d.Message()), ReasonKind: d.Reason.Kind.String(),
		Stage: d.Stage.String(),
	}
}

// findID finds the id of a line that cannot be read, so that whoever sent it can
// tell which one it was. Nil when there is none.
func findID(line []byte) strictjson.Raw {
	start, end := member(line, "id")
	if start < 0 || strictjson.Valid(line[start:end]) != nil {
		return nil
	}
	return bytes.Clone(line[start:end])
}
