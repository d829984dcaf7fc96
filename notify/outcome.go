package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"
)

// Verdict is what to do about a message that was tried.
type Verdict uint8

// The verdicts. The zero value loses no message.
const (
	// Again: it was not taken, and may be later.
	Again Verdict = iota
	// Sent: the target has taken it.
	Sent
	// Never: it will not be taken before somebody has changed something.
	Never
	// Partly: the target has taken it, and for some of its people it never will.
	Partly
)

func (v Verdict) String() string {
	switch v {
	case Again:
		return "again"
	case Sent:
		return "sent"
	case Never:
		return "never"
	case Partly:
		return "partly"
	}
	return "again"
}

// Outcome is what came of one attempt.
type Outcome struct {
	Verdict Verdict
	// Wait is how long the target wants to be left alone, for Again. Zero means that it has not
	// said anything.
	Wait time.Duration
	// Text is a sentence for people. Of the target it names nothing but the host: the rest of
	// an address may be a secret.
	Text string
}

// What a target says about waiting counts within these bounds: one that says "now" is not
// hammered, and one that says "next year" does not silence what people must hear.
const (
	shortestWait = time.Second
	longestWait  = time.Hour
)

// judgeStatus says what an HTTP status means. The body is not read: it proves nothing.
func judgeStatus(host string, response *http.Response, now time.Time) Outcome {
	code := response.StatusCode
	said := fmt.Sprintf("%s answered %d %s", host, code, http.StatusText(code))
	switch {
	case code >= 200 && code < 300:
		return Outcome{Verdict: Sent, Text: host + " has taken it"}
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		return Outcome{Verdict: Again, Wait: retryAfter(response.Header.Get("Retry-After"), now), Text: said}
	case code >= 300 && code < 400:
		return Outcome{Verdict: Never, Text: said + ": a redirect is not followed; put the final address into the settings"}
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return Outcome{Verdict: Never, Text: said + ": look whether the secret is still the right one"}
	case code == http.StatusNotFound, code == http.StatusGone:
		return Outcome{Verdict: Never, Text: said + ": look whether the address is still the right one"}
	}
	return Outcome{Verdict: Never, Text: said + ": it does not take such messages"}
}

// retryAfter reads a number of seconds or a date; what is neither says nothing.
func retryAfter(text string, now time.Time) time.Duration {
	if text == "" {
		return 0
	}
	var wait time.Duration
	seconds, err := strconv.ParseUint(text, 10, 64)
	if date, noDate := http.ParseTime(text); noDate == nil {
		wait = date.Sub(now)
	} else if err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(min(seconds, uint64(longestWait/time.Second))) * time.Second
	} else {
		return 0
	}
	return min(max(wait, shortestWait), longestWait)
}

// broken says what became of an attempt without an answer. The words of err are left out:
// they may repeat the address.
func broken(host string, err error) Outcome {
	again := func(text string) Outcome { return Outcome{Verdict: Again, Text: host + ": " + text} }
	var refused *refusal
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		return Outcome{Verdict: Never, Text: host + " " + refused.Error()}
	case errors.Is(err, context.Canceled):
		return again("it was stopped before there was an answer")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return again("there was no answer in time")
	case errors.As(err, &name):
		return again("the name has no address: look whether it is spelt right")
	case errors.As(err, &certificate):
		return again("its certificate is not one that this machine trusts for that name")
	case errors.Is(err, syscall.ECONNREFUSED):
		return again("nobody listens there")
	}
	return again("the connection broke before there was an answer")
}

// misset is the outcome for what only other settings can help.
func misset(t Target, err error) Outcome {
	return Outcome{Verdict: Never, Text: fmt.Sprintf("notification %q: %v", t.Name, err)}
}
