package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// BrokenError is a settings file that cannot be used. Nothing of it is in force,
// so nothing may start with it.
type BrokenError struct {
	File         string
	Line, Column int // from 1; 0 when the file as a whole is the problem
	Problem      string
	Hint         string
	cause        error
	instead      standIn
}

// Error is one sentence: "FILE:LINE:COLUMN: problem (hint)".
func (e *BrokenError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Problem)
	if e.Hint != "" {
		b.WriteString(" (" + e.Hint + ")")
	}
	return b.String()
}

// Unwrap returns what the operating system said, if that is the problem.
func (e *BrokenError) Unwrap() error { return e.cause }

func unreadable(file string, err error) *BrokenError {
	hint := "mend it or move it away"
	if errors.Is(err, fs.ErrPermission) {
		hint = "make it readable for this user, or move it away"
		if dir := closedDirectory(file); dir != "" {
			hint = "let this user enter " + dir + ", as with `chmod a+x " + dir + "`, or move that away"
		}
	}
	if errors.Is(err, fs.ErrNotExist) { // somebody named it: else it would not be missed
		hint = "name a file that exists, or write the settings as JSON"
	}
	if _, ok := errors.AsType[*linkError](err); ok {
		hint = "create what it leads to, or remove the link"
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	return &BrokenError{File: file, Problem: "the file cannot be read: " + err.Error(), Hint: hint, cause: err}
}

// closedDirectory is the first directory on the way to a file that this user may not enter; empty when
// they may enter all of them.
func closedDirectory(file string) (closed string) {
	for at := file; ; at = closed {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrPermission) || at == filepath.Dir(at) {
			return closed
		}
		closed = filepath.Dir(at)
	}
}
