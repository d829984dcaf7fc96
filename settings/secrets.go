package settings

import "github.com/assent-dev/assent/internal/strictjson"

// SecretVariables are the variables of the environment from which notifications take their secrets,
// also those of notifications that are not in force: whoever has written one down keeps a secret
// there all the same. No program of an agent gets them.
func (s *Settings) SecretVariables() []string {
	var names []string
	for target := range s.notificationTargets() {
		names = append(names, secretVariables(target.Member("secret"))...)
	}
	return names
}

// secretVariables are those of one place of a secret, or of a list of them.
func secretVariables(place strictjson.Node) (names []string) {
	switch place.Kind {
	case '{':
		if name := place.Member("env"); name.Kind == '"' && name.Text() != "" {
			names = append(names, name.Text())
		}
	case '[':
		for one := range place.Elements() {
			names = append(names, secretVariables(one)...)
		}
	}
	return names
}
