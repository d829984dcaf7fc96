package tool

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

func BenchmarkCompile(b *testing.B) {
	bash := define("Bash", permission.Shell, "command")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compile(bash.Schema()); err != nil {
			b.Fatal(err)
		}
	}
}
