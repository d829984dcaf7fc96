package strictjson

import (
	"bytes"
	"errors"
)

// Raw is a JSON value as it was written. In a struct it keeps a member for later
// or passes it on; nil is written as null. It serves the standard library's
// interfaces too.
type Raw []byte

// Decode reads the value, strictly: a key that occurs twice or differs only in case is an
// error. Keys that into does not have are passed over.
func (r Raw) Decode(into any) error { return Unmarshal(r, into) }

// MarshalJSON returns the value as it is.
func (r Raw) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

// UnmarshalJSON keeps a copy of data.
func (r *Raw) UnmarshalJSON(data []byte) error {
	if r == nil {
		return errors.New("strictjson.Raw: unmarshal into a nil pointer")
	}
	*r = bytes.Clone(data)
	return nil
}

// String is the text, for messages and tests.
func (r Raw) String() string { return string(r) }
