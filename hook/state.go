package hook

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// statePatience is how long a hook waits for another one to finish its change:
// shorter than its own time, so that it can still say what is wrong.
const statePatience = DefaultTimeout / 2

// FileState is a [State] in a file: one JSON object, which only its owner may read.
// Every change is made under a lock, in one step, and lasts when it returns, so that
// processes that are killed lose no change of others and leave no half file.
type FileState struct {
	path     string
	patience time.Duration
	// mu lets the goroutines of this process queue, where the lock would poll.
	mu sync.Mutex
}

var _ State = (*FileState)(nil)

// OpenState opens the state of a session; a new session gets an empty one. From then
// on a missing or damaged file is an error and never an empty state: a hook could
// take that for "nothing speaks against it".
func OpenState(path string) (*FileState, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &FileState{path: path, patience: statePatience}
	err = s.join()
	if errors.Is(err, fs.ErrNotExist) {
		err = s.create()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// JoinState opens the state that a session has made, for one of its hooks. A missing
// one is an error.
func JoinState(path string) (*FileState, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &FileState{path: path, patience: statePatience}
	if err := s.join(); err != nil {
		return nil, err
	}
	return s, nil
}

// join looks whether the file can be used, and closes it to everybody but its owner:
// somebody may have made it by hand.
func (s *FileState) join() error {
	if _, err := s.read(); err != nil {
		return err
	}
	info, err := os.Lstat(s.path)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(s.path, 0o600)
	}
	if err != nil {
		return fmt.Errorf("the session's state %s is open to others and cannot be closed to them: %w", s.path, plainCause(err))
	}
	return nil
}

// Address is the absolute path of the file.
func (s *FileState) Address() string { return s.path }

// Get returns the newest value, nil when there is none.
func (s *FileState) Get(key string) ([]byte, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	values, err := s.read()
	return values[key], err
}

// All returns everything, as one JSON object.
func (s *FileState) All() ([]byte, error) {
	values, err := s.read()
	if err != nil {
		return nil, err
	}
	return values.encode()
}

// Merge sets the keys of a JSON object; null deletes one. All of them change or none.
func (s *FileState) Merge(object []byte) error {
	news, err := parseValues(object)
	if err != nil {
		return fmt.Errorf("the new values for the state: %w", err)
	}
	return s.Update(news.mergeInto)
}

// Update changes the values as they are now, while nobody else can. If change returns
// an error nothing changes. It must not use the state itself.
func (s *FileState) Update(change func(Values) error) error {
	return s.locked(func() error {
		values, err := s.read()
		if err != nil {
			return err
		}
		before, err := values.encode()
		if err != nil {
			return err
		}
		if err := change(values); err != nil {
			return err
		}
		after, _, err := values.checked()
		if err != nil || bytes.Equal(before, after) {
			return err
		}
		return s.write(after)
	})
}

// create makes an empty state unless somebody else has meanwhile.
func (s *FileState) create() error {
	if err := durable.MakeDir(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	return s.locked(func() error {
		_, err := s.read()
		if errors.Is(err, fs.ErrNotExist) {
			err = s.write([]byte("{}"))
		}
		return err
	})
}

func (s *FileState) locked(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := durable.Lock(s.path+".lock", "the session's state "+s.path, s.patience)
	if err != nil {
		return err
	}
	defer unlock()
	return do()
}

func (s *FileState) write(object []byte) error {
	if err := durable.Replace(s.path, append(object, '\n'), 0o600, ""); err != nil {
		return fmt.Errorf("the session's state %s cannot be written: %w", s.path, err)
	}
	return nil
}

// read takes the newest file. It needs no lock: files are replaced in one step.
func (s *FileState) read() (Values, error) {
	data, err := durable.Read(s.path, MaxState+1) // and a line feed
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no session's state %s (a session makes it; to start one by hand write {} into it): %w", s.path, fs.ErrNotExist)
	}
	var values Values
	if err == nil {
		values, err = parseValues(data)
	}
	switch {
	case errors.Is(err, durable.ErrLink):
		return nil, fmt.Errorf("the session's state %s cannot be used: %w (remove the link)", s.path, err)
	case err != nil:
		return nil, fmt.Errorf("the session's state %s cannot be used: %w (mend the file, or write {} into it to start with an empty state)", s.path, plainCause(err))
	}
	for key, value := range values {
		if string(value) == "null" { // somebody has written it by hand
			delete(values, key)
		}
	}
	return values, nil
}

// plainCause is what the operating system said, without the path that the sentence around
// it names already.
func plainCause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

// parseValues reads a JSON object.
func parseValues(object []byte) (Values, error) {
	var values Values
	if err := strictjson.Unmarshal(object, &values); err != nil {
		return nil, err
	}
	if values == nil {
		return nil, errors.New("it is null; want a JSON object")
	}
	return values, nil
}
