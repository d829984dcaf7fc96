package hook

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/rule"
)

func newFileState(t *testing.T) *FileState {
	t.Helper()
	s, err := OpenState(filepath.Join(t.TempDir(), "session", "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Both kinds of state do the same.
func eachState(t *testing.T, test func(*testing.T, State)) {
	t.Run("file", func(t *testing.T) { test(t, newFileState(t)) })
	t.Run("memory", func(t *testing.T) { test(t, MemoryState()) })
}

func wantAll(t *testing.T, s State, want string) {
	t.Helper()
	if got, err := s.All(); err != nil || string(got) != want {
		t.Errorf("the state is %s, %v; want %s", got, err, want)
	}
}

func TestH12_State(t *testing.T) {
	eachState(t, func(t *testing.T, s State) {
		wantAll(t, s, `{}`)
		if got, err := s.Get("tenure"); got != nil || err != nil {
			t.Errorf("a missing value is %q, %v", got, err)
		}
		for _, object := range []string{
			`{"tenure": "vip", "limit": 1e3}`,
			"{\n\"seen\": [1, {\"a\": null}]}",
			`{"limit": null, "tenure": "new", "never": null}`,
			`{}`,
		} {
			if err := s.Merge([]byte(object)); err != nil {
				t.Fatalf("%s: %v", object, err)
			}
		}
		wantAll(t, s, `{"seen":[1,{"a":null}],"tenure":"new"}`)
		if got, err := s.Get("tenure"); string(got) != `"new"` || err != nil {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

// What cannot be kept is refused as a whole.
func TestH12_StateRefuses(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	var many strings.Builder
	for i := range 20 {
		fmt.Fprintf(&many, `,"k%d": "%s"`, i, long(60<<10))
	}
	for _, c := range []struct{ name, object, want string }{
		{"no JSON", `tenure`, "invalid JSON"},
		{"nothing", ``, "the text is empty"},
		{"no object", `[1]`, "want"},
		{"null", `null`, "want a JSON object"},
		{"a key twice", `{"a": 2, "a": 3}`, `the key "a" occurs twice`},
		{"a key twice inside", `{"a": {"b": 1, "b": 2}}`, `the key "b" occurs twice`},
		{"two values", `{"a": 2} {}`, "invalid JSON"},
		{"bad UTF-8", "{\"a\": \"\xff\"}", "UTF-8"},
		{"bad UTF-8 in a key", "{\"\xff\": 1}", "UTF-8"},
		{"an empty key", `{"a": 2, "": 1}`, "the key is empty"},
		{"a long key", `{"a": 2, "` + long(257) + `": 1}`, "too long: 257 bytes, more than 256"},
		{"a long value", `{"a": 2, "b": "` + long(64<<10) + `"}`, `the value of "b" is too long for the state: 65538 bytes, more than 65536`},
		{"too much", `{"a": 2` + many.String() + `}`, "the state would be too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachState(t, func(t *testing.T, s State) {
				if err := s.Merge([]byte(`{"a":1}`)); err != nil {
					t.Fatal(err)
				}
				if err := s.Merge([]byte(c.object)); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v", err)
				}
				wantAll(t, s, `{"a":1}`)
			})
		})
	}
	eachState(t, func(t *testing.T, s State) {
		// Up to the limits everything goes.
		if err := s.Merge([]byte(`{"` + long(256) + `": "` + long(64<<10-2) + `"}`)); err != nil {
			t.Error(err)
		}
		for _, key := range []string{"", long(257), "\xff"} {
			if got, err := s.Get(key); got != nil || err == nil {
				t.Errorf("%q: %q, %v", key, got, err)
			}
		}
	})
}

// What a caller holds is its own.
func TestH12_StateGivesCopies(t *testing.T) {
	eachState(t, func(t *testing.T, s State) {
		object := []byte(`{"a":"one"}`)
		if err := s.Merge(object); err != nil {
			t.Fatal(err)
		}
		copy(object, "xxxxxxxxxxx")
		got, _ := s.Get("a")
		copy(got, "xxxxx")
		wantAll(t, s, `{"a":"one"}`)
	})
}

func TestH12_Update(t *testing.T) {
	eachState(t, func(t *testing.T, s State) {
		u := s.(interface {
			Update(func(Values) error) error
		})
		set := func(value string, err error) error {
			return u.Update(func(v Values) error { v["a"] = []byte(value); return err })
		}
		if err := set("1", nil); err != nil {
			t.Fatal(err)
		}
		no := errors.New("no")
		if err := set("2", no); !errors.Is(err, no) {
			t.Errorf("got %v", err)
		}
		for _, bad := range []string{"{", "", "1 2", `{"a":1,"a":2}`} {
			if err := set(bad, nil); err == nil {
				t.Errorf("%q was kept", bad)
			}
		}
		wantAll(t, s, `{"a":1}`)
	})
}

func TestH12_StateFile(t *testing.T) {
	s := newFileState(t)
	for path, want := range map[string]fs.FileMode{s.Address(): 0o600, filepath.Dir(s.Address()): 0o700 | fs.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if !filepath.IsAbs(s.Address()) || MemoryState().Address() != "" {
		t.Errorf("the address is %q", s.Address())
	}
	if err := s.Merge([]byte(`{"b": 1, "a": "x"}`)); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(s.Address()); err != nil || string(data) != `{"a":"x","b":1}`+"\n" {
		t.Errorf("the file says %q, %v", data, err)
	}
	// Another one sees it, and what that one changes is seen here.
	other, err := JoinState(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Merge([]byte(`{"b": 2}`)); err != nil {
		t.Fatal(err)
	}
	wantAll(t, s, `{"a":"x","b":2}`)
	again, err := OpenState(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, again, `{"a":"x","b":2}`)
}

func TestH12_StateOfRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	s, err := OpenState("state.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	wantAll(t, s, `{}`)
}

// A file that is damaged or gone is an error for everybody, never an empty state.
func TestH12_DamagedStateIsNotEmpty(t *testing.T) {
	write := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	for _, c := range []struct {
		name   string
		damage func(path string) error
		want   string
	}{
		{"empty", write(""), "the text is empty"},
		{"half", write(`{"tenure": "v`), "invalid JSON"},
		{"zeros", write(strings.Repeat("\x00", 100)), "invalid JSON"},
		{"no object", write(`["vip"]`), "invalid JSON"},
		{"null", write(`null`), "want a JSON object"},
		{"a key twice", write(`{"a": 1, "a": 2}`), "occurs twice"},
		{"large", write(`{"a":"` + strings.Repeat("x", MaxState) + `"}`), "larger than"},
		{"a directory", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }, "not a regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFileState(t)
			if err := c.damage(s.Address()); err != nil {
				t.Fatal(err)
			}
			for name, err := range tryState(s) {
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), s.Address()) || !strings.Contains(err.Error(), "mend the file") {
					t.Errorf("%s: %v", name, err)
				}
			}
			if _, err := OpenState(s.Address()); err == nil {
				t.Error("it can be opened")
			}
		})
	}
}

// tryState uses s in every way.
func tryState(s *FileState) map[string]error {
	_, getErr := s.Get("a")
	_, allErr := s.All()
	_, joinErr := JoinState(s.Address())
	return map[string]error{"get": getErr, "all": allErr, "merge": s.Merge([]byte(`{"a":1}`)), "join": joinErr}
}

func TestH12_StateThatIsGone(t *testing.T) {
	s := newFileState(t)
	if err := os.Remove(s.Address()); err != nil {
		t.Fatal(err)
	}
	for name, err := range tryState(s) {
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "there is no session's state "+s.Address()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Only a session makes one.
	if _, err := OpenState(s.Address()); err != nil {
		t.Error(err)
	}
}

// A link could have hooks read and replace a file of somebody's choice.
func TestH12_StateIsNoLink(t *testing.T) {
	for _, target := range []string{`{"tenure":"vip"}`, ""} {
		s := newFileState(t)
		other := filepath.Join(t.TempDir(), "other.json")
		if target != "" {
			if err := os.WriteFile(other, []byte(target), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.Remove(s.Address()), os.Symlink(other, s.Address())); err != nil {
			t.Fatal(err)
		}
		for name, err := range tryState(s) {
			if !errors.Is(err, durable.ErrLink) || !strings.Contains(err.Error(), s.Address()) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := OpenState(s.Address()); !errors.Is(err, durable.ErrLink) {
			t.Errorf("open: %v", err)
		}
		if data, _ := os.ReadFile(other); string(data) != target {
			t.Errorf("the other file says %q", data)
		}
	}
}

// null in a file that somebody has edited is no value.
func TestH12_NullIsNoValue(t *testing.T) {
	s := newFileState(t)
	if err := os.WriteFile(s.Address(), []byte("{\"a\": null,\n \"b\": 1}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get("a"); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	wantAll(t, s, `{"b":1}`)
}

// A stuck process costs half a minute and a sentence.
func TestH12_StuckState(t *testing.T) {
	s := newFileState(t)
	synctest.Test(t, func(t *testing.T) {
		unlock, err := durable.Lock(s.Address()+".lock", "it", statePatience)
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
		err = s.Merge([]byte(`{"a":1}`))
		if err == nil || !strings.Contains(err.Error(), "another process may be stuck") {
			t.Errorf("got %v", err)
		}
		wantAll(t, s, `{}`) // reading waits for nobody
	})
}

// stateChildVariable makes this test binary a process that changes a state.
const stateChildVariable = "ASSENT_TEST_STATE_CHILD"

// The children of TestH12_ManyProcessesLoseNothing are this program, started again.
func TestMain(m *testing.M) {
	if arg := os.Getenv(stateChildVariable); arg != "" {
		if err := changeState(arg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// changeState is what a child does: NAME, COUNT and FILE on a line each.
func changeState(arg string) error {
	var count int
	f := strings.Split(arg, "\n")
	if _, err := fmt.Sscan(f[1], &count); err != nil {
		return err
	}
	s, err := OpenState(f[2])
	if err != nil {
		return err
	}
	for i := range count {
		if err := s.Merge(fmt.Appendf(nil, `{"%s-%d":%d}`, f[0], i, i)); err != nil {
			return err
		}
		if err := s.Update(addOne); err != nil {
			return err
		}
		fmt.Printf("done %s-%d\n", f[0], i)
	}
	return nil
}

func addOne(v Values) error {
	n := 0
	if v["sum"] != nil {
		if _, err := fmt.Sscan(string(v["sum"]), &n); err != nil {
			return err
		}
	}
	v["sum"] = fmt.Append(nil, n+1)
	return nil
}

func TestH12_ManyProcessesLoseNothing(t *testing.T) {
	processes, updates, kills := 4, 15, 2
	if os.Getenv("ASSENT_SOAK") != "" {
		processes, updates, kills = 16, 200, 6
	}
	path := filepath.Join(t.TempDir(), "state.json")
	var mu sync.Mutex
	var acknowledged []string
	var wg sync.WaitGroup
	for n := range processes {
		killAfter := -1
		if n < kills {
			killAfter = 2 + n*updates/(2*kills)
		}
		wg.Go(func() {
			got, err := runStateChild(fmt.Sprintf("p%d", n), updates, path, killAfter)
			mu.Lock()
			defer mu.Unlock()
			acknowledged = append(acknowledged, got...)
			if err != nil {
				t.Error(err)
			}
		})
	}
	// Whoever reads meanwhile always finds a whole file.
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	reader, err := OpenState(path)
	if err != nil {
		t.Fatal(err)
	}
	for reading := true; reading; {
		select {
		case <-finished:
			reading = false
		default:
		}
		if _, err := reader.All(); err != nil {
			t.Fatal(err)
		}
	}

	values, err := reader.read()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range acknowledged {
		if values[key] == nil {
			t.Errorf("%s was acknowledged and is lost", key)
		}
	}
	if least := (processes - kills) * updates; len(acknowledged) < least {
		t.Errorf("only %d acknowledged, want at least %d", len(acknowledged), least)
	}
	sum := 0
	if _, err := fmt.Sscan(string(values["sum"]), &sum); err != nil {
		t.Fatal(err)
	}
	// A killed process may have counted once more than it could say.
	if sum < len(acknowledged) || sum > len(acknowledged)+kills {
		t.Errorf("the sum is %d after %d acknowledged additions", sum, len(acknowledged))
	}
	t.Logf("%d changes acknowledged by %d processes, %d killed; the sum is %d", len(acknowledged), processes, kills, sum)
}

// runStateChild runs one child and collects what it acknowledged. With killAfter it
// is killed, in the middle of whatever it does, after so many.
func runStateChild(name string, updates int, path string, killAfter int) (acknowledged []string, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), stateChildVariable+"="+strings.Join([]string{name, fmt.Sprint(updates), path}, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		key, ok := strings.CutPrefix(lines.Text(), "done ")
		if !ok {
			continue
		}
		if acknowledged = append(acknowledged, key); len(acknowledged) == killAfter {
			if err := cmd.Process.Kill(); err != nil {
				return nil, err
			}
		}
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil && killAfter < 0 {
		return acknowledged, fmt.Errorf("%s: %w", name, err)
	}
	return acknowledged, lines.Err()
}

// Go hooks that run side by side count every call.
func TestH12_GoHooksCount(t *testing.T) {
	eachState(t, func(t *testing.T, state State) {
		count := Function{Label: "count", Func: func(_ context.Context, call Invocation) (Output, error) {
			return Output{}, call.State.Update(func(v Values) error {
				n := 0
				if v["calls"] != nil {
					if _, err := fmt.Sscan(string(v["calls"]), &n); err != nil {
						return err
					}
				}
				v["calls"] = fmt.Append(nil, n+1)
				return nil
			})
		}}
		s := newSession(t, Config{State: state, Entries: before(count, count)}, textRule(t, rule.Allow, "Bash"))
		var calls sync.WaitGroup
		for range 10 {
			calls.Go(func() {
				if j := s.bash("ls"); j.Decision.Behavior != allowed {
					t.Error(j.Decision.Message())
				}
			})
		}
		calls.Wait()
		wantAll(t, state, `{"calls":20}`)
	})
}
