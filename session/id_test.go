package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var badIDs = []string{
	"", ".", "..", "../x", "x", one + "/", "/" + one, one[:35], one + "1", "../" + one, one + "\x00",
	strings.ToUpper("abcdef01-2345-4678-8901-234567890123"), "{" + one[1:35] + "}", strings.ReplaceAll(one, "-", "_"),
	"11111111/1111/4111/8111/111111111111", "../../../../../../../../../../../../", "111111111-111-4111-8111-111111111111",
	"11111111-1111-4111-8111-11111111111\n", "CON", strings.Repeat("1", 100_000), "１1111111-1111-4111-8111-1111111111",
}

func TestIDs(t *testing.T) {
	s := newStore(t)
	for _, id := range badIDs {
		_, created := s.Create(id, begin)
		_, resumed := s.Resume(id)
		_, loaded := s.Load(id)
		_, forked := s.Fork(id, two, begin)
		for _, err := range []error{CheckID(id), created, resumed, loaded, forked} {
			if !errors.Is(err, ErrBadID) || len(err.Error()) > 500 {
				t.Errorf("%.60q: %v", id, err)
			}
		}
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("something was made")
	}
	tr := create(t, s, one)
	if _, err := s.Fork(one, "../x", begin); !errors.Is(err, ErrBadID) {
		t.Errorf("fork into a bad id: %v", err)
	}
	_ = tr.Close()
	seen := map[string]bool{}
	for range 1000 {
		id := NewID()
		if err := CheckID(id); err != nil || seen[id] || id[14] != '4' {
			t.Fatalf("%s: %v", id, err)
		}
		seen[id] = true
	}
}

// Whatever is taken for an id names a directory in the store and nothing else.
func FuzzID(f *testing.F) {
	f.Add(one)
	for _, id := range badIDs {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if CheckID(id) != nil {
			return
		}
		path := filepath.Join("/store", id)
		if filepath.Dir(path) != "/store" || filepath.Base(path) != id || strings.ToLower(id) != id || !filepath.IsLocal(id) {
			t.Errorf("%q is %s", id, path)
		}
	})
}

func TestNothingLeadsOutOfTheStore(t *testing.T) {
	for name, depot := range map[string]Depot{"of sessions that lie here": nil, "of sessions that are brought here": &far{text: transcriptOf(t, "noted")}} {
		t.Run(name, func(t *testing.T) {
			s, elsewhere := newStore(t), newStore(t)
			for _, id := range []string{one, two} {
				_ = create(t, elsewhere, id).Close()
			}
			if err := os.MkdirAll(s.path(two), 0o700); err != nil {
				t.Fatal(err)
			}
			link := func(to, at string) {
				t.Helper()
				if err := os.Symlink(to, at); err != nil {
					t.Fatal(err)
				}
			}
			link(elsewhere.path(one), s.path(one))
			link(filepath.Join(elsewhere.path(two), transcriptName), filepath.Join(s.path(two), transcriptName))
			before := readTree(t, elsewhere.dir)
			s.Depot = depot
			for _, id := range []string{one, two} {
				_, created := s.Create(id, begin)
				_, resumed := s.Resume(id)
				_, loaded := s.Load(id)
				_, forked := s.Fork(id, three, begin)
				for i, err := range []error{created, resumed, loaded, forked} {
					if err == nil && (depot == nil || i < 2) { // what is only looked at is not looked for here then
						t.Errorf("%s: way %d leads out", id, i)
					}
				}
			}
			// A lock is not followed either.
			if err := os.Remove(s.path(one)); err != nil {
				t.Fatal(err)
			}
			s.Depot = nil
			_ = create(t, s, one).Close()
			s.Depot = depot
			lockFile := filepath.Join(s.path(one), lockName)
			if err := os.Remove(lockFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			link(filepath.Join(elsewhere.path(one), "made"), lockFile)
			if _, err := s.Resume(one); err == nil {
				t.Error("the lock leads out")
			}
			if after := readTree(t, elsewhere.dir); after != before {
				t.Errorf("before\n%s\nafter\n%s", before, after)
			}
		})
	}
}

func readTree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		b.WriteString(path + "\n")
		if err == nil && e.Type().IsRegular() {
			text, err := os.ReadFile(path)
			b.Write(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
