package launch

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/settings/custom"
)

// Instruct gives the model other instructions than the options have: system in place of
// assent's own, more in addition to them. An empty text changes nothing. It must happen
// before the first prompt.
func (s *Session) Instruct(system, more string) error {
	o := s.options
	o.System, o.Append = cmp.Or(system, o.System), cmp.Or(more, o.Append)
	return s.Agent.Instruct(systemPrompt(o, s.cwd))
}

// AddAgents adds kinds of sub-agents that a host describes, in the form of --agents. Notes
// are what was ignored in it. It must happen before the first prompt.
func (s *Session) AddAgents(text []byte) (notes []string, err error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	agents, notes, err := custom.ReadFlag(text)
	if err != nil {
		return nil, fmt.Errorf("agents: %w", err)
	}
	kept, unsound := sound(agents)
	for name, why := range unsound {
		if slices.ContainsFunc(s.Agent.Kinds(), func(d agent.Definition) bool { return d.Name == name }) {
			return nil, fmt.Errorf("agents: %s, and there is another of that name", why)
		}
		notes = append(notes, why)
	}
	return notes, s.Agent.AddAgents(Definitions(kept))
}

// KeySource is where the key of the model comes from.
func (s *Session) KeySource() string { return s.keySource }
