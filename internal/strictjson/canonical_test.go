package strictjson_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		` { "comm\u0061nd" : "git push --f\u006frce \u002d\/" } `: `{"command":"git push --force -/"}`,
		`{"b":1,"a":{"d":[ ],"c":{ }},"":null}`:                   `{"":null,"a":{"c":{},"d":[]},"b":1}`,
		`[ 1 , -0.10e+5 , true , false , null , "" ]`:             `[1,-0.10e+5,true,false,null,""]`,
		`"\u00e9\t\"\\\ud83d\ude00\u2028"`:                        `"é\t\"\\😀\u2028"`,
		`"\\u0041"`:                                               `"\\u0041"`,
		`{"a\"]}":"}","b\\":["{",{"y":1,"x":[2,3]}]}`:             `{"a\"]}":"}","b\\":["{",{"x":[2,3],"y":1}]}`,
		"\t17\r\n": `17`,
	} {
		got, err := strictjson.Canonical(strictjson.Raw(text))
		if err != nil || string(got) != want {
			t.Errorf("%s became %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{``, `{`, `{"a":1,"\u0061":2}`, `"\ud800"`, `{} {}`, strings.Repeat("[", 300) + strings.Repeat("]", 300)} {
		if got, err := strictjson.Canonical(strictjson.Raw(text)); err == nil {
			t.Errorf("%.40s became %s", text, got)
		}
	}
}
