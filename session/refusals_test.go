package session

import (
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// TestP9_RefusalsAreKept: the last count holds, through a summary and in a fork.
func TestP9_RefusalsAreKept(t *testing.T) {
	store := NewStore(t.TempDir())
	tr, err := store.Create(NewID(), Start{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if c, err := tr.Conversation(); err != nil || c.Refusals != nil {
		t.Fatalf("%s, %v", c.Refusals, err)
	}
	put(t, tr, Said, said(model.User, "go"))
	put(t, tr, Counted, strictjson.Raw(`{"in_a_row":1,"in_all":1}`))
	put(t, tr, Counted, strictjson.Raw(`{"in_a_row":2,"in_all":2}`))
	put(t, tr, Compacted, Compaction{Messages: []model.Message{said(model.User, "anew")}})
	const want = `{"in_a_row":2,"in_all":2}`
	if c, err := tr.Conversation(); err != nil || string(c.Refusals) != want {
		t.Errorf("%s, %v", c.Refusals, err)
	}
	fork, err := store.Fork(tr.ID(), NewID(), Start{})
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	if c, err := fork.Conversation(); err != nil || string(c.Refusals) != want || len(c.Messages) != 1 {
		t.Errorf("the fork has %s, %v", c.Refusals, err)
	}
}
