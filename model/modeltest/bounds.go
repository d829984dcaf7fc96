package modeltest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/model"
)

// Key is what a provider under test sends to its server.
const Key = "sk-test-0123456789abcdef"

// secrets: a server, or a proxy before it, that repeats the key in what it says must
// not get it printed.
func (s Subject) secrets(t *testing.T) {
	said := "the key " + Key + " is wrong, I said " + Key
	for name, reply := range map[string]Reply{
		"a refusal":             {Status: 401, Message: said},
		"one that passes":       {Status: 529, Message: said},
		"a long one, cut off":   {Status: 400, Message: strings.Repeat("x", 990) + Key},
		"an error in a stream":  {Raw: fmt.Sprintf("data: {\"type\":\"error\",\"error\":{\"type\":\"some_error\",\"message\":%s}}\n\n", quote(said))},
		"an event that is none": {Raw: fmt.Sprintf("data: {%s:1,%s:2}\n\n", quote(Key), quote(Key))},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := s.Open(t, reply)
			_, err := p.Ask(t.Context(), Ask(), nil)
			if err == nil {
				t.Fatal("it is no error")
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				if strings.Contains(e.Error(), Key[:8]) {
					t.Errorf("%T has the key: %v", e, e)
				}
			}
			if strings.Contains(reply.Message+reply.Raw, "is wrong") && !strings.Contains(err.Error(), "the key [secret] is wrong") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// callNames: the id and the name of a call get into transcripts, records and
// questions, so that they have an end and can be seen.
func (s Subject) callNames(t *testing.T) {
	fits, long := strings.Repeat("x", 256), strings.Repeat("x", 257)
	for name, test := range map[string]struct {
		id, name string
		kind     model.ErrorKind
	}{
		"as long as may be":      {fits, fits, 0},
		"a long id":              {long, "Bash", model.Nonsense},
		"a long name":            {"t1", long, model.Nonsense},
		"an id of many bytes":    {strings.Repeat("世", 86), "Bash", model.Nonsense},
		"an id with a line feed": {"t1\nt2", "Bash", model.Nonsense},
		"an id with an escape":   {"t1\x1b[2J", "Bash", model.Nonsense},
		"an id with a zero":      {"t1\x00", "Bash", model.Nonsense},
		"an id that turns round": {"t1\u202e2", "Bash", model.Nonsense},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := s.Open(t, Reply{Blocks: []model.Block{Call("t0", "Bash", "{}"), Call(test.id, test.name, "{}")}})
			turn, err := p.Ask(t.Context(), Ask(), nil)
			if test.kind == 0 {
				if err != nil || len(turn.Content) != 2 || turn.Content[1].ID != test.id || turn.Content[1].Name != test.name {
					t.Errorf("got %+v, %v", turn.Content, err)
				}
				return
			}
			if got, ok := errors.AsType[*model.Error](err); !ok || got.Kind != test.kind || len(got.Error()) > 500 {
				t.Errorf("got %v", err)
			}
		})
	}
}
