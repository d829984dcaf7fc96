package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/dialect"
)

// TestS46_PatternsThroughLinks: what a pattern finds through a link out of its directory is not read
// unasked, however the pattern is written.
func TestS46_PatternsThroughLinks(t *testing.T) {
	for pattern, through := range map[string]bool{
		"*/secret": false, "l?nk/secret": false, "L?NK/secret": false, "[k-m]ink/secret": false, "@(link)/secret": false, "link/*": false, "{link,x}/*": false,
		"sub/*": false, "sub/*.txt": false, "s*b/one.txt": false, "**/*.txt": false, "**": false, "*": false, "s*/**/deep/*": true,
		"src/*": true, "src/*.go": true, "s?c/*.go": true, "sub/*.go": true, "src/**": true, "sr*/**/*.go": true, "src/near/*": true, "x*/y": true,
	} {
		out := t.TempDir()
		for _, settings := range []string{
			`{"permissions":{"allow":["Read"],"blockReadsOutsideWorkingDirectories":true}}`, `{"permissions":{"allow":["Read"],"deny":["Read(/` + out + `/**)"]}}`,
		} {
			w := newWorld(t, dialect.Gemini).user(settings)
			for _, dir := range []string{"sub", "src/deep"} {
				if err := os.MkdirAll(filepath.Join(w.proj, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for at, to := range map[string]string{"link": out, "sub/one.txt": filepath.Join(out, "secret"), "src/near": "deep", "src/deep/a.go": "../b.go"} {
				if err := os.Symlink(to, filepath.Join(w.proj, at)); err != nil {
					t.Fatal(err)
				}
			}
			reply := w.send(toolEvent(dialect.Gemini, w.proj, "read_many_files", `{"include":["`+pattern+`"]}`))
			if got := w.letsThrough(reply); got != through {
				t.Errorf("%s with %s: through %v: %s", pattern, settings, got, reply.Stdout)
			}
		}
	}
}
