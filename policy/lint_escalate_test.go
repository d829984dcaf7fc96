package policy

import (
	"fmt"
	"slices"
	"testing"
)

func TestLintEscalations(t *testing.T) {
	const targets = `"notifications": [{"name": "phone", "type": "ntfy"}, {"name": 7}, "odd"], `
	const steps = `"approvals": {
		"any": {"escalate": [{"after": "1h", "notify": ["phone"]}]},
		"high": {"escalate": [{"after": "1h", "notify": ["phone",
			"fone"]}, {"after": "2h",
			"notify": ["boss"]}]}}`
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"all are there": {map[string]string{"home/.claude/settings.json": `{"assent": {` + targets + `"approvals": {"any": {"escalate": [{"after": "1h", "notify": ["phone"]}]}}}}`}, nil},
		"misspelt and missing": {map[string]string{"home/.claude/settings.json": `{"assent": {` + targets + steps + `}}`}, []string{
			"4 warning write phone", "5 warning name one of the notifications of the user's or the administrator's settings, or add it there",
		}},
		"of a workspace": {map[string]string{
			"home/.claude/settings.json": `{"assent": {` + targets + `"parking": {}}}`, "proj/.claude/settings.json": `{"assent": {` + steps + `}}`,
		}, []string{
			"4 warning write phone", "5 warning name one of the notifications of the user's or the administrator's settings, or add it there",
		}},
		"another machine tells": {map[string]string{"home/.claude/settings.json": `{"assent": {"approvals": {"any": {"escalate": [{"after": "1h", "notify": ["phone"]}]}}}}`}, []string{
			"1 info see that the settings of the server that tells people have it",
		}},
		"those of a workspace are none": {map[string]string{"proj/.claude/settings.json": `{"assent": {` + targets + `"approvals": {"any": {"escalate": [{"after": "1h", "notify": ["phone"]}]}}}}`}, []string{
			"1 info see that the settings of the server that tells people have it",
		}},
	} {
		var got []string
		for _, f := range lintFiles(t, c.files) {
			if f.Code == "unknown-notification" {
				got = append(got, fmt.Sprintf("%d %s %s", f.Line, f.Severity, f.Fix))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}
