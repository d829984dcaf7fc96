package inbox

import (
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// example is what an example of the browser tests says about a call.
type example struct {
	Tool  string         `json:"tool"`
	Input strictjson.Raw `json:"input"`
	Rules struct {
		Decision string        `json:"decision"`
		Reason   string        `json:"reason"`
		Parts    []examplePart `json:"parts"`
	} `json:"rules"`
}

type examplePart struct {
	Text    string `json:"text"`
	Span    [2]int `json:"span"`
	Outcome string `json:"outcome"`
	Why     string `json:"why"`
	Rule    *struct {
		Text     string `json:"text"`
		Behavior string `json:"behavior"`
	} `json:"rule"`
	Decided bool `json:"decided"`
}

// The pictures of the documentation are made of the examples of the browser tests. Under the
// rules that an example names, the rules say of its commands what the example says.
func TestDocumentation_ThePicturesShowRealVerdicts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node, with which the examples are read")
	}
	readAll(t, "browser") // so that a result is not one of other examples
	read := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", "import { examples } from './examples.mjs'; console.log(JSON.stringify(examples))")
	read.Dir = "browser"
	text, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	var examples map[string]example
	if err := strictjson.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for name, e := range examples {
		if len(e.Rules.Parts) == 0 {
			continue
		}
		checked++
		t.Run(name, func(t *testing.T) { e.check(t) })
	}
	if checked < 3 {
		t.Errorf("only %d examples have commands", checked)
	}
}

// place is where a rule stands: it is another one in the example.
var place = regexp.MustCompile(` \(/[^ ]*:\d+\)`)

func (e example) check(t *testing.T) {
	w := newWorld(t)
	permissions := map[string][]string{}
	for _, p := range e.Rules.Parts {
		if p.Rule != nil {
			permissions[p.Rule.Behavior] = append(permissions[p.Rule.Behavior], p.Rule.Text)
		}
	}
	settings, err := strictjson.Marshal(map[string]any{"permissions": permissions})
	w.must(err)
	w.rules(string(settings))
	var input map[string]any
	w.must(strictjson.Unmarshal(e.Input, &input))
	got := w.look(w.park(call(e.Tool, input))[0].ID).Rules
	if got.Decision != e.Rules.Decision {
		t.Errorf("the decision is %s", got.Decision)
	}
	var want, have []examplePart
	for _, p := range e.Rules.Parts {
		want = append(want, examplePart{Text: p.Text, Span: p.Span, Outcome: p.Outcome, Why: place.ReplaceAllString(p.Why, ""), Decided: p.Decided})
	}
	for _, p := range got.Parts {
		have = append(have, examplePart{Text: p.Text, Span: p.Span, Outcome: p.Outcome, Why: place.ReplaceAllString(p.Why, ""), Decided: p.Decided})
	}
	if !slices.Equal(have, want) {
		t.Errorf("the rules say\n%+v\nand the example\n%+v", have, want)
	}
}
