package launch

import (
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/provider"
)

// talk is the model that a session talks to.
type talk struct {
	provider  model.Provider
	model     string
	keySource string
}

func openModel(name string, env variables) (talk, error) {
	choice, err := provider.Open(name, env.get, nil)
	return talk{choice.Provider, choice.Model, string(choice.Key)}, err
}

// SetModel changes the model from the next question on; it may be an alias.
func (s *Session) SetModel(name string) { s.Agent.SetModel(provider.Resolve(name, s.env.get)) }
