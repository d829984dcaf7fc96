package people

import (
	"testing"

	"github.com/assent-dev/assent/internal/database"
)

// Who only looks finds people where there are some, and makes and changes no table.
func TestA4_LookingBringsNoTableForward(t *testing.T) {
	db, err := database.OpenFile(t.TempDir() + "/state.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	steps := func() (n int) {
		if err := db.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM assent_tables WHERE name = 'people'").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := db.Install(t.Context(), database.Tables{Name: "another", Steps: []string{"CREATE TABLE another (id TEXT)"}}); err != nil {
		t.Fatal(err)
	}
	if s, err := Look(t.Context(), db); s != nil || err != nil || steps() != 0 {
		t.Errorf("nobody: %v, %v, %d", s, err, steps())
	}
	older := tables
	older.Steps = tables.Steps[:1]
	if err := db.Install(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	if s, err := Look(t.Context(), db); s != nil || err == nil || steps() != 1 {
		t.Errorf("older ones: %v, %v, %d", s, err, steps())
	}
	if _, err := On(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	s, err := Look(t.Context(), db)
	if err != nil || s == nil {
		t.Fatal(err)
	}
	if all, err := s.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}
