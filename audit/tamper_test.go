package audit

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/chain"
)

// world is a log of three segments of three records each, and the hand of somebody who
// changes it.
type world struct {
	t   *testing.T
	dir string
	// names are those of the segments.
	names []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	l := newLog(t)
	l.size = 3 * lineSize(t)
	fill(t, l, 9)
	w := &world{t: t, dir: l.Dir()}
	var err error
	if w.names, err = segments(w.dir); err != nil || len(w.names) != 3 {
		t.Fatalf("%q, %v", w.names, err)
	}
	if r := verify(t, w.dir); !r.Whole() {
		t.Fatalf("%+v", r)
	}
	return w
}

// lineSize is a little less than a line has.
func lineSize(t *testing.T) int64 {
	t.Helper()
	l := newLog(t)
	fill(t, l, 1)
	return l.at.Offset - 2
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// edit changes the lines of a file.
func (w *world) edit(name string, change func(lines []string) []string) {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	lines := change(slices.Collect(strings.Lines(string(text))))
	if err := os.WriteFile(w.path(name), []byte(strings.Join(lines, "")), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) remove(name string) {
	w.t.Helper()
	if err := os.Remove(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func TestT3_VerifyNamesEveryChange(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(w *world)
		want   []string
		// appends: a process can go on, because what it needs to look at is whole. It
		// looks at the end only.
		appends bool
	}{
		{"an edit", func(w *world) {
			w.edit(w.names[1], func(l []string) []string {
				l[1] = strings.Replace(l[1], `"allow"`, `"defer, or not"`, 1)
				return l
			})
		}, []string{"000000000004.jsonl:2: record 5 does not follow from the one before it: one of the two was changed"}, true},
		{"a deletion", func(w *world) {
			w.edit(w.names[0], func(l []string) []string { return slices.Delete(l, 1, 2) })
		}, []string{"000000000001.jsonl:2: record 2 is missing before record 3"}, true},
		{"the first record of a segment deleted", func(w *world) {
			w.edit(w.names[1], func(l []string) []string { return l[1:] })
		}, []string{"000000000004.jsonl:1: record 4 is missing before record 5"}, true},
		{"two lines swapped", func(w *world) {
			w.edit(w.names[1], func(l []string) []string { l[0], l[1] = l[1], l[0]; return l })
		}, []string{
			"000000000004.jsonl:1: record 4 is missing before record 5",
			"000000000004.jsonl:2: record 4 stands where record 6 should: lines were moved or repeated",
			"000000000004.jsonl:3: record 5 is missing before record 6",
		}, true},
		{"a line put in", func(w *world) {
			w.edit(w.names[0], func(l []string) []string { return slices.Insert(l, 1, `{"decision":"allow"}`+"\n") })
		}, []string{
			"000000000001.jsonl:2: there should be record 2, but the line is damaged",
			"000000000001.jsonl:3: record 2 stands where record 3 should: lines were moved or repeated",
		}, true},
		{"the end of the log cut off", func(w *world) {
			w.edit(w.names[2], func(l []string) []string { return l[:1] })
		}, []string{"head.json: the log ends with record 7, but the head knows of record 9: 2 records were cut off"}, false},
		{"the last record cut off", func(w *world) {
			w.edit(w.names[2], func(l []string) []string { return l[:2] })
		}, []string{"head.json: the log ends with record 8, but the head knows of record 9: it was cut off"}, false},
		{"the end cut off within a line", func(w *world) {
			w.edit(w.names[2], func(l []string) []string { return []string{l[0], l[1][:50]} })
		}, []string{"head.json: the log ends with record 7, but the head knows of record 9: 2 records were cut off"}, false},
		{"the end of a segment cut off", func(w *world) {
			w.edit(w.names[1], func(l []string) []string { return l[:1] })
		}, []string{"000000000007.jsonl: records 5 to 6 are missing before this segment: a segment was removed, or the end of the one before"}, true},
		{
			"a segment removed", func(w *world) { w.remove(w.names[1]) },
			[]string{"000000000007.jsonl: records 4 to 6 are missing before this segment: a segment was removed, or the end of the one before"},
			true,
		},
		{
			"the first segment removed", func(w *world) { w.remove(w.names[0]) },
			[]string{"000000000004.jsonl: records 1 to 3 are missing before this segment: a segment was removed, or the end of the one before"},
			true,
		},
		{
			"the last segment removed", func(w *world) { w.remove(w.names[2]) },
			[]string{"head.json: the log ends with record 6, but the head knows of record 9: 3 records were cut off"},
			false,
		},
		{"all segments removed", func(w *world) {
			for _, name := range w.names {
				w.remove(name)
			}
		}, []string{"head.json: the log ends with record 0, but the head knows of record 9: 9 records were cut off"}, false},
		{
			"the head removed", func(w *world) { w.remove(headName) },
			[]string{"head.json: the head is gone: nobody can tell whether the end of the log was cut off"},
			false,
		},
		{
			"the head emptied", func(w *world) { w.edit(headName, func([]string) []string { return nil }) },
			[]string{"head.json: the head cannot be read, so nobody can tell whether the end of the log was cut off: "},
			false,
		},
		{"a head with another sum", func(w *world) {
			h, err := readHead(w.dir)
			must(w.t, err)
			h.Sum[3]++
			must(w.t, h.write(w.dir))
		}, []string{"head.json: the head stands for another record 9 than the one in the log: one of the two was replaced"}, false},
		{"a head with another place", func(w *world) {
			h, err := readHead(w.dir)
			must(w.t, err)
			h.Offset--
			must(w.t, h.write(w.dir))
		}, []string{"head.json: the head looks for record 9 in another place than where it is: the head was changed"}, false},
		{"the last record made anew", func(w *world) {
			w.edit(w.names[2], func(l []string) []string { l[2] = strings.Replace(l[2], "allow", "defer", 1); return l })
		}, []string{"000000000007.jsonl:3: record 9 does not follow from the one before it: one of the two was changed"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			c.change(w)
			got := findings(t, w.dir)
			if len(got) != len(c.want) {
				t.Fatalf("found %q", got)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("found %q, want %q", got[i], c.want[i])
				}
			}
			var reading error
			for _, err := range Read(w.dir, Query{Tool: "none"}) {
				reading = err
			}
			if !strings.Contains(c.name, "head") && reading == nil {
				t.Error("a reader is not told")
			}
			err := Open(w.dir).Append(decision(10))
			if c.appends != (err == nil) || err != nil && !errors.Is(err, ErrTampered) {
				t.Errorf("an append: %v", err)
			}
			if after := findings(t, w.dir); len(after) == 0 {
				t.Error("an append has covered it up")
			}
		})
	}
}

// A rewritten end with a chain of its own is found by the head, and not continued
// where the head can tell.
func TestT3_ARewrittenEndIsFound(t *testing.T) {
	w := newWorld(t)
	var records [][]byte
	for _, name := range w.names {
		w.edit(name, func(lines []string) []string {
			for _, line := range lines {
				record, _ := strings.CutSuffix(line[strings.Index(line, `"record":`)+len(`"record":`):], "}\n")
				records = append(records, []byte(strings.Replace(record, "step 8", "step eight", 1)))
			}
			return lines
		})
	}
	lines, err := chain.Lines(records...)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Collect(strings.Lines(string(lines)))
	w.edit(w.names[2], func([]string) []string { return all[6:] })
	if got := findings(t, w.dir); len(got) != 1 || !strings.HasPrefix(got[0], "head.json: the head stands for another record 9") {
		t.Errorf("%q", got)
	}
	if err := Open(w.dir).Append(decision(10)); !errors.Is(err, ErrTampered) {
		t.Errorf("an append: %v", err)
	}
}

// What a running process has written cannot be taken back behind its back.
func TestT3_ARollbackIsNoticedByWhoWrites(t *testing.T) {
	l := newLog(t)
	fill(t, l, 2)
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(l.Dir())); err != nil {
		t.Fatal(err)
	}
	add(t, l, decision(3))
	replace := func(with string) {
		t.Helper()
		if err := os.RemoveAll(l.Dir()); err != nil {
			t.Fatal(err)
		}
		if with != "" {
			if err := os.CopyFS(l.Dir(), os.DirFS(with)); err != nil {
				t.Fatal(err)
			}
		}
	}
	replace(old)
	if err := l.Append(decision(4)); !errors.Is(err, ErrTampered) {
		t.Errorf("an older copy: %v", err)
	}
	replace("")
	if err := l.Append(decision(4)); !errors.Is(err, ErrTampered) {
		t.Errorf("nothing: %v", err)
	}
	// Nor is a new log begun in its place, which would be whole.
	if r, err := Verify(l.Dir()); !errors.Is(err, ErrNone) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A crash leaves one of these, and the next append makes it good.
func TestT3_WhatACrashLeaves(t *testing.T) {
	for name, crash := range map[string]func(w *world, before head){
		"before the head was written":         func(w *world, before head) { must(w.t, before.write(w.dir)) },
		"while a line was written":            func(w *world, _ head) { w.append(w.names[2], `{"n":10,"sha256":"12`) },
		"when the next segment had been made": func(w *world, _ head) { w.append(segmentName(10), "") },
	} {
		w := newWorld(t)
		before, err := readHead(w.dir)
		must(t, err)
		before.Link, before.Offset, before.segment = w.linkOf(6), w.sizeOf(w.names[1]), w.names[1]
		crash(w, before)
		if r := verify(t, w.dir); !r.Whole() || r.Records != 9 {
			t.Errorf("%s: %+v", name, r)
		}
		if got := read(t, w.dir, Query{}); len(got) != 9 {
			t.Errorf("%s: %d records", name, len(got))
		}
		l := Open(w.dir)
		add(t, l, decision(10))
		if r := verify(t, w.dir); !r.Whole() || r.Records != 10 || len(r.Notes) != 0 {
			t.Errorf("%s, and then: %+v", name, r)
		}
	}
}

func (w *world) append(name, text string) {
	w.t.Helper()
	f, err := os.OpenFile(w.path(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(w.t, err)
	_, err = f.WriteString(text)
	must(w.t, errors.Join(err, f.Close()))
}

func (w *world) sizeOf(name string) int64 {
	info, err := os.Stat(w.path(name))
	must(w.t, err)
	return info.Size()
}

// linkOf is the link of a record that ends a segment.
func (w *world) linkOf(n int) chain.Link {
	at := chain.Link{}
	for _, name := range w.names {
		disk, err := chain.OpenToRead(w.path(name))
		must(w.t, err)
		for e, err := range chain.NewReader(disk, chain.Position{Link: at}).All() {
			must(w.t, err)
			if at = e.Link; at.Number == n {
				break
			}
		}
		must(w.t, disk.Close())
		if at.Number == n {
			break
		}
	}
	return at
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
