package shell

import (
	"errors"
	"io"
	"runtime"
	"strings"
)

// maxFrames bounds how deeply the parser may call itself. A stack that is full ends the
// process, and nothing can be done about it then. The parser needs about ten frames for one
// construct inside another, so that this is more than [stopDepth] takes by far.
const maxFrames = 4000

var errTooDeep = errors.New("nested too deeply to be read")

// depthReader hands a text to the parser. The parser asks for the next piece of it, of a kilobyte,
// from wherever it stands, so that this is the moment to see how deep that is.
type depthReader struct{ text strings.Reader }

func (r *depthReader) Reset(text string) { r.text.Reset(text) }

// Read ends the text with an error where the parser is too deep in it.
func (r *depthReader) Read(p []byte) (int, error) {
	if left := r.text.Len(); left > 0 && left < int(r.text.Size()) {
		var frame [1]uintptr
		if runtime.Callers(maxFrames, frame[:]) > 0 {
			return 0, errTooDeep
		}
	}
	return r.text.Read(p)
}

var _ io.Reader = (*depthReader)(nil)
