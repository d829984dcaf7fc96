package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

var errEmpty = errors.New("the server sent an empty stream")

// source returns the next chunk, and io.EOF when there is none.
type source func() ([]byte, error)

// events are the chunks of a stream. A line that does not end is not one: the rest of it
// was lost.
func events(text *bufio.Reader) source {
	return func() ([]byte, error) {
		for {
			line, err := text.ReadBytes('\n')
			if err != nil {
				return nil, err
			}
			data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
			data = bytes.TrimSpace(data)
			switch {
			case !ok || len(data) == 0: // a comment, or the name of an event
			case string(data) == "[DONE]":
				return nil, io.EOF
			default:
				return data, nil
			}
		}
	}
}

// begins is the first character that is no blank, which stays where it is; 0 when there
// is none.
func begins(text *bufio.Reader) byte {
	for {
		c, err := text.ReadByte()
		if err != nil {
			return 0
		}
		if !bytes.ContainsRune([]byte(" \t\r\n"), rune(c)) {
			_ = text.UnreadByte() // the last operation was a read
			return c
		}
	}
}
