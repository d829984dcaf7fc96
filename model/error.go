package model

import "strings"

// ErrorKind says what went wrong, so that a caller can act on it.
type ErrorKind uint8

// The kinds of error.
const (
	Unauthorized ErrorKind = iota + 1 // the key is missing, wrong or not allowed to do this
	BadRequest                        // the server does not take what was sent
	TooLong                           // the conversation is longer than the model can read
	NotFound                          // no such model or endpoint
	RateLimited                       // too many requests
	Overloaded                        // the server cannot take more
	ServerFault                       // the server failed
	Unreachable                       // no connection, or it broke
	Nonsense                          // the answer cannot be understood
	Unpaid                            // the account has no credit left
)

// Error is why a model gave no turn.
type Error struct {
	Kind   ErrorKind
	Status int    // of HTTP; 0 when there was no answer
	Text   string // one sentence for a person, with what the server said
	Hint   string // what to do about it; may be empty
	// RetryAfter is how long the server asks to wait, in milliseconds; 0 when it does
	// not say.
	RetryAfter int
	Err        error
}

// Error is the sentence and, behind it, what to do.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Text
	}
	return strings.TrimRight(e.Text, ".") + "; " + e.Hint
}

// Unwrap returns what is behind it.
func (e *Error) Unwrap() error { return e.Err }

// Word is the error in the word that hosts know from an assistant message.
func (e *Error) Word() string {
	switch e.Kind {
	case Unauthorized:
		return "authentication_failed"
	case Unpaid:
		return "billing_error"
	case RateLimited:
		return "rate_limit"
	case BadRequest, TooLong, NotFound:
		return "invalid_request"
	case Overloaded, ServerFault:
		return "server_error"
	case Unreachable, Nonsense:
		return "unknown"
	}
	return "unknown"
}

// Outlook is whether asking again can help.
type Outlook uint8

// The outlooks. The zero value is the one that ends a session and not a fortune.
const (
	Lasting Outlook = iota // the same request fails again
	Passing                // it may succeed in a while
)

// Outlook tells errors that pass from those that last. A wrong key, a model that does
// not exist or a request that the server does not take is not going to get better by
// waiting, and a person should hear of it at once.
func (e *Error) Outlook() Outlook {
	switch e.Kind {
	case RateLimited, Overloaded, ServerFault, Unreachable:
		return Passing
	case Unauthorized, BadRequest, TooLong, NotFound, Nonsense, Unpaid:
		return Lasting
	}
	return Lasting
}
