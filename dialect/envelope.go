package dialect

import (
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// envelope is an event as it is written. Only what is asked for is looked at: one
// agent's word may mean something else to another.
type envelope map[string]strictjson.Raw

// has: the name is there and is not null.
func (in envelope) has(name string) bool {
	raw, ok := in[name]
	return ok && string(raw) != "null"
}

// filled: there is something under the name. An agent may write an empty result
// beside a call that has not run yet.
func (in envelope) filled(name string) bool {
	switch string(in[name]) {
	case "", "null", `""`, "{}", "[]":
		return false
	}
	return true
}

// one is the value under one of several names, nil when none is there. Names that
// are given and differ are an error: which of them the agent goes by is not known.
func (in envelope) one(names ...string) (strictjson.Raw, error) {
	var found strictjson.Raw
	for _, name := range names {
		switch {
		case !in.has(name):
		case found != nil && string(found) != string(in[name]):
			return nil, fmt.Errorf("%s of the event is given under two names and differs", name)
		default:
			found = in[name]
		}
	}
	return found, nil
}

// text is the string under one of several names; empty when none is there.
func (in envelope) text(names ...string) (string, error) {
	raw, err := in.one(names...)
	if raw == nil || err != nil {
		return "", err
	}
	var text string
	if err := strictjson.Unmarshal(raw, &text); err != nil {
		return "", fmt.Errorf("%s of the event is no text", names[0])
	}
	return text, nil
}
