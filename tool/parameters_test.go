package tool

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/rule"
)

// Rules know the parameters of the built-in tools by their names, as rules are read before
// there is any tool. Both lists are the same.
func TestS47_RulesKnowTheParametersOfEveryTool(t *testing.T) {
	for _, d := range Builtin() {
		schema, err := strictjson.Tree(d.Schema())
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, m := range schema.Member("properties").Members() {
			want = append(want, m.Name.Text())
		}
		got, known := rule.Parameters(d.Name())
		slices.Sort(got)
		slices.Sort(want)
		if !known || !slices.Equal(got, want) {
			t.Errorf("%s: rules know %v, the schema has %v", d.Name(), got, want)
		}
	}
}
