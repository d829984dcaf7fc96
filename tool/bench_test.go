package tool_test

import (
	"testing"

	"github.com/assent-dev/assent/tool"
)

func BenchmarkValidate(b *testing.B) {
	bench := func(name, toolName, input string) {
		b.Run(name, func(b *testing.B) {
			d := lookup(b, toolName)
			b.ReportAllocs()
			for b.Loop() {
				_ = d.Validate([]byte(input))
			}
		})
	}
	bench("Bash", "Bash", `{"command":"git log --oneline | head -5","description":"the last commits"}`)
	bench("Edit", "Edit", `{"file_path":"/src/a.go","old_string":"a","new_string":"b","replace_all":false}`)
	bench("Question", "AskUserQuestion", `{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":"a"},{"label":"B","description":"b"}],"multiSelect":false}]}`)
	bench("Invalid", "Bash", `{"cmd":"git log","timeout":-1}`)
}

// The guard pays this once: making the set, then the first use of one tool.
func BenchmarkColdStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		set, err := tool.NewSet(tool.Builtin()...)
		if err != nil {
			b.Fatal(err)
		}
		if _, ok := set.Lookup("Bash"); !ok {
			b.Fatal("no Bash")
		}
	}
}
