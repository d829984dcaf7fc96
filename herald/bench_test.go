package herald

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// BenchmarkApprove is what a bell adds to an answer.
func BenchmarkApprove(b *testing.B) {
	for name, open := range map[string]func() (*database.DB, error){
		"SQLite":     func() (*database.DB, error) { return database.OpenFile(filepath.Join(b.TempDir(), "state.db")) },
		"PostgreSQL": func() (*database.DB, error) { return database.Connect(b.Context(), testpostgres.Database(b)) },
	} {
		for _, rings := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/bell=%v", name, rings), func(b *testing.B) {
				db, err := open()
				if err != nil {
					b.Fatal(err)
				}
				defer db.Close()
				store, err := approval.On(b.Context(), db)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := New(b.Context(), Config{Tickets: store}); err != nil {
					b.Fatal(err)
				}
				if rings {
					Ring(store)
				}
				n := 0
				for b.Loop() {
					b.StopTimer()
					n++
					t, err := store.Park(b.Context(), approval.Parking{Call: approval.Call{Session: fmt.Sprint("s", n), ToolUseID: "c", Tool: "Deploy", Input: strictjson.Raw(`{}`), Cwd: "/srv"}})
					if err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					if _, err := store.Approve(b.Context(), t.ID, t.Digest, "ana", "", nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
