package strictjson_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/assent-dev/assent/internal/strictjson"
)

func readAll(r io.Reader, max int) []string {
	var got []string
	for line, err := range strictjson.Lines(r, max) {
		switch {
		case errors.Is(err, strictjson.ErrLineTooLong):
			got = append(got, fmt.Sprintf("%d too long", line.Number))
		case err != nil:
			got = append(got, fmt.Sprintf("%d %v", line.Number, err))
		default:
			got = append(got, fmt.Sprintf("%d %s", line.Number, line.Data))
		}
	}
	return got
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	tests := []struct {
		name, text string
		max        int
		want       []string
	}{
		{"none", "", 10, nil},
		{"one", "{}\n", 10, []string{"1 {}"}},
		{"no line feed at the end", "a\nb", 10, []string{"1 a", "2 b"}},
		{"blank lines count", "a\n\n\nb\n", 10, []string{"1 a", "2 ", "3 ", "4 b"}},
		{"exactly the limit", "abc\nd", 3, []string{"1 abc", "2 d"}},
		{"one over the limit", "abcd\nd", 3, []string{"1 too long", "2 d"}},
		{"too long at the end", "a\nabcd", 3, []string{"1 a", "2 too long"}},
		{"longer than any buffer", long + "\nb\n", 10, []string{"1 too long", "2 b"}},
		{"long but within the limit", long + "\nb\n", len(long), []string{"1 " + long, "2 b"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.text), iotest.OneByteReader(strings.NewReader(test.text))} {
				if got := readAll(r, test.max); !slices.Equal(got, test.want) {
					t.Errorf("got %.200q\nwant %.200q", got, test.want)
				}
			}
		})
	}
}

func TestLinesStopAtAReadError(t *testing.T) {
	broken := errors.New("cable pulled")
	r := io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(broken))
	var got []string
	var last error
	for line, err := range strictjson.Lines(r, 10) {
		got, last = append(got, string(line.Data)), err
	}
	if !errors.Is(last, broken) || !slices.Equal(got, []string{"a", ""}) {
		t.Errorf("got %q, %v: half a line must never look like a whole one", got, last)
	}
}

func TestLinesDataIsTheCallers(t *testing.T) {
	var kept [][]byte
	for line := range strictjson.Lines(strings.NewReader("aaaa\nbbbb\ncccc\n"), 10) {
		kept = append(kept, line.Data)
	}
	if got := fmt.Sprintf("%s", kept); got != "[aaaa bbbb cccc]" {
		t.Errorf("kept lines read %s", got)
	}
}

func TestLinesCanBeLeft(t *testing.T) {
	count := 0
	for range strictjson.Lines(strings.NewReader("a\nb\nc\n"), 10) {
		if count++; count == 2 {
			break
		}
	}
	if count != 2 {
		t.Errorf("read %d lines", count)
	}
}

// endless is a line without an end, up to a limit.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	n := min(len(p), e.left)
	if e.left -= n; n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = 'x'
	}
	return n, nil
}

func TestLongLinesAreNotKept(t *testing.T) {
	allocated := testing.AllocsPerRun(1, func() {
		if got := readAll(&endless{left: 64 << 20}, 1<<10); !slices.Equal(got, []string{"1 too long"}) {
			t.Errorf("got %.100q", got)
		}
	})
	if allocated > 100 {
		t.Errorf("%v allocations for one line that is thrown away", allocated)
	}
}
