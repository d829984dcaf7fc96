package hook

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// withState puts the shared values into the input.
func withState(input []byte, state State) ([]byte, error) {
	if state == nil {
		return input, nil
	}
	all, err := state.All()
	if err == nil {
		err = strictjson.Valid(all)
	}
	if err != nil {
		return nil, fmt.Errorf("the state of the session cannot be read: %w", err)
	}
	var object map[string]strictjson.Raw
	if err := strictjson.Unmarshal(input, &object); err != nil {
		return nil, fmt.Errorf("the input of the hook: %w", err)
	}
	if object == nil {
		object = map[string]strictjson.Raw{}
	}
	object["state"] = all
	return strictjson.Marshal(object)
}

// takeState takes the changes of the shared values out of an answer. They are made
// when the rest can be understood: a hook that is broken changes nothing. What is no
// object is left to whoever reads the answer.
func takeState(text []byte, call Invocation) ([]byte, error) {
	plain := trimOutput(text)
	if call.State == nil || !bytes.HasPrefix(plain, []byte("{")) {
		return text, nil
	}
	var object map[string]strictjson.Raw
	if strictjson.Unmarshal(plain, &object) != nil {
		return text, nil
	}
	changes, ok := object["state"]
	if !ok {
		return text, nil
	}
	if !bytes.HasPrefix(changes, []byte("{")) {
		return nil, errors.New(`"state" in the answer must be an object`)
	}
	delete(object, "state")
	var rest []byte
	if len(object) > 0 {
		var err error
		if rest, err = strictjson.Marshal(object); err != nil {
			return nil, err
		}
	}
	if !understood(call.Input, rest) {
		return rest, nil
	}
	if err := call.State.Merge(changes); err != nil {
		return nil, fmt.Errorf(`"state" in the answer: %w`, err)
	}
	return rest, nil
}

func understood(in Input, answer []byte) bool {
	var event Event
	if in != nil {
		event = in.Event()
	}
	_, _, err := ReadOutput(event, answer)
	return err == nil
}
