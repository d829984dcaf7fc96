package dialect

import (
	"maps"

	"github.com/assent-dev/assent/internal/strictjson"
)

// backgroundWords are what agents call the parameter run_in_background of Bash.
var backgroundWords = []string{"is_background", "isBackground", "background", "detach", "run_in_background"}

// said adds to calls what the agent has said about them besides, for rules on parameters. An
// input of assent's words has only what its own judgement needs.
func (a *arguments) said(calls []Call) []Call {
	for i := range calls {
		if c := &calls[i]; !c.AnyServer && !c.Foreign && !isMCP(c.Tool) {
			c.Said = a.asSaid(c)
		}
	}
	return calls
}

// asSaid is the input as the agent wrote it, and what assent understands of it under its own names.
func (a *arguments) asSaid(c *Call) []byte {
	var judged map[string]strictjson.Raw
	if strictjson.Unmarshal(c.Input, &judged) != nil {
		return nil
	}
	all := maps.Clone(a.named)
	for name, value := range judged {
		if !all.has(name) && string(value) != `""` { // which only fills a place
			all[name] = value
		}
	}
	if c.Tool == "Bash" {
		if value := a.background(); value != nil {
			all["run_in_background"] = value
		}
	}
	return marshal(map[string]strictjson.Raw(all))
}

// background is what the agent says about running in the background, under any name; all of it
// where it says so more than once.
func (a *arguments) background() strictjson.Raw {
	var values []strictjson.Raw
	for _, name := range backgroundWords {
		if a.named.has(name) {
			values = append(values, a.named[name])
		}
	}
	var mode string
	if strictjson.Unmarshal(a.named["mode"], &mode) == nil && mode == "async" { // Copilot's word
		values = append(values, strictjson.Raw("true"))
	}
	switch len(values) {
	case 0:
		return nil
	case 1:
		return values[0]
	}
	return marshal(values)
}
