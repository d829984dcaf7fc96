package hook

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
)

// The limits of a [State].
const (
	// MaxStateKey is how long a key may be, in bytes.
	MaxStateKey = 256
	// MaxStateValue is how long a value may be, as JSON.
	MaxStateValue = 64 << 10
	// MaxState is how long all of it may be, as one JSON object.
	MaxState = 1 << 20
)

// Values are the content of a [State]: JSON by key.
type Values map[string]strictjson.Raw

// mergeInto sets the keys of v in all; null deletes one.
func (v Values) mergeInto(all Values) error {
	for key, value := range v {
		if string(value) == "null" {
			delete(all, key)
		} else {
			all[key] = value
		}
	}
	return nil
}

func (v Values) encode() ([]byte, error) { return strictjson.Marshal(v) }

// checked is v as one JSON object, if it may be kept, and its values as they are
// written. What is accepted must be found again: only the written text tells how long and
// how deep it is.
func (v Values) checked() (data []byte, written Values, err error) {
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if err := checkKey(key); err != nil {
			return nil, nil, err
		}
	}
	data, err = v.encode()
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("the new values for the state: %w", err)
	case len(data) > MaxState:
		return nil, nil, fmt.Errorf("the state would be too large: %d bytes, more than %d (delete what is not needed any more)", len(data), MaxState)
	}
	if written, err = parseValues(data); err != nil {
		return nil, nil, fmt.Errorf("the new values for the state: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(written)) {
		if err := checkValue(key, written[key]); err != nil {
			return nil, nil, err
		}
	}
	return data, written, nil
}

// checkValue looks at a value as it is written.
func checkValue(key string, value strictjson.Raw) error {
	if len(value) > MaxStateValue {
		return fmt.Errorf("the value of %q is too long for the state: %d bytes, more than %d", key, len(value), MaxStateValue)
	}
	// An endpoint is sent the state inside of an event, and must be able to read that.
	if strictjson.Valid(slices.Concat([]byte(`{"state":{"key":`), value, []byte("}}"))) != nil {
		return fmt.Errorf("the value of %q is nested too deep for the state: more than %d levels", key, strictjson.MaxDepth-2)
	}
	return nil
}

func checkKey(key string) error {
	switch {
	case key == "":
		return errors.New("the key is empty")
	case len(key) > MaxStateKey:
		return fmt.Errorf("the key %.40q… is too long: %d bytes, more than %d", key, len(key), MaxStateKey)
	case !utf8.ValidString(key):
		return fmt.Errorf("the key %q is not valid UTF-8", key)
	}
	return nil
}

// MemoryState is a [State] for tests and for programs whose hooks are all Go
// functions. Commands cannot find it.
func MemoryState() State { return &memoryState{values: Values{}} }

type memoryState struct {
	mu     sync.Mutex
	values Values
}

// Address is empty: no other process can reach it.
func (*memoryState) Address() string { return "" }

func (s *memoryState) Get(key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.values[key]), checkKey(key)
}

func (s *memoryState) All() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values.encode()
}

func (s *memoryState) Merge(object []byte) error {
	news, err := parseValues(object)
	if err != nil {
		return fmt.Errorf("the new values for the state: %w", err)
	}
	return s.Update(news.mergeInto)
}

// Update is that of [FileState].
func (s *memoryState) Update(change func(Values) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	values := make(Values, len(s.values))
	for key, value := range s.values {
		values[key] = bytes.Clone(value) // whoever fails may have written into it
	}
	if err := change(values); err != nil {
		return err
	}
	_, written, err := values.checked()
	if err != nil {
		return err
	}
	s.values = written
	return nil
}
