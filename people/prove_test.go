package people

import (
	"bytes"
	"testing"
	"time"
)

// The digest of a token is found by its beginning, as long as anything is kept of it.
func TestDigestBy(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		token, _ := w.in("ben")
		w.in("ben")
		want := digestOf(token)
		find := func(prefix []byte) []byte {
			t.Helper()
			got, err := w.DigestBy(t.Context(), prefix)
			w.must(err)
			return got
		}
		other := bytes.Clone(want[:8])
		other[7]++
		if got := find(want[:8]); !bytes.Equal(got, want) {
			t.Errorf("%x", got)
		}
		if got := find(other); got != nil {
			t.Errorf("%x", got)
		}
		w.pass(13 * time.Hour)
		if got := find(want[:8]); !bytes.Equal(got, want) {
			t.Error("who comes too late is not told so: the server cannot prove itself")
		}
		w.must(w.SignOut(t.Context(), token))
		if got := find(want[:8]); got != nil {
			t.Errorf("%x", got)
		}
	})
}
