package assent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// TestK2_AnInputIsAnObject: what is none, and would be read as no change at all, is no yes.
func TestK2_AnInputIsAnObject(t *testing.T) {
	var nothing *struct {
		Command string `json:"command"`
	}
	for name, input := range map[string]any{
		"nil": nil, "a nil pointer": nothing, "a nil map": map[string]string(nil), "a list": []int{1}, "a text": "ls", "JSON": assent.JSON(" null "),
	} {
		answer, err := assent.YesWith(input)
		if name == "a nil map" { // it becomes {}
			if err != nil || string(answer.UpdatedInput) != "{}" {
				t.Errorf("%s: %+v, %v", name, answer, err)
			}
			continue
		}
		if err == nil || answer.Behavior == permission.Allow {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
	for name, input := range map[string]string{"null": "null", "empty": "", "a list": "[]"} {
		p := newPlace(t)
		answer := assent.Yes()
		answer.UpdatedInput = []byte(input)
		all, result := watch(t, "make it", p.with(touches("made"), always(answer)))
		if p.exists("made") || len(result.Denials) != 1 || !strings.Contains(strings.Join(all, "\n"), "no JSON object") {
			t.Errorf("%s: %q", name, all)
		}
	}
}

// denyTouch is the change behind "no, and don't ask again".
var denyTouch = permission.Update{
	Type: permission.AddRules, Behavior: rule.Deny, Destination: rule.Session, Rules: []string{"Bash(touch:*)"},
}

// TestK2_NoAlways asks once and refuses what comes after.
func TestK2_NoAlways(t *testing.T) {
	p := newPlace(t)
	asked := 0
	_, result := watch(t, "make them", p.with(touches("a", "b"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
		asked++
		return assent.NoAlways("not here", denyTouch), nil
	})))
	if asked != 1 || len(result.Denials) != 2 || p.exists("a") || p.exists("b") {
		t.Errorf("asked %d times: %+v", asked, result)
	}
}

// TestK1_OddBytes of a program do not end its session.
func TestK1_OddBytes(t *testing.T) {
	for name, option := range map[string]assent.Option{
		"a message": always(assent.No("not \xff this")),
		"an error": assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
			return assent.Answer{}, errors.New("not \xff this")
		}),
	} {
		p := newPlace(t)
		all, result := watch(t, "make it", p.with(touches("made"), option))
		if result.Err() != nil || len(result.Denials) != 1 || !strings.Contains(strings.Join(all, "\n"), "not \uFFFD this") {
			t.Errorf("%s: %q", name, all)
		}
	}
}

// TestK1_APromptThatIsNone is refused before anything happens, and the client lives on.
func TestK1_APromptThatIsNone(t *testing.T) {
	for prompt, why := range map[string]string{"say \xff": "not valid UTF-8", " \n": "blank"} {
		p := newPlace(t)
		if _, err := assent.Run(t.Context(), prompt, p.with("turns: []\nafterwards: Hello.\n", assent.SessionID(anID))...); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", prompt, err)
		}
		client := opened(t, p.with("turns: []\nafterwards: Hello.\n", assent.SessionID(anID))...) // there is none of that id yet
		for m, err := range client.Query(t.Context(), prompt) {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%q: %v, %v", prompt, m, err)
			}
		}
		if _, result := ask(t, client, "hi"); result.Text != "Hello." {
			t.Errorf("%q: %+v", prompt, result)
		}
	}
}
