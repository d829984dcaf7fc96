package classify

import (
	"strings"
	"testing"
)

// FuzzReadAnswer: what is read as a verdict holds the nonce and says approve in so many
// words; everything else is no answer.
func FuzzReadAnswer(f *testing.F) {
	const nonce = "QZ7XK2M4"
	for _, seed := range []string{
		`{"nonce":"QZ7XK2M4","outcome":"approve","risk":"low","reason":"x"}`, `{"nonce":"QZ7XK2M4","outcome":"refuse","risk":"high","reason":"x"}`,
		`{"nonce":"QZ7XK2M4","outcome":"refuse","outcome":"approve","risk":"low","reason":"x"}`, `{}`, `[]`, `{"nonce":"QZ7XK2M4"}`, `approve`,
		`{"nonce":"QZ7XK2M4","outcome":"approve","risk":"low","reason":"x"} x`, "\"\\u0051Z7XK2M4\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := readAnswer(text, nonce)
		if err != nil {
			if v.Outcome != NoOpinion {
				t.Errorf("%q: %v beside %v", text, v.Outcome, err)
			}
			return
		}
		if v.Outcome != Approve && v.Outcome != Refuse || v.Risk == Unrated || len(v.Reasons) != 1 {
			t.Errorf("%q: %+v", text, v)
		}
		trimmed := strings.TrimSpace(text)
		if trimmed[0] != '{' || trimmed[len(trimmed)-1] != '}' {
			t.Errorf("%q: there is text around the object", text)
		}
		if v.Outcome == Approve && v.Risk == High {
			t.Errorf("%q: approves a high risk", text)
		}
		if _, err := readAnswer(text, nonce+"x"); err == nil {
			t.Errorf("%q: counts for another question", text)
		}
	})
}
