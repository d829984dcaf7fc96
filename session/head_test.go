package session

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/model"
)

// kept is a session that was closed, with its transcript and its head.
type kept struct {
	*Store
	path       string
	text, head []byte
}

func keep(t *testing.T) kept {
	t.Helper()
	s := newStore(t)
	tr := create(t, s, one)
	everything(t, tr)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	k := kept{Store: s, path: tr.Path()}
	k.text, k.head = slurp(t, k.path), slurp(t, headPath(tr.Dir()))
	if got, want := strings.TrimSpace(string(k.head)), tr.Head(); got != want || len(k.head) != headSize {
		t.Fatalf("the head is %q, want %q", got, want)
	}
	return k
}

func slurp(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// lay puts a transcript and a head in place; nil means none.
func (k kept) lay(t *testing.T, text, head []byte) {
	t.Helper()
	for path, content := range map[string][]byte{k.path: text, headPath(k.Store.path(one)): head} {
		_ = os.Remove(path)
		if content == nil {
			continue
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// refusals are how all that reads a session refuses it.
func (k kept) refusals() []error {
	tr, resumed := k.Resume(one)
	if resumed == nil {
		_ = tr.Close()
	}
	_, loaded := k.Load(one)
	fork, forked := k.Fork(one, NewID(), begin)
	if forked == nil {
		_ = fork.Close()
	}
	return []error{resumed, loaded, forked}
}

func TestATranscriptThatWasCutOffIsNoticed(t *testing.T) {
	k := keep(t)
	var sizes []int
	for i := range len(k.text) - 1 { // all but the last line feed
		if i%11 == 0 || i > 0 && (k.text[i] == '\n' || k.text[i-1] == '\n') {
			sizes = append(sizes, i)
		}
	}
	for _, size := range sizes {
		k.lay(t, k.text[:size], k.head)
		for _, err := range k.refusals() {
			if _, ok := errors.AsType[*Damaged](err); !ok {
				t.Fatalf("cut at %d: %v", size, err)
			}
		}
		if !bytes.Equal(slurp(t, k.path), k.text[:size]) {
			t.Fatalf("cut at %d: the file was changed", size)
		}
	}
	t.Run("and what is left can be gone on with", func(t *testing.T) {
		rest := k.text[:bytes.LastIndexByte(k.text[:len(k.text)-1], '\n')+1]
		k.lay(t, rest, k.head)
		_, err := k.Resume(one)
		if err == nil || !strings.Contains(err.Error(), "the file ends early: record 14") || !strings.Contains(err.Error(), "remove "+headPath(k.Store.path(one))) {
			t.Fatalf("%v", err)
		}
		k.lay(t, rest, nil)
		tr := resume(t, k.Store, one)
		put(t, tr, Said, said(model.User, "on"))
		_ = tr.Close()
		k.lay(t, rest, slurp(t, headPath(k.Store.path(one))))
		if _, err := k.Resume(one); err == nil {
			t.Error("it is not noticed again")
		}
	})
}

// A crash leaves a head that is behind, or none.
func TestAHeadThatIsBehind(t *testing.T) {
	k := keep(t)
	tr := resume(t, k.Store, one)
	put(t, tr, Said, said(model.User, "more"))
	_ = tr.Close()
	longer := slurp(t, k.path)
	for name, head := range map[string][]byte{
		"by one record": k.head, "none": nil, "empty": {}, "never written": make([]byte, headSize),
	} {
		k.lay(t, longer, head)
		for _, err := range k.refusals() {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	k.lay(t, longer[:len(longer)-1], k.head)
	for _, err := range k.refusals() {
		if err != nil {
			t.Errorf("without the last line feed: %v", err)
		}
	}
}

func TestAHeadThatDoesNotFit(t *testing.T) {
	k := keep(t)
	other := newStore(t)
	tr := create(t, other, one)
	everything(t, tr)
	put(t, tr, Said, said(model.User, "more"))
	_ = tr.Close()
	for name, c := range map[string]struct {
		text, head []byte
		want       string
	}{
		"a transcript made anew": {slurp(t, tr.Path()), k.head, "is another one than was noted"},
		"rubbish":                {k.text, []byte("rubbish"), "remove that file"},
		"too long":               {k.text, append(slices.Clone(k.head), ' '), "remove that file"},
	} {
		k.lay(t, c.text, c.head)
		for _, err := range k.refusals() {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	k.lay(t, k.text, nil)
	if err := os.Symlink(k.path, headPath(k.Store.path(one))); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Resume(one); err == nil {
		t.Error("a link was followed")
	}
}

// What could not be written is not in the head.
func TestTheHeadIsNeverAhead(t *testing.T) {
	s := newStore(t)
	failing := &faultyFile{}
	s.through = func(f chain.File) chain.File { failing.File = f; return failing }
	tr := create(t, s, one)
	put(t, tr, Said, said(model.User, "one"))
	before := slurp(t, headPath(tr.Dir()))
	failing.err = errors.New("the disk is full")
	if err := tr.Append(Said, said(model.User, "two")); err == nil {
		t.Fatal("no error")
	}
	if now := slurp(t, headPath(tr.Dir())); !bytes.Equal(now, before) {
		t.Errorf("the head went from %s to %s", before, now)
	}
}

type faultyFile struct {
	chain.File
	err error
}

func (f *faultyFile) Write(data []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.File.Write(data)
}
