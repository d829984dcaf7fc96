package model

import (
	"fmt"
	"strings"
	"unicode"
)

// Failed is the error for an answer with an HTTP status that means failure. word is
// the server's own name for the error and said its message; both may be empty.
func Failed(status int, word, said string) *Error {
	said = OneLine(said)
	e := &Error{Kind: kindOf(status, word, said), Status: status}
	e.Text = fmt.Sprintf("the model's server answered with status %d", status)
	if status == 0 {
		e.Text = "the model's server broke off its answer"
	}
	if said != "" {
		e.Text += ": " + said
	}
	e.Hint = e.hint()
	return e
}

func kindOf(status int, word, said string) ErrorKind {
	switch word {
	case "insufficient_quota", "billing_error":
		return Unpaid
	case "context_length_exceeded", "request_too_large":
		return TooLong
	}
	switch lower := strings.ToLower(said); {
	case strings.Contains(lower, "credit balance is too low"):
		return Unpaid
	case status == 400 && strings.Contains(lower, "prompt is too long"),
		status == 400 && strings.Contains(lower, "maximum context length"):
		return TooLong
	}
	switch status {
	case 401, 403:
		return Unauthorized
	case 402:
		return Unpaid
	case 404:
		return NotFound
	case 408, 409:
		// The server ran out of time or did something else with the same thing: both
		// pass.
		return ServerFault
	case 413:
		return TooLong
	case 429:
		return RateLimited
	case 503, 529:
		return Overloaded
	}
	if status >= 400 && status < 500 {
		return BadRequest
	}
	return ServerFault
}

func (e *Error) hint() string {
	switch e.Kind {
	case Unauthorized:
		return "check the API key and what it may be used for"
	case Unpaid:
		return "add credit to the account or use another key"
	case NotFound:
		return "check --model and the base URL"
	case TooLong:
		return "compact the conversation or start a new session"
	case RateLimited, Overloaded, ServerFault, Unreachable:
		return "try again in a while"
	case BadRequest, Nonsense:
		return ""
	}
	return ""
}

// maxSaid is how many characters of a server's message are shown.
const maxSaid = 1000

// OneLine makes what a server said fit to be shown: one line, no control characters
// that could play tricks on a terminal, and not without end.
func OneLine(said string) string {
	var out strings.Builder
	count, blank := 0, false
	for _, r := range said {
		if !unicode.IsPrint(r) {
			r = ' '
		}
		if blank = blank && r == ' '; blank {
			continue
		}
		if blank = r == ' '; count == maxSaid {
			out.WriteString("…")
			break
		}
		out.WriteRune(r)
		count++
	}
	return strings.TrimSpace(out.String())
}
