package shell_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/assent-dev/assent/shell"
)

type row struct{ ID, Command, Expect, Class, Why string }

func corpus(t testing.TB, name string) []row {
	t.Helper()
	file, err := os.Open("../testdata/corpus/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []row
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows
}

func TestCorpusReadOnly(t *testing.T) {
	for _, name := range []string{"readonly.jsonl", "../review/readonly.jsonl"} {
		scoreReadOnly(t, name)
	}
}

func scoreReadOnly(t *testing.T, name string) {
	score(t, name, "readonly", 0.95, 0, func(s *shell.Script) (string, string) {
		if doubt := s.ReadOnly(); doubt.Text != "" {
			return "notreadonly", doubt.Text
		}
		return "readonly", ""
	})
}

func TestCorpusDanger(t *testing.T) {
	for _, name := range []string{"danger.jsonl", "../review/danger.jsonl"} {
		scoreDanger(t, name)
	}
}

func scoreDanger(t *testing.T, name string) {
	score(t, name, "ok", 0.95, 0.02, func(s *shell.Script) (string, string) {
		if found := s.Danger(); len(found) > 0 {
			return "dangerous", found[0].Text
		}
		return "ok", ""
	})
}

// score holds the corpus to its bar. lax is the answer that lets a command go.
func score(t *testing.T, name, lax string, least, mostUnsafe float64, judge func(*shell.Script) (answer, why string)) {
	rows := corpus(t, name)
	exact, unsafe := 0, 0
	for _, r := range rows {
		got, why := judge(shell.Parse(r.Command))
		switch {
		case got == r.Expect:
			exact++
		case got == lax:
			unsafe++
			t.Logf("UNSAFE %s: %q is %s: %s", r.ID, r.Command, got, r.Why)
		default:
			t.Logf("%s: %q is %s (%s), want %s: %s", r.ID, r.Command, got, why, r.Expect, r.Why)
		}
	}
	total := float64(len(rows))
	t.Logf("%s: %d of %d exact (%.1f %%), %d unsafe", name, exact, len(rows), 100*float64(exact)/total, unsafe)
	if float64(exact)/total < least || float64(unsafe)/total > mostUnsafe {
		t.Errorf("below the bar: want at least %.0f %% exact and at most %.0f %% unsafe", 100*least, 100*mostUnsafe)
	}
}
