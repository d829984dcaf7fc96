package session

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// What is guaranteed, and what these tests show.
//
// A record counts as acknowledged when Append has returned. By then it is on the disk and
// the head names it. Nobody waits until the head is on the disk, too, so:
//
//   - After the death of a process, at whatever moment, the head names every acknowledged
//     record. One record may be whole and not in the head, or torn; it was not
//     acknowledged. A whole one stays, a torn one is cut off.
//   - After the death of the machine the head may be older or empty. The acknowledged
//     records are there all the same, because each was flushed.
//   - Whatever else happens to the transcript is noticed: a flipped bit, a line that is
//     missing, moved, repeated or of another session, an end that was cut off before the
//     record that the head names. Then the session is refused and nothing is changed.
//
// What is not noticed: that whole records behind the one which the head names were
// removed, or any at the end when the head is gone or empty as well. Whoever can do both
// on purpose could as well write a new chain: it has no key.
//
// A head that is damaged is refused, or says what it said before: it never makes another
// transcript acceptable.

// specimen is a session that was closed, and what is in it.
type specimen struct {
	kept
	lines  [][]byte // of the transcript, each with its line feed
	bodies []string // of its records, with their kinds
	// before is the head as it was before the last record: a process that dies between
	// the two leaves it so.
	before []byte
}

// specimens are a session with every kind of record, one whose calls wait, and one of
// which a call was begun.
func specimens(t *testing.T) map[string]*specimen {
	t.Helper()
	all := map[string]*specimen{
		"every kind": preserve(t, func(tr *Transcript) {
			everything(t, tr)
			put(t, tr, Changed, Change{ToolUseID: "t1", By: []string{"a hook"}, Input: strictjson.Raw(`{}`)})
			put(t, tr, Counted, strictjson.Raw(`{"row":1}`))
			put(t, tr, Planned, strictjson.Raw(`{"id":"1","subject":"deploy"}`))
			put(t, tr, Parked, waiting("a", "b"))
			put(t, tr, Began, Beginning{ToolUseID: "b", Input: strictjson.Raw(`{"command":"deploy"}`)})
			put(t, tr, Unbegun, Release{ToolUseID: "b"})
			put(t, tr, Began, Beginning{ToolUseID: "a", Input: strictjson.Raw(`{"command":"deploy"}`)})
			put(t, tr, Found, Finding{ToolUseID: "a", Ran: true, By: "ann"})
			put(t, tr, Settled, settled("a"))
			put(t, tr, Said, said(model.User, "go on"))
		}),
		"parked": preserve(t, func(tr *Transcript) {
			put(t, tr, Said, said(model.User, "deploy it"))
			put(t, tr, Parked, waiting("a", "b"))
		}),
		"begun": preserve(t, func(tr *Transcript) {
			put(t, tr, Parked, waiting("a"))
			put(t, tr, Began, Beginning{ToolUseID: "a", Input: strictjson.Raw(`{"command":"deploy"}`)})
		}),
	}
	for _, kind := range kinds {
		if !slices.ContainsFunc(all["every kind"].bodies, func(b string) bool { return strings.HasPrefix(b, string(kind)+" ") }) {
			t.Fatalf("there is no record of kind %s", kind)
		}
	}
	return all
}

func preserve(t *testing.T, fill func(*Transcript)) *specimen {
	t.Helper()
	tr := create(t, newStore(t), one)
	fill(tr)
	return preserved(t, tr)
}

// preserved closes a session and takes it to pieces.
func preserved(t *testing.T, tr *Transcript) *specimen {
	t.Helper()
	bodies := lines(t, tr)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	s := &specimen{bodies: bodies, kept: kept{Store: NewStore(strings.TrimSuffix(tr.Dir(), "/"+one)), path: tr.Path()}}
	s.text, s.head = slurp(t, s.path), slurp(t, headPath(tr.Dir()))
	s.lines = slices.Collect(bytes.Lines(s.text))
	if len(s.lines) != len(bodies) {
		t.Fatalf("%d lines, %d records", len(s.lines), len(bodies))
	}
	s.before = s.headAt(t, len(bodies)-1)
	return s
}

// headAt is the head of the session when it had so many records.
func (s *specimen) headAt(t *testing.T, records int) []byte {
	t.Helper()
	s.lay(t, slices.Concat(s.lines[:records]...), nil)
	tr := resume(t, s.Store, one)
	defer tr.Close()
	return fmt.Appendf(nil, "%-*s\n", headSize-1, tr.Head())
}

// outcome is what has become of a session that was damaged.
type outcome int

const (
	refusedClearly outcome = iota
	keptPrefix
)

// try lays a damaged session and takes it up. Whatever comes of it, it is one of two
// things: the session is refused, with a word on what is wrong and what to do, and no byte
// of it is changed; or the records are the first ones of the original, at least those that
// must be there, and the session goes on behind them.
func (s *specimen) try(t *testing.T, what string, text, head []byte, acknowledged int) outcome {
	t.Helper()
	s.lay(t, text, head)
	looked, loaded := s.Load(one)
	tr, err := s.Resume(one)
	if err != nil {
		damaged, ok := errors.AsType[*Damaged](err)
		if !ok || !strings.Contains(err.Error(), "nothing was changed; ") || damaged.Path != s.path {
			t.Fatalf("%s: no clear refusal: %v", what, err)
		}
		if !bytes.Equal(slurp(t, s.path), text) {
			t.Fatalf("%s: it was refused and changed: %v", what, err)
		}
		if loaded == nil {
			t.Fatalf("%s: it can be looked at, and not taken up: %v", what, err)
		}
		return refusedClearly
	}
	defer tr.Close()
	if loaded != nil {
		t.Fatalf("%s: it can be taken up, and not looked at: %v", what, loaded)
	}
	got := lines(t, tr)
	if len(got) < acknowledged || len(got) > len(s.bodies) || !slices.Equal(got, s.bodies[:len(got)]) {
		t.Fatalf("%s: silently accepted: %d records, of which %d were acknowledged\n%q", what, len(got), acknowledged, got)
	}
	c, err := tr.Conversation()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if len(got) <= acknowledged && stages(c) != stages(looked) {
		t.Fatalf("%s: taken up it is %s, looked at %s", what, stages(c), stages(looked))
	}
	if now, want := slurp(t, s.path), slices.Concat(s.lines[:len(got)]...); !bytes.Equal(now, want) {
		t.Fatalf("%s: the file is not what was accepted: %d bytes, want %d", what, len(now), len(want))
	}
	return keptPrefix
}

// effort is how much of a test is done: some for `make test`, all for `make soak`.
func effort(some, all int) int {
	if os.Getenv("ASSENT_SOAK") != "" {
		return all
	}
	return some
}

func TestD8_EveryTruncation(t *testing.T) {
	t.Parallel()
	for name, s := range specimens(t) {
		all, last := len(s.bodies), len(s.lines[len(s.lines)-1])
		stride := effort(13, 1)
		for size := range len(s.text) + 1 {
			if near := size%stride == 0 || size > 0 && s.text[size-1] == '\n' || size == len(s.text)-1; !near {
				continue
			}
			what := fmt.Sprintf("%s, cut at %d of %d", name, size, len(s.text))
			// Only the line feed may be lost: what was acknowledged is all there then.
			want := refusedClearly
			if size >= len(s.text)-1 {
				want = keptPrefix
			}
			if got := s.try(t, what, s.text[:size], s.head, all); got != want {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
			// The process has died before the head named the last record: that one was not
			// acknowledged and may be torn, and no other.
			want = refusedClearly
			if size >= len(s.text)-last-1 {
				want = keptPrefix
			}
			if got := s.try(t, what+", its head behind", s.text[:size], s.before, all-1); got != want {
				t.Fatalf("%s, its head behind: %v, want %v", what, got, want)
			}
			// Nothing is known about the end: all that is whole is kept.
			whole := bytes.Count(s.text[:min(size+1, len(s.text))], []byte("\n"))
			want = keptPrefix
			if whole == 0 {
				want = refusedClearly
			}
			if got := s.try(t, what+", without a head", s.text[:size], nil, whole); got != want {
				t.Fatalf("%s, without a head: %v, want %v", what, got, want)
			}
		}
	}
}

// A session that was mended goes on, and is whole afterwards.
func TestD8_ATornSessionGoesOn(t *testing.T) {
	for name, s := range specimens(t) {
		begins := len(s.text) - len(s.lines[len(s.lines)-1])
		for size := begins; size <= len(s.text); size += effort(17, 1) {
			what := fmt.Sprintf("%s, torn at %d", name, size)
			s.try(t, what, s.text[:size], s.before, len(s.bodies)-1)
			tr := resume(t, s.Store, one)
			had := lines(t, tr)
			put(t, tr, Noted, "on")
			_ = tr.Close()
			again := resume(t, s.Store, one)
			if got := lines(t, again); !slices.Equal(got, append(had, `note "on"`)) {
				t.Fatalf("%s: %q", what, got)
			}
			_ = again.Close()
		}
	}
}

func TestD8_NoBitFlipsUnnoticed(t *testing.T) {
	t.Parallel()
	seed := uint64(6)
	if os.Getenv("ASSENT_SOAK") != "" {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	all := specimens(t)
	for name, s := range all {
		heads := [][]byte{s.head, s.before, nil}
		for n := range effort(2_000, 100_000) / len(all) {
			text := bytes.Clone(s.text)
			at := random.IntN(8 * len(text))
			text[at/8] ^= 1 << (at % 8)
			what := fmt.Sprintf("%s, bit %d of byte %d flipped, head %d", name, at%8, at/8, n%len(heads))
			if s.try(t, what, text, heads[n%len(heads)], len(s.bodies)) != refusedClearly {
				t.Fatalf("%s: accepted", what)
			}
		}
	}
}

// A head with a flipped bit says what it said before, or is refused with the way out; and
// it never makes a transcript acceptable that was cut off or exchanged.
func TestD8_NoBitOfTheHeadMisleads(t *testing.T) {
	t.Parallel()
	s := specimens(t)["every kind"]
	shorter := slices.Concat(s.lines[:len(s.lines)-1]...)
	other := preserve(t, func(tr *Transcript) {
		for range len(s.bodies) + 5 {
			put(t, tr, Noted, "another course")
		}
	})
	for at := range 8 * len(s.head) {
		head := bytes.Clone(s.head)
		head[at/8] ^= 1 << (at % 8)
		what := fmt.Sprintf("bit %d of byte %d of the head flipped", at%8, at/8)
		if s.try(t, what, s.text, head, len(s.bodies)) == refusedClearly {
			if _, err := s.Resume(one); !strings.Contains(err.Error(), "remove ") {
				t.Fatalf("%s: no way out: %v", what, err)
			}
		}
		for name, text := range map[string][]byte{"cut off": shorter, "exchanged": other.text} {
			if s.try(t, what+", "+name, text, head, len(s.bodies)) != refusedClearly {
				t.Fatalf("%s, %s: accepted", what, name)
			}
		}
	}
	for size := 1; size < headSize; size++ { // an empty one is that of a machine that died
		s.try(t, fmt.Sprintf("the head cut at %d", size), s.text, s.head[:size], len(s.bodies))
		if s.try(t, fmt.Sprintf("the head cut at %d, the transcript too", size), shorter, s.head[:size], len(s.bodies)) != refusedClearly {
			t.Fatal("accepted")
		}
	}
}

func TestD8_LinesThatDoNotBelong(t *testing.T) {
	for name, s := range specimens(t) {
		n := len(s.lines)
		// The same session as far as the second record, and then another course.
		sibling := s.fork(t, 2)
		stranger := preserveAs(t, two, n)
		mixed := append(bytes.Clone(stranger.text), s.lines[n-1][:40]...) // also torn
		damages := map[string][][]byte{}
		add := func(lines [][]byte, format string, args ...any) { damages[fmt.Sprintf(format, args...)] = lines }
		for i := range n {
			add(s.lines[:i], "%d lines dropped at the end", n-i)
			add(slices.Delete(slices.Clone(s.lines), i, i+1), "line %d dropped", i+1)
			for j := i % effort(4, 1); j <= n; j += effort(4, 1) {
				add(slices.Insert(slices.Clone(s.lines), j, s.lines[i]), "line %d once more at %d", i+1, j+1)
				add(slices.Insert(slices.Clone(s.lines), j, stranger.lines[i]), "line %d of another session put in at %d", i+1, j+1)
				if j < n && i < j {
					swapped := slices.Clone(s.lines)
					swapped[i], swapped[j] = swapped[j], swapped[i]
					add(swapped, "lines %d and %d swapped", i+1, j+1)
				}
			}
			exchanged := slices.Clone(s.lines)
			exchanged[i] = stranger.lines[i]
			add(exchanged, "line %d exchanged for that of another session", i+1)
			add(slices.Concat(s.lines[:i], stranger.lines[i:]), "another session from line %d", i+1)
		}
		for i := 2; i < len(sibling.lines); i++ {
			add(sibling.lines[:i+1], "another course, with %d lines", i+1)
		}
		for what, lines := range damages {
			if s.try(t, name+", "+what, bytes.Join(lines, nil), s.head, n) != refusedClearly {
				t.Fatalf("%s, %s: accepted", name, what)
			}
		}
		// It is also another session that lies there as a whole, with its head.
		for _, text := range [][]byte{stranger.text, stranger.text[:len(stranger.text)-9], mixed} {
			for _, head := range [][]byte{stranger.head, s.head, nil} {
				if s.try(t, name+", another session", text, head, n) != refusedClearly {
					t.Fatalf("%s: another session was accepted", name)
				}
			}
		}
	}
}

// fork is the session as it would be if it had gone on differently behind some records.
func (s *specimen) fork(t *testing.T, records int) *specimen {
	t.Helper()
	s.lay(t, slices.Concat(s.lines[:records]...), nil)
	tr := resume(t, s.Store, one)
	for range len(s.lines) {
		put(t, tr, Noted, "another course")
	}
	f := &specimen{}
	_ = tr.Close()
	f.lines = slices.Collect(bytes.Lines(slurp(t, s.path)))
	return f
}

// preserveAs is another session with at least so many records.
func preserveAs(t *testing.T, id string, records int) *specimen {
	t.Helper()
	tr := create(t, newStore(t), id)
	for range records {
		put(t, tr, Noted, "elsewhere")
	}
	_ = tr.Close()
	s := &specimen{kept: kept{text: slurp(t, tr.Path()), head: slurp(t, headPath(tr.Dir()))}}
	s.lines = slices.Collect(bytes.Lines(s.text))
	return s
}

// A machine that dies may leave zeros behind what was flushed: they go. Zeros in place of
// what was acknowledged are damage.
func TestD8_Zeros(t *testing.T) {
	for name, s := range specimens(t) {
		all := len(s.bodies)
		for _, n := range []int{1, 2, 95, 4096, 70_000} {
			what := fmt.Sprintf("%s, %d zeros at the end", name, n)
			for _, head := range [][]byte{s.head, s.before, nil} {
				if s.try(t, what, append(bytes.Clone(s.text), make([]byte, n)...), head, all) != keptPrefix {
					t.Fatalf("%s: refused", what)
				}
			}
		}
		for n := 1; n <= len(s.text); n += effort(29, 1) {
			text := append(bytes.Clone(s.text[:len(s.text)-n]), make([]byte, n)...)
			what := fmt.Sprintf("%s, the last %d bytes zeroed", name, n)
			if s.try(t, what, text, s.head, all) != refusedClearly {
				t.Fatalf("%s: accepted", what)
			}
			s.try(t, what+", its head behind", text, s.before, all-1)
			hole := bytes.Clone(s.text)
			clear(hole[len(hole)-n:][:min(n, 16)])
			if n > 16 && s.try(t, what+", but for what follows", hole, nil, all) != refusedClearly {
				t.Fatalf("%s, but for what follows: accepted", what)
			}
		}
	}
}
