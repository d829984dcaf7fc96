package launch

import (
	"cmp"
	"strings"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/provider"
)

// ownModel is what the model of a Go program is called that has not named it.
const ownModel = "own"

// talk is the model that a session talks to.
type talk struct {
	provider  model.Provider
	model     string
	keySource string
}

func openModel(o Options, env variables) (talk, error) {
	if o.Provider != nil {
		return talk{o.Provider, cmp.Or(o.Model, ownModel), string(provider.NoKey)}, nil
	}
	choice, err := provider.Open(o.Model, env.get, nil)
	return talk{choice.Provider, choice.Model, string(choice.Key)}, err
}

// resolve is the full name of a model. The aliases are those of Anthropic's models: where
// the session began with another, they mean that one.
func (s *Session) resolve(name string) string {
	full, own := provider.Resolve(name, s.env.get), s.customs.model
	if full != name && strings.HasPrefix(full, "claude") && !strings.HasPrefix(own, "claude") {
		return own
	}
	return full
}

// SetModel changes the model from the next question on; it may be an alias.
func (s *Session) SetModel(name string) { s.Agent.SetModel(s.resolve(name)) }
