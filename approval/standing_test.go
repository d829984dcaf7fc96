package approval

import (
	"os"
	"strings"
	"testing"
	"time"
)

// Trying writes as an answer does: others see that the database has changed, and the log of
// changes has grown.
func TestA3_TryingWrites(t *testing.T) {
	s := newFileStore(t)
	must(t, s.Share(2))
	s.park(deploy("s1"))
	other := s.other(t).db.Writer()
	seen := func() (version int, size int64) {
		must(t, other.QueryRowContext(t.Context(), "PRAGMA data_version").Scan(&version))
		info, err := os.Stat(databaseOf(t, s) + "-wal")
		must(t, err)
		return version, info.Size()
	}
	version, size := seen()
	latest, err := s.Latest(t.Context())
	must(t, err)
	must(t, s.Try(t.Context()))
	if v, n := seen(); v == version || n <= size {
		t.Errorf("version %d, then %d; %d bytes, then %d", version, v, size, n)
	}
	if now, err := s.Latest(t.Context()); err != nil || now != latest {
		t.Errorf("it counts as a change: %d, %v", now, err)
	}
	must(t, os.Rename(databaseOf(t, s), databaseOf(t, s)+".away"))
	if err := s.Try(t.Context()); err == nil {
		t.Error("nobody else sees what is written now")
	}
}

func TestA3_Standings(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		yes, no := s.park(deploy("s1")), s.park(deploy("s2"))
		s.park(deploy("s3"))
		_, err := s.Approve(t.Context(), yes.ID, yes.Digest, "ann", "", nil)
		must(t, err)
		before, err := s.Standings(t.Context(), "", Approved, Denied)
		must(t, err)
		if len(before) != 1 || before[0].ID != yes.ID || before[0].Session != "s1" || before[0].State != Approved || !strings.Contains(before[0].Print, "ann") {
			t.Fatalf("%+v", before)
		}
		_, err = s.Deny(t.Context(), no.ID, no.Digest, "bob", "no")
		must(t, err)
		_, err = s.Deny(t.Context(), yes.ID, yes.Digest, "bob", "no")
		must(t, err)
		if all, err := s.Standings(t.Context(), "", Approved, Denied); err != nil || len(all) != 2 || all[0].Print == before[0].Print || all[0].State != Denied {
			t.Errorf("%+v, %v", all, err)
		}
		if all, err := s.Standings(t.Context(), "s2", Approved, Denied); err != nil || len(all) != 1 || all[0].ID != no.ID {
			t.Errorf("%+v, %v", all, err)
		}
		for limit, want := range map[int]int{0: 3, 2: 2, 9: 3} {
			if n, err := s.Number(t.Context(), Query{Limit: limit}); err != nil || n != want {
				t.Errorf("limit %d: %d, %v", limit, n, err)
			}
		}
		if n, err := s.Number(t.Context(), Query{States: []State{Denied}, Session: "s1"}); err != nil || n != 1 {
			t.Errorf("%d, %v", n, err)
		}
	})
}

// A ticket whose time is over stands so, whoever looks.
func TestA3_StandingsOfWhatIsLate(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		_, err := s.Park(t.Context(), Parking{Call: deploy("s1"), Lasts: time.Minute, By: "hook"})
		must(t, err)
		s.time = s.time.Add(time.Hour)
		if all, err := s.Standings(t.Context(), "", Expired); err != nil || len(all) != 1 {
			t.Errorf("%+v, %v", all, err)
		}
	})
}
