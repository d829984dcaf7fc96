package people

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Who may answer is asked in the transaction of the answer, and holds for that moment.
func TestWhoMayAnswerNow(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Approver, "ben", "carl")
		w.add(Viewer, "vera")
		_, err := w.Delegate(t.Context(), operator, "ben", "vera", w.clock().Add(time.Hour), "")
		w.must(err)
		may := func(name, person, refused string) {
			t.Helper()
			var err error
			w.must(w.db.Within(t.Context(), func(tx *database.Tx) error {
				err = w.MayAnswer(t.Context(), tx, name, person)
				return nil
			}))
			if refused == "" {
				w.must(err)
				return
			}
			if no := is[*NotAllowed](t, err); no != nil && !strings.Contains(no.Error(), refused) {
				t.Errorf("%s for %q: %v", name, person, no)
			}
		}
		may("anna", "", "")
		may("ben", "ben", "")
		may("vera", "", "as a viewer")
		may("vera", "ben", "")
		may("vera", "carl", "he is not the deputy")
		may("ghost", "", "nobody of that name")
		may("no name", "", "nobody of that name")
		w.must(w.Disable(t.Context(), operator, "ben"))
		may("ben", "", "is disabled")
		may("vera", "ben", "ben is disabled")
		w.must(w.Enable(t.Context(), operator, "ben"))
		may("vera", "ben", "")
		w.must(w.Disable(t.Context(), operator, "vera"))
		may("vera", "ben", "vera may not answer any more")
		w.must(w.Enable(t.Context(), operator, "vera"))
		w.pass(time.Hour)
		may("vera", "ben", "he is not the deputy")
		w.must(w.SetRole(t.Context(), operator, "ben", Viewer))
		may("ben", "", "as a viewer")
	})
}
