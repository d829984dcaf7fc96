package strictjson

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Line is one line of a JSON Lines stream, without its line feed.
type Line struct {
	Number int // from 1
	Data   []byte
}

// ErrLineTooLong is the error for a line beyond the limit; the lines after it
// are still read.
var ErrLineTooLong = errors.New("line too long")

// Lines reads r line by line, blank lines included, so that a caller can answer
// each one. A line longer than max bytes comes with an error that wraps
// [ErrLineTooLong] and no data; it is read past without being kept, and reading
// goes on. Any other error is r's own and ends the sequence. The data belongs to
// the caller.
func Lines(r io.Reader, max int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReader(r)
		for number := 1; ; number++ {
			data, size, err := readLine(in, max)
			if err == io.EOF && size == 0 {
				return
			}
			line := Line{Number: number, Data: data}
			switch {
			case err != nil && err != io.EOF:
				yield(Line{Number: number}, fmt.Errorf("line %d: %w", number, err))
				return
			case size > max:
				tooLong := fmt.Errorf("line %d has %d bytes, more than the limit of %d: %w", number, size, max, ErrLineTooLong)
				if !yield(Line{Number: number}, tooLong) {
					return
				}
			case !yield(line, nil):
				return
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// readLine reads to the next line feed or the end. size counts the whole line,
// data is nil when that is more than max. A last line without a line feed comes
// with io.EOF.
func readLine(in *bufio.Reader, max int) (data []byte, size int, err error) {
	data = []byte{}
	for {
		var piece []byte
		piece, err = in.ReadSlice('\n')
		text := bytes.TrimSuffix(piece, []byte{'\n'})
		size += len(text)
		if size <= max {
			data = append(data, text...)
		} else {
			data = nil
		}
		if err != bufio.ErrBufferFull {
			return data, size, err
		}
	}
}
