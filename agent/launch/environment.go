package launch

import (
	"fmt"
	"slices"

	"github.com/assent-dev/assent/internal/process"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings"
)

// withhold keeps what settings name as the place of a secret from the programs of sessions.
func (o Options) withhold(s *settings.Settings) {
	names := s.SecretVariables()
	process.Withhold(names...)
	o.Withhold(names...)
}

// variables are the environment of a session: that of the process, and what settings
// add to it.
type variables struct {
	process func(string) string
	more    map[string]string
}

// environment reads the "env" of all settings; that of the nearest source counts.
func environment(s *settings.Settings, process func(string) string) (variables, error) {
	v := variables{process: process, more: map[string]string{}}
	for _, f := range slices.Backward(s.Files) { // nearest first in the list, so it comes last here
		if len(f.Env.JSON) == 0 {
			continue
		}
		var own map[string]string
		if err := strictjson.Unmarshal(f.Env.JSON, &own); err != nil {
			return v, fmt.Errorf("%s:%d: env: %w (want names and texts)", f.Path, f.Env.Line, err)
		}
		for name, value := range own {
			v.more[name] = value
		}
	}
	return v, nil
}

// get is the value of a variable. What the process was started with counts more than
// what a file says.
func (v variables) get(name string) string {
	if value := v.process(name); value != "" {
		return value
	}
	return v.more[name]
}

// added are the variables of settings, for programs that are started: "NAME=value".
func (v variables) added() []string {
	var list []string
	for name, value := range v.more {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}
