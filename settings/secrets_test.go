package settings

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/rule"
)

func TestT1_WhichVariablesHoldSecrets(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, `{"assent": {"notifications": [
		{"name": "one", "type": "slack", "secret": {"env": "SLACK"}},
		{"name": "two", "type": "webhook", "secret": [{"env": "NEW"}, {"file": "/old"}, {"env": "OLD"}]},
		{"name": "no target", "secret": {"env": "MISTAKEN"}},
		{"name": "none", "secret": "s3cret"}, {"name": "odd", "secret": {"env": 7}}, {"secret": {"env": ""}}, "odd", [[]]
	]}}`)
	w.put(rule.ProjectSettings, `{"assent": {"notifications": [{"secret": {"env": "PATH"}}]}}`) // which counts for nothing
	if got, want := w.load().SecretVariables(), []string{"SLACK", "NEW", "OLD", "MISTAKEN"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := newWorld(t).load().SecretVariables(); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
