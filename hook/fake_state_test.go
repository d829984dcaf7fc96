package hook

import "errors"

// fakeState records what is merged, or refuses it.
type fakeState struct {
	all     string
	address string
	refuse  string
	merged  []string
}

func (s *fakeState) Get(string) ([]byte, error) { return nil, nil }
func (s *fakeState) Address() string            { return s.address }

func (s *fakeState) Update(func(Values) error) error { return errors.New("nobody counts here") }

func (s *fakeState) All() ([]byte, error) {
	if s.all == "" {
		return nil, errors.New("the disk is gone")
	}
	return []byte(s.all), nil
}

func (s *fakeState) Merge(object []byte) error {
	if s.refuse != "" {
		return errors.New(s.refuse)
	}
	s.merged = append(s.merged, string(object))
	return nil
}
