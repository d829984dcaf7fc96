package session

import (
	"crypto/rand"
	"errors"
	"fmt"
)

// ErrBadID is in the error for an id that is no UUID.
var ErrBadID = errors.New("a session id is a UUID in lower case")

// NewID is an id that nobody can guess: a random UUID.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// CheckID refuses all but one spelling of a UUID. An id names a directory: nothing
// else may get there, and no session has two names.
func CheckID(id string) error {
	if !isID(id) {
		const most = 64
		return fmt.Errorf("%w, like %s, and not %q", ErrBadID, "01234567-89ab-4cde-8f01-23456789abcd", id[:min(len(id), most)])
	}
	return nil
}

func isID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case (c < '0' || c > '9') && (c < 'a' || c > 'f'):
			return false
		}
	}
	return true
}
