package remote

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/model"
)

// Shorter ones keep no secret: local servers are given a word such as "ollama", which
// people want to read in a message.
const (
	minSecret = 8
	hidden    = "[secret]"
)

// Hide takes secrets out of an error of package model. There are servers, and proxies
// before them, that repeat the key they were sent in what they say about it, and an
// error gets into terminals, transcripts and logs.
func Hide(err error, secrets ...string) error {
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		return err
	}
	clean := *e
	for _, secret := range secrets {
		if len(secret) < minSecret {
			continue
		}
		clean.Text, clean.Hint = without(clean.Text, secret), without(clean.Hint, secret)
		if clean.Err == nil {
			continue
		}
		// What is behind an error can be printed, too.
		if text := clean.Err.Error(); without(text, secret) != text {
			clean.Err = errors.New(without(text, secret))
		}
	}
	return &clean
}

// without replaces a secret, and the beginning of one where a long text was cut off.
func without(text, secret string) string {
	const cut, least = "…", 3
	text = strings.ReplaceAll(text, secret, hidden)
	if !strings.Contains(text, cut) {
		return text
	}
	for n := len(secret) - 1; n >= least; n-- {
		text = strings.ReplaceAll(text, secret[:n]+cut, hidden+cut)
	}
	return text
}
