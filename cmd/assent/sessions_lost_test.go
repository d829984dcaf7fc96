package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/database"
)

// forgets makes the database one that does not have the last records of a session, as a restored
// one.
func (m machine) forgets(id string) {
	m.t.Helper()
	db, err := database.Connect(m.t.Context(), m.database)
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	err = db.Within(m.t.Context(), func(tx *database.Tx) error {
		const last = "(SELECT MAX(place) FROM depot_parts WHERE session = $1)"
		if _, err := tx.ExecContext(m.t.Context(), "UPDATE depot_sessions SET size = "+last+" WHERE id = $1", id); err != nil {
			return err
		}
		_, err := tx.ExecContext(m.t.Context(), "DELETE FROM depot_parts WHERE session = $1 AND place = "+last, id)
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
}

// Whoever goes on with a session and finds that the database has less of a session than this machine had says where all of
// it is kept, and once: the file is there from then on.
func TestD8_PeopleAreToldWhatTheDatabaseHasLost(t *testing.T) {
	t.Parallel()
	const lost = "the database does not have all that was here of "
	for name, look := range map[string]func(t *testing.T, m machine) string{
		"an agent": func(_ *testing.T, m machine) string {
			_, complained, _ := m.says("-p", "--resume", chosenID, "--model", m.playing("on.yaml", "turns: []\nafterwards: Hello.\n"), "go on")
			return complained
		},
		"a server or worker": func(t *testing.T, m machine) string {
			var log strings.Builder
			d := &counter{joining: joining{given: m.database}, dir: m.state()}
			o, err := d.openOffice(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer o.close()
			o.joined.warnBy(func(text string) { log.WriteString(text) })
			if tr, err := o.sessions.Resume(chosenID); err == nil {
				_ = tr.Close()
			}
			return log.String()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 1)[0]
			m.parks(chosenID, "touch deployed")
			m.forgets(chosenID)
			said := look(t, m)
			kept, err := filepath.Glob(filepath.Join(m.state(), "sessions", chosenID, "beyond-*.jsonl"))
			if err != nil || len(kept) != 1 {
				t.Fatalf("kept: %q, %v, %s", kept, err, said)
			}
			if strings.Count(said, lost) != 1 || !strings.Contains(said, kept[0]) || !strings.Contains(said, chosenID) || !strings.Contains(said, "Restoring") {
				t.Errorf("%s is kept, and it says: %s", kept[0], said)
			}
			if again := look(t, m); strings.Contains(again, lost) {
				t.Errorf("it says it again: %s", again)
			}
		})
	}
}
