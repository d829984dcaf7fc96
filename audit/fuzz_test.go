package audit

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever lies in the files: reading, verifying and appending end without a panic,
// and a log that is not whole is never one that reads to its end without an error.
func FuzzLog(f *testing.F) {
	l := newLog(f)
	fill(f, l, 3)
	head, err := os.ReadFile(filepath.Join(l.Dir(), headName))
	must(f, err)
	text, err := os.ReadFile(filepath.Join(l.Dir(), segmentName(1)))
	must(f, err)
	f.Add(head, text)
	f.Add(head[:10], text)
	f.Add(head, text[:len(text)-1])
	f.Add([]byte(`{"n":-1,"sha256":"","segment":"../x","offset":9}`), text)
	f.Fuzz(func(t *testing.T, head, text []byte) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, headName), head, 0o600))
		must(t, os.WriteFile(filepath.Join(dir, segmentName(1)), text, 0o600))
		r, err := Verify(dir)
		must(t, err)
		count := 0
		for _, err := range Read(dir, Query{}) {
			if err != nil {
				count = -1
				break
			}
			count++
		}
		if r.Whole() && count >= 0 && count != r.Records {
			t.Errorf("verified %d records, read %d", r.Records, count)
		}
		whole := r.Whole()
		if err := Open(dir).Append(decision(1)); err == nil {
			if r, err = Verify(dir); err != nil || r.Whole() != whole {
				t.Errorf("an append made %v of %v, %v", r.Findings, whole, err)
			}
		}
	})
}
