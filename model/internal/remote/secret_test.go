package remote

import (
	"context"
	"errors"
	"testing"

	"github.com/assent-dev/assent/model"
)

func TestHide(t *testing.T) {
	const key, token = "sk-0123456789", "token-abcdef"
	for text, want := range map[string]string{
		"nothing to hide":                 "nothing to hide",
		"":                                "",
		key:                               "[secret]",
		"a " + key + key + " b " + token:  "a [secret][secret] b [secret]",
		"cut off: sk-01234…":              "cut off: [secret]…",
		"cut off: sk-01234… and so on":    "cut off: [secret]… and so on",
		"sk-01234 is another key":         "sk-01234 is another key",
		"ollama… does not know the model": "ollama… does not know the model",
	} {
		err := Hide(&model.Error{Kind: model.BadRequest, Status: 400, Text: text, Hint: text, Err: errors.New(text)}, key, "", "ollama", token)
		got, ok := errors.AsType[*model.Error](err)
		if !ok || got.Text != want || got.Hint != want || got.Err.Error() != want || got.Kind != model.BadRequest || got.Status != 400 {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if err := Hide(&model.Error{Text: "x", Err: ErrTooLarge}, key); !errors.Is(err, ErrTooLarge) {
		t.Errorf("what is behind it is lost: %v", err)
	}
	if err := Hide(context.Canceled, key); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
