package chain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// written is a file of records as a log writes it.
func written(t testing.TB, records ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chain.jsonl")
	l, _ := openLog(t, path)
	for _, r := range records {
		if _, err := l.Append([]byte(r)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func openLog(t testing.TB, path string) (*Log, []string) {
	t.Helper()
	d, err := Open(path, os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	var records []string
	end, err := Recover(d, Position{}, func(e Entry) error {
		records = append(records, string(e.Record))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l := NewLog(d, end)
	t.Cleanup(func() { _ = l.Close() })
	return l, records
}

// The form of a line stays what it is: other programs may check it, and files last
// longer than versions.
func TestLine(t *testing.T) {
	want := `{"n":1,"sha256":"efdc0e2f8a22c30683385791552f8455b898f59e1aa4d1a6c77f0457bd1d5947","record":{"a":1}}
{"n":2,"sha256":"ab8b2deaba6407fb07f057bdde25525cfd9356219362d441477f78c5c4790958","record":"é"}
`
	if got := string(written(t, `{"a":1}`, `"é"`)); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestAppendAndReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chain.jsonl")
	long := `"` + strings.Repeat("x", 300<<10) + `"` // longer than any buffer
	want := []string{`{"b" : 2,"a":1.50}`, long, `null`}
	l, _ := openLog(t, path)
	end, err := l.Append([]byte(want[0]), []byte(want[1]))
	if err != nil || end.Number != 2 {
		t.Fatalf("%v, %v", end, err)
	}
	_ = l.Close()

	l, got := openLog(t, path)
	if !equal(got, want[:2]) || l.At() != end {
		t.Errorf("%d records, at %v, want %v", len(got), l.At(), end)
	}
	if _, err := l.Append([]byte(want[2])); err != nil {
		t.Fatal(err)
	}
	if _, got = openLog(t, path); !equal(got, want) {
		t.Errorf("%d records", len(got))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := l.Append(); err != nil {
		t.Errorf("nothing to append: %v", err)
	}
}

// What does not fit is refused before anything is written, and the log goes on.
func TestUnfit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chain.jsonl")
	l, _ := openLog(t, path)
	for name, record := range map[string][]byte{
		"empty": nil, "two lines": []byte("{\n}"), "too long": make([]byte, MaxRecord+1),
	} {
		if _, err := l.Append([]byte("1"), record); !errors.Is(err, ErrUnfit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := l.Append([]byte("2")); err != nil {
		t.Fatal(err)
	}
	if _, got := openLog(t, path); !equal(got, []string{"2"}) {
		t.Errorf("%q", got)
	}
}

func TestFaults(t *testing.T) {
	const a, b, c, d, e = `"a"`, `"b"`, `"c"`, `"d"`, `"e"`
	whole := string(written(t, a, b, c, d, e))
	line := strings.SplitAfter(whole, "\n")
	forged := strings.SplitAfter(string(written(t, a, `"B"`)), "\n")[1] // a proper line of another chain
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"whole", whole, nil},
		{"nothing", "", nil},
		{"edited", strings.Replace(whole, b, `"B"`, 1), []string{"line 2: record 2 does not follow from the one before it: one of the two was changed"}},
		{
			"edited, with a sum to match", line[0] + forged + line[2] + line[3] + line[4],
			[]string{"line 3: record 3 does not follow from the one before it: one of the two was changed"},
		},
		{"one deleted", line[0] + line[2] + line[3] + line[4], []string{"line 2: record 2 is missing before record 3"}},
		{"two deleted", line[0] + line[3] + line[4], []string{"line 2: records 2 to 3 are missing before record 4"}},
		{"the first deleted", line[1] + line[2], []string{"line 1: record 1 is missing before record 2"}},
		{
			"swapped", line[0] + line[2] + line[1] + line[3] + line[4],
			[]string{
				"line 2: record 2 is missing before record 3", "line 3: record 2 stands where record 4 should: lines were moved or repeated",
				"line 4: record 3 is missing before record 4",
			},
		},
		{"repeated", line[0] + line[0], []string{"line 2: record 1 stands where record 2 should: lines were moved or repeated"}},
		{"a line put in", line[0] + "{}\n" + line[1], []string{"line 2: there should be record 2, but the line is damaged", "line 3: record 2 stands where record 3 should: lines were moved or repeated"}},
		{"a line broken", line[0] + "{}\n" + line[2] + line[3], []string{"line 2: there should be record 2, but the line is damaged"}},
		{"an empty line", line[0] + "\n", []string{"line 2: there should be record 2, but the line is damaged"}},
		{"a number with a zero before it", line[0] + strings.Replace(line[1], `"n":2`, `"n":02`, 1), []string{"line 2: there should be record 2, but the line is damaged"}},
		{"large digits", line[0] + strings.ToUpper(line[1]), []string{"line 2: there should be record 2, but the line is damaged"}},
		{"a carriage return", line[0] + strings.Replace(line[1], "\n", "\r\n", 1), []string{"line 2: there should be record 2, but the line is damaged"}},
		{"torn", line[0] + line[1][:20], []string{"line 2: the line of record 2 is incomplete: a process ended while it wrote"}},
		{"zeros of a disk", line[0] + line[1][:90] + "\x00\x00", []string{"line 2: the line of record 2 is incomplete: a process ended while it wrote"}},
		{"no line feed", line[0] + strings.TrimSpace(line[1]), []string{"line 2: the line of record 2 is incomplete: a process ended while it wrote"}},
		{"another character for the line feed", line[0] + strings.Replace(line[1], "\n", "\v", 1), []string{"line 2: there should be record 2, but the line is damaged"}},
		{"something else at the end", line[0] + "rubbish", []string{"line 2: there should be record 2, but the line is damaged"}},
		{"another number at the end", line[0] + line[2][:20], []string{"line 2: there should be record 2, but the line is damaged"}},
		{"too long", line[0] + strings.Repeat("x", 1<<20+1) + "\n" + line[2], []string{"line 2: there should be record 2, but the line is longer than 64 MiB"}},
		{"too long at the end", line[0] + strings.Repeat("x", 1<<20+1), []string{"line 2: there should be record 2, but the line is longer than 64 MiB"}},
	} {
		if got := faults([]byte(test.text)); !equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}

// faults reads past every fault.
func faults(data []byte) []string {
	var all []string
	r := NewReader(bytes.NewReader(data), Position{})
	r.limit = 1 << 20
	for {
		_, err := r.Next()
		f, ok := errors.AsType[*Fault](err)
		switch {
		case ok:
			all = append(all, f.Error())
		case err != nil:
			return all
		}
	}
}

// After a cut at any byte the records before it are there, no other, and the file can
// be continued.
func TestEveryTruncation(t *testing.T) {
	records := []string{`{"a":1}`, `"two"`, `[3,3,3]`, `{"number":"4"}`}
	whole := written(t, records...)
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	for size := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		want := records[:bytes.Count(whole[:size], []byte("\n"))]
		if size < len(whole) && whole[size] == '\n' {
			want = records[:len(want)+1] // only the line feed is lost
		}
		openLog(t, path)
		l, got := openLog(t, path)
		if !equal(got, want) {
			t.Fatalf("cut at %d: %q, want %q", size, got, want)
		}
		if size%8 != 0 { // going on costs a flush of the disk
			_ = l.Close()
			continue
		}
		if _, err := l.Append([]byte("5")); err != nil {
			t.Fatal(err)
		}
		_ = l.Close()
		if _, got := openLog(t, path); !equal(got, append(want[:len(want):len(want)], "5")) {
			t.Fatalf("cut at %d and continued: %q", size, got)
		}
	}
}

// No bit can change unnoticed, and none makes recovery throw a record away.
func TestEveryBitFlip(t *testing.T) {
	whole := written(t, `{"a":1}`, `"two"`, `[3]`)
	path := filepath.Join(t.TempDir(), "flipped.jsonl")
	for bit := range 8 * len(whole) {
		flipped := bytes.Clone(whole)
		flipped[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Recover(d, Position{}, nil)
		_ = d.Close()
		if _, ok := errors.AsType[*Fault](err); !ok {
			t.Fatalf("bit %d of byte %d (%q): %v", bit%8, bit/8, whole[bit/8], err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, flipped) {
			t.Fatalf("bit %d of byte %d: the file was changed, %v", bit%8, bit/8, err)
		}
	}
}

// A file that ends before a record that it had, or has another one there, is faulty, and
// stays as it is, whatever a process may have left at its end.
func TestRecoverPastARecord(t *testing.T) {
	lines, err := Lines([]byte("1"), []byte("2"), []byte("3"))
	if err != nil {
		t.Fatal(err)
	}
	var known [4]Link
	ends := []int{0}
	for i, sums := 1, newSummer(); i < len(known); i++ {
		known[i] = sums.next(known[i-1], []byte(strconv.Itoa(i)))
		ends = append(ends, ends[i-1]+bytes.IndexByte(lines[ends[i-1]:], '\n')+1)
	}
	foreign := known[2]
	foreign.Sum[0]++
	for name, tt := range map[string]struct {
		text  []byte
		known Link
		want  FaultKind // 0: none
	}{
		"at the end":                {lines, known[3], 0},
		"behind it":                 {lines, known[1], 0},
		"nothing known":             {lines[:ends[1]], Link{}, 0},
		"empty":                     {nil, known[1], Cut},
		"cut at a line":             {lines[:ends[2]], known[3], Cut},
		"cut within a line":         {lines[:ends[2]+9], known[3], Cut},
		"torn behind what is known": {lines[:ends[2]+9], known[2], 0},
		"without its line feed":     {lines[:ends[3]-1], known[3], 0},
		"one before without it":     {lines[:ends[2]-1], known[3], Cut},
		"another record":            {lines, foreign, Exchanged},
		"damaged before":            {append([]byte("x"), lines...), known[3], Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, tt.text, 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := Open(path, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			end, err := RecoverPast(d, Position{}, tt.known, nil)
			now, readErr := os.ReadFile(path)
			if readErr != nil {
				t.Fatal(readErr)
			}
			switch {
			case tt.want == 0 && (err != nil || end.Number < tt.known.Number || int(end.Offset) != len(now)):
				t.Errorf("%v, the end is %+v", err, end)
			case tt.want != 0 && (faultKind(err) != tt.want || !bytes.Equal(now, tt.text)):
				t.Errorf("%v, the file is %q", err, now)
			}
		})
	}
}

// A last line that lacks only its line feed was perhaps acknowledged: whoever recovers the
// file is told it like any other, and if he refuses it the file stays as it is.
func TestRecoverTellsALineWithoutItsLineFeed(t *testing.T) {
	whole := written(t, "1", "2")
	path := filepath.Join(t.TempDir(), "log")
	for _, refusal := range []error{nil, errors.New("no")} {
		if err := os.WriteFile(path, whole[:len(whole)-1], 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		end, err := Recover(d, Position{}, func(e Entry) error {
			told = append(told, fmt.Sprint(e.Line, " ", string(e.Record), " ", e.Offset))
			if e.Number == 2 {
				return refusal
			}
			return nil
		})
		_ = d.Close()
		now, readErr := os.ReadFile(path)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if want := []string{fmt.Sprint("1 1 ", bytes.IndexByte(whole, '\n')+1), fmt.Sprint("2 2 ", len(whole))}; !equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
		switch {
		case !errors.Is(err, refusal):
			t.Errorf("%v, want %v", err, refusal)
		case refusal == nil && (!bytes.Equal(now, whole) || end.Number != 2 || int(end.Offset) != len(whole)):
			t.Errorf("%q, %+v", now, end)
		case refusal != nil && !bytes.Equal(now, whole[:len(whole)-1]):
			t.Errorf("it was refused and changed: %q", now)
		}
	}
}

func TestParseLink(t *testing.T) {
	sum := strings.Repeat("5f", 32)
	for text, want := range map[string]bool{
		"12:" + sum: true, "0:" + strings.Repeat("00", 32): true, "0:" + sum: false, "-1:" + sum: false, "012:" + sum: false,
		"12": false, "12:": false, "12:" + sum + "0": false, "12:" + strings.ToUpper(sum): false, "": false, " 12:" + sum: false,
	} {
		if l, ok := ParseLink(text); ok != want || ok && l.String() != text {
			t.Errorf("%q: %v %v", text, l, ok)
		}
	}
}

func TestRecoverFromAPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chain.jsonl")
	l, _ := openLog(t, path)
	middle, _ := l.Append([]byte("1"))
	end, _ := l.Append([]byte("2"))
	d, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var seen []string
	got, err := Recover(d, middle, func(e Entry) error { seen = append(seen, string(e.Record)); return nil })
	if err != nil || got != end || !equal(seen, []string{"2"}) {
		t.Errorf("%v, %q, %v", got, seen, err)
	}
	wrong := middle
	wrong.Sum[0]++
	if _, err := Recover(d, wrong, nil); faultKind(err) != Altered {
		t.Errorf("another sum: %v", err)
	}
	if err := d.Truncate(middle.Offset); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(d, end, nil); faultKind(err) != Cut {
		t.Errorf("a shorter file: %v", err)
	}
}

func faultKind(err error) FaultKind {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f.Kind
	}
	return 0
}

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, link} {
		if _, err := Open(path, os.O_CREATE); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := OpenToRead(path); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestLast(t *testing.T) {
	long := `"` + strings.Repeat("x", 100<<10) + `"`
	for _, records := range [][]string{nil, {"1"}, {"1", "2"}, {"1", long}, {long, "2"}} {
		data := written(t, records...)
		for _, torn := range []string{"", `{"n":`, strings.Repeat("x", 9000)} {
			text := append(bytes.Clone(data), torn...)
			e, ok, err := Last(bytes.NewReader(text), int64(len(text)))
			if err != nil || ok != (len(records) > 0) {
				t.Fatalf("%d records: %v, %v", len(records), ok, err)
			}
			if ok && (string(e.Record) != records[len(records)-1] || e.Number != len(records) || e.Offset != int64(len(data))) {
				t.Errorf("%d records: %d at %d", len(records), e.Number, e.Offset)
			}
		}
	}
}

func equal(a, b []string) bool { return fmt.Sprintf("%q", a) == fmt.Sprintf("%q", b) }
