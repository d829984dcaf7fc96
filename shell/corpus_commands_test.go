package shell

import (
	"bufio"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"testing"
)

// commandsOfCorpus yields all commands of the corpus and of other labelled cases.
func commandsOfCorpus(t *testing.T) iter.Seq[string] {
	files, err := filepath.Glob("../testdata/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string) bool) {
		for _, name := range files {
			file, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			for lines := bufio.NewScanner(file); lines.Scan(); {
				var row struct{ Command string }
				if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
					t.Fatal(err)
				}
				if !yield(row.Command) {
					return
				}
			}
		}
	}
}
