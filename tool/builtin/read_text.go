package builtin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assent-dev/assent/tool"
)

// showText shows lines with their numbers.
func (t *readTool) showText(r io.Reader, s state, name string, in arguments) (tool.Result, error) {
	first, most := max(1, in.count("offset", 1)), in.count("limit", maxLines)
	ranged := in.has("offset") || in.has("limit")
	if s.size > maxRead {
		return tool.Result{}, fmt.Errorf("it has %d bytes, more than can be read (%d); cut a part out of it with Bash (head, tail, sed -n)", s.size, maxRead)
	}
	if s.size > maxText && !ranged {
		return tool.Result{}, tooLong(s.size)
	}
	l := &lineReader{first: first, most: most}
	digest, err := l.readAll(r)
	if err != nil {
		return tool.Result{}, err
	}
	if l.size > maxText && !ranged { // files of the kernel do not tell their size
		return tool.Result{}, tooLong(l.size)
	}
	if first > l.total && l.total > 0 {
		return tool.Result{}, fmt.Errorf("it has %d lines; line %d is beyond its end", l.total, first)
	}
	t.files.See(Sight{Path: name, Digest: digest, Partial: !l.complete()})
	return tool.Result{Text: l.text(), Outcome: tool.Succeeded, Data: data(map[string]any{
		"type": "text",
		"file": map[string]any{
			"filePath": plainName(name), "content": strings.Join(l.lines, "\n"),
			"numLines": len(l.lines), "startLine": first, "totalLines": l.total,
		},
	})}, nil
}

// tooLong is for a file that cannot be shown as a whole.
func tooLong(size int64) error {
	ways := "read a part of it with offset and limit"
	if size <= mostFile {
		ways += ", or search it with Grep"
	}
	return fmt.Errorf("it has %d bytes, more than are shown at once (%d); %s", size, maxText, ways)
}

// text is what the model reads.
func (l *lineReader) text() string {
	if l.total == 0 {
		return "(the file is empty)"
	}
	text := l.numbered()
	if last := l.first + len(l.lines) - 1; last < l.total {
		text += fmt.Sprintf("\n[lines %d to %d of %d; go on with offset %d]\n", l.first, last, l.total, last+1)
	}
	return text
}

// numbered are the lines with their numbers in front.
func (l *lineReader) numbered() string {
	var out strings.Builder
	for i, line := range l.lines {
		fmt.Fprintf(&out, "%6d\t%s\n", l.first+i, line)
	}
	return out.String()
}

// lineReader goes through a file and keeps some of its lines. It uses no more memory
// than they need.
type lineReader struct {
	first, most int // which lines are wanted, from 1

	lines []string
	shown int   // bytes of them
	full  bool  // no more fit
	cut   bool  // one of them was longer than maxLine
	total int   // lines of the file
	size  int64 // bytes of the file
}

// complete: the whole file was shown.
func (l *lineReader) complete() bool { return len(l.lines) == l.total && !l.cut }

// readAll reads a file to its end, and returns its digest.
func (l *lineReader) readAll(r io.Reader) (digest string, err error) {
	sum := sha256.New()
	r = io.TeeReader(&sizedReader{r: r, left: maxRead, size: &l.size}, sum)
	start := make([]byte, 3)
	n, err := io.ReadFull(r, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", err
	}
	start = start[:n]
	switch e := encodingOf(start); e {
	case asUTF16LE, asUTF16BE:
		content, err := load(io.MultiReader(strings.NewReader(string(start)), r), maxLoad)
		if err != nil {
			return "", err
		}
		text, _, err := decode(content)
		if err != nil {
			return "", err
		}
		err = l.scan(strings.NewReader(text))
		return hex.EncodeToString(sum.Sum(nil)), err
	case asUTF8BOM:
		start = nil
	case asUTF8:
	}
	err = l.scan(io.MultiReader(strings.NewReader(string(start)), r))
	return hex.EncodeToString(sum.Sum(nil)), err
}

// sizedReader counts, and fails where a file is larger than it may be.
type sizedReader struct {
	r    io.Reader
	left int64
	size *int64
}

func (r *sizedReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	*r.size += int64(n)
	if r.left -= int64(n); r.left < 0 {
		return n, errors.New("it is larger than can be read; cut a part out of it with Bash (head, tail)")
	}
	return n, err
}
