package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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
		j, err = c.judgeInvalid(q.Query, invalid)
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
	err := strictjson.UnmarshalKnown(line, &w)
	invalid := invalidInput(line, err)
	if invalid != nil { // whoever asks, and in which mode, is known all the same
		w = lineQuery{}
		err = strictjson.UnmarshalKnown(withoutInput(line), &w)
	}
	if err != nil {
		return identified{ID: LineID(line)}, err
	}
	if start, _ := member(line, "permissions"); start >= 0 && w.Permissions == nil {
		return identified{ID: w.ID}, errors.New("permissions is null: write {} for none, or leave it out for the settings on disk")
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
	if invalid != nil {
		return q, invalid
	}
	return q, nil
}

// invalidInput tells an input that cannot be read from a line that cannot: it is
// what the first stage would say about the input, nil where the line is at fault.
func invalidInput(line []byte, err error) *permission.InvalidError {
	fault, ok := errors.AsType[*strictjson.Error](err)
	if !ok || !strings.HasPrefix(fault.Pointer, "/tool_input") {
		return nil
	}
	if start, _ := member(line, "tool_input"); start < 0 {
		return nil
	}
	var tool string
	if start, end := member(line, "tool_name"); start < 0 || strictjson.Unmarshal(line[start:end], &tool) != nil {
		return nil
	}
	problem := fmt.Errorf("%s input: %s: %s", tool, strings.TrimPrefix(fault.Pointer, "/tool_input"), fault.Message)
	return &permission.InvalidError{Tool: tool, Err: problem}
}

// withoutInput is the line with an empty object as its input, everything else in its
// old place.
func withoutInput(line []byte) []byte {
	start, end := member(line, "tool_input")
	empty := bytes.Repeat([]byte(" "), max(end-start, 2))
	empty[0], empty[len(empty)-1] = '{', '}'
	return slices.Concat(line[:start], empty, line[end:])
}

// judgeInvalid decides a call whose input cannot even be read as JSON.
func (c *Checker) judgeInvalid(q Query, invalid *permission.InvalidError) (*Judgement, error) {
	if _, ok := c.Tools.Lookup(q.Tool); !ok {
		return nil, fmt.Errorf("%w: %s", permission.ErrNoSuchTool, q.Tool)
	}
	env, err := c.settled(&q)
	if err != nil {
		return nil, err
	}
	return &Judgement{Request: permission.Request{Tool: q.Tool}, Decision: permission.Invalid(env.context, invalid), env: env}, nil
}

// LineID finds the id of a line that cannot be read, so that whoever sent it can
// tell which one it was. Nil when there is none.
func LineID(line []byte) strictjson.Raw {
	start, end := member(line, "id")
	if start < 0 || strictjson.Valid(line[start:end]) != nil {
		return nil
	}
	return bytes.Clone(line[start:end])
}
