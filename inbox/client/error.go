package client

import (
	"fmt"
	"io"
	"net/http"

	"github.com/assent-dev/assent/internal/strictjson"
)

// The codes of errors; see docs/api.md.
const (
	Answered  = "answered"
	Expired   = "expired"
	Changed   = "changed"
	Denied    = "denied"
	Invalid   = "invalid"
	Forbidden = "forbidden"
	NotFound  = "not_found"
	Busy      = "busy"
	Internal  = "internal"
	HighRisk  = "high_risk"
	Confirm   = "confirm"
	Gone      = "gone"
)

// Error is what the server refuses.
type Error struct {
	// Status is that of HTTP.
	Status int
	// Code is for programs, Message a sentence for people.
	Code    string
	Message string
	// Details are more about it; nil when there is nothing.
	Details strictjson.Raw
}

func (e *Error) Error() string { return e.Message }

// First is what was said first about a call that somebody else has answered; nil when the
// error is another one.
func (e *Error) First() *Decision {
	var details struct {
		Answer *Decision `json:"answer"`
	}
	if e.Details == nil || strictjson.Unmarshal(e.Details, &details) != nil {
		return nil
	}
	return details.Answer
}

func readError(resp *http.Response) error {
	const most = 1 << 20
	data, _ := io.ReadAll(io.LimitReader(resp.Body, most)) // what is there says enough, or nothing does
	var body struct {
		Error struct {
			Code    string         `json:"code"`
			Message string         `json:"message"`
			Details strictjson.Raw `json:"details"`
		} `json:"error"`
	}
	if strictjson.Unmarshal(data, &body) != nil || body.Error.Code == "" {
		return fmt.Errorf("the server answers with %s, and is no inbox of assent", resp.Status)
	}
	return &Error{Status: resp.StatusCode, Code: body.Error.Code, Message: body.Error.Message, Details: body.Error.Details}
}
