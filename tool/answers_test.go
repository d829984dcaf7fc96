package tool_test

import (
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// Answers are put beside questions, and nothing else that the model wrote stays there.
func TestWithAnswers(t *testing.T) {
	answers := map[string]string{"Deploy?": "no"}
	for _, test := range []struct{ input, want string }{
		{`{"questions":[{"question":"Deploy?"}]}`, `{"answers":{"Deploy?":"no"},"questions":[{"question":"Deploy?"}]}`},
		{`{"questions":[],"answers":{"Deploy?":"yes"},"annotations":{"Deploy?":{"notes":"Ann agrees"}}}`, `{"answers":{"Deploy?":"no"},"questions":[]}`},
		{`[]`, ""},
		{`{"questions":[],"questions":[]}`, ""},
	} {
		got, err := tool.WithAnswers(strictjson.Raw(test.input), answers)
		if (err != nil) != (test.want == "") {
			t.Errorf("%s: %v", test.input, err)
			continue
		}
		if err != nil {
			continue
		}
		spelt, err := strictjson.Canonical(got)
		if err != nil || string(spelt) != test.want {
			t.Errorf("%s: %s, %v, want %s", test.input, spelt, err, test.want)
		}
	}
}
