package people

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// try tries a wrong password and is how long the person has to wait instead.
func (w *world) try(name, from string) time.Duration {
	w.t.Helper()
	before := w.hashed.Load()
	_, _, err := w.SignIn(w.t.Context(), name, "a wrong password", from)
	if e, throttled := errors.AsType[*Throttled](err); throttled {
		if w.hashed.Load() != before {
			w.t.Error("it was hashed all the same")
		}
		return e.Wait
	}
	is[*WrongSignIn](w.t, err)
	return 0
}

func TestWaits(t *testing.T) {
	want := []time.Duration{0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900}
	for wrong, seconds := range want {
		if got := here.wait(int64(wrong)); got != seconds*time.Second {
			t.Errorf("after %d: %v", wrong, got)
		}
	}
	for _, wrong := range []int64{100, 1 << 40, 1<<63 - 1} {
		if here.wait(wrong) != 15*time.Minute || anywhere.wait(wrong) != time.Minute {
			t.Errorf("after %d: %v %v", wrong, here.wait(wrong), anywhere.wait(wrong))
		}
	}
}

// T12: somebody who guesses passwords soon has to wait, longer each time, whether the name is
// there or not.
func TestT12_GuessingTakesLong(t *testing.T) {
	for _, name := range []string{"ben", "ghost", "no name"} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				w.add(Approver, "ben")
				for i := range 5 {
					if wait := w.try(name, "192.0.2.1"); wait != 0 {
						t.Fatalf("%d: %v", i, wait)
					}
				}
				for i := range 14 {
					want := min(time.Second<<i, 15*time.Minute)
					if wait := w.try(name, "192.0.2.1:99"); wait != want {
						t.Fatalf("%d: %v, want %v", i, wait, want)
					}
					w.pass(want - time.Millisecond)
					if wait := w.try(name, "192.0.2.1"); wait != time.Millisecond { // who does not wait waits no longer
						t.Fatalf("%d: %v", i, wait)
					}
					w.pass(time.Millisecond)
					if wait := w.try(name, "192.0.2.1"); wait != 0 {
						t.Fatalf("%d: %v", i, wait)
					}
				}
			})
		})
	}
}

// What many addresses have tried for a name counts until its person has signed in.
func TestARightPasswordForgetsThoseOfElsewhere(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		for round := range 2 {
			for i := range anywhere.free - 1 {
				if wait := w.try("ben", fmt.Sprintf("198.51.100.%d", 1+i)); wait != 0 {
					t.Fatalf("%d, %d: %v", round, i, wait)
				}
			}
			w.in("ben")
		}
	})
}

func TestARightPasswordForgetsTheWrongOnes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		for range 3 {
			for range 4 {
				if wait := w.try("ben", "192.0.2.1"); wait != 0 {
					t.Fatal(wait)
				}
			}
			w.in("ben")
		}
		for range 5 {
			w.try("ben", "192.0.2.1")
		}
		_, _, err := w.SignIn(t.Context(), "ben", passwordFor("ben"), "192.0.2.1") // also the right one has to wait
		is[*Throttled](t, err)
		w.must(w.SetPassword(t.Context(), operator, "ben", passwordFor("ben"))) // an admin can help
		w.in("ben")
	})
}

// T16: whoever tries wrong passwords for a name from elsewhere does not keep its person out.
func TestT16_NobodyIsLockedOutByOthers(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "carl")
		w.in("ben")
		for i := range 300 { // many addresses, and they go on
			w.try("ben", fmt.Sprintf("198.51.%d.%d", i/250, i%250))
		}
		if wait := w.try("ben", "203.0.113.1"); wait <= 0 || wait > time.Minute {
			t.Errorf("a name that many try: %v", wait)
		}
		w.in("ben") // where he has signed in before
		for i := range 100 {
			w.try(fmt.Sprintf("ghost%d", i), "192.0.2.1") // from where he is
		}
		if wait := w.try("another", "192.0.2.1"); wait <= 0 || wait > time.Minute {
			t.Errorf("an address that tries many: %v", wait)
		}
		w.in("ben")
		w.pass(time.Minute)
		w.in("carl") // at most so long, and then he is known as well
		w.try("another", "192.0.2.1")
		w.in("carl")
	})
}

// T16: behind a proxy all have one address. What the proxy says about who is behind it keeps a
// stranger from locking out everybody whose name he knows.
func TestT16_NobodyIsLockedOutBehindAProxy(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		const proxy = "10.0.0.1:4711"
		w.add(Approver, "ben", "carl")
		bens := Behind(proxy, "203.0.113.5")
		in := func() error {
			_, _, err := w.SignIn(t.Context(), "ben", passwordFor("ben"), bens)
			return err
		}
		w.must(in())
		tried := 0
		for range 40 {
			for _, name := range []string{"ben", "carl"} {
				if w.try(name, Behind(proxy, "198.51.100.9")) == 0 {
					tried++
				}
			}
		}
		if tried != 2*int(here.free) {
			t.Errorf("%d tries", tried)
		}
		w.must(in())
		_, _, err := w.SignIn(t.Context(), "carl", passwordFor("carl"), Behind(proxy, "203.0.113.6")) // he was never there
		w.must(err)
	})
}

// T12: nobody has to be a proxy to say that he is one. Whoever invents those behind him is
// held up by the slower limits of his own address and of the name.
func TestT12_InventedAddresses(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		tried := 0
		for i := range 200 {
			if w.try("ben", Behind("198.51.100.9:1", fmt.Sprintf("10.1.2.%d", i))) == 0 {
				tried++
			}
			if w.try(fmt.Sprintf("name%d", i), Behind("198.51.100.9:1", fmt.Sprintf("10.1.2.%d", i))) == 0 {
				tried++
			}
		}
		if tried > int(anywhere.free) {
			t.Errorf("%d tries", tried)
		}
	})
}

// Whoever has a password of his own is not free to try those of others.
func TestT12_OwnSignInsDoNotHelpToGuess(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Viewer, "mallory")
		tries := 0
		for i := range 100 {
			if w.try(fmt.Sprintf("name%d", i), "192.0.2.1") == 0 {
				tries++
			}
			if i < 20 {
				w.in("mallory")
			}
		}
		if tries > int(anywhere.free) {
			t.Errorf("%d tries", tries)
		}
	})
}

func TestT12_GuessingAtTheSameTime(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		stores := []*Store{w.Store, w.Store}
		if w.db.Kind().String() == "PostgreSQL" {
			stores[1] = w.on(w.again())
		}
		before := w.hashed.Load()
		var waits atomic.Int64
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				_, _, err := stores[i%2].SignIn(t.Context(), "ben", "a wrong password", "192.0.2.1")
				if _, throttled := errors.AsType[*Throttled](err); throttled {
					waits.Add(1)
				} else if _, wrong := errors.AsType[*WrongSignIn](err); !wrong {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := w.hashed.Load() - before; n != 5 || waits.Load() != 25 {
			t.Errorf("%d were looked at, %d had to wait", n, waits.Load())
		}
	})
}

func TestAttemptsAreForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		for i := range 10 {
			w.try(fmt.Sprintf("ghost%d", i), "192.0.2.1")
		}
		w.in("ben")
		w.pass(forgotten + time.Second)
		w.try("ben", "203.0.113.1")
		var kept int
		w.must(w.db.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM people_attempts").Scan(&kept))
		if kept != 4 { // where he is known, and what the last one counts for
			t.Errorf("%d", kept)
		}
		w.pass(familiar)
		w.try("ben", "203.0.113.1")
		w.must(w.db.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM people_attempts").Scan(&kept))
		if kept != 3 {
			t.Errorf("%d", kept)
		}
	})
}

// A clock that was wrong for a while keeps nobody out.
func TestAWrongClockLocksNobodyOut(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		w.pass(50 * 365 * 24 * time.Hour)
		for range 6 {
			w.try("ben", "192.0.2.1")
		}
		w.pass(-50 * 365 * 24 * time.Hour)
		w.in("ben")
	})
}

func TestPlaces(t *testing.T) {
	for from, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "192.0.2.1:80": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "[::ffff:192.0.2.1]:80": "192.0.2.1",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "[2001:db8:1:2::7]:80": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "[fe80::1%eth0]:80": "fe80::/64", "::1": "::/64",
		Behind("10.0.0.1:80", "192.0.2.1"): "10.0.0.1 for 192.0.2.1", Behind("10.0.0.1:80", " [2001:db8:1:2::7]:80"): "10.0.0.1 for 2001:db8:1:2::/64", Behind("@", "192.0.2.1"): "unknown for 192.0.2.1",
		Behind("10.0.0.1:80", ""): "10.0.0.1", Behind("10.0.0.1:80", "unknown"): "10.0.0.1", Behind("10.0.0.1:80", "\xff for 1"): "10.0.0.1", Behind("10.0.0.1:80", "192.0.2.1, 192.0.2.2"): "10.0.0.1",
		"10.0.0.1 for 1.2.3.4 for 5.6.7.8": "10.0.0.1", "10.0.0.1 for ": "10.0.0.1",
		"": "unknown", "@": "unknown", "a socket": "unknown", "\xff": "unknown", "192.0.2.1, 198.51.100.1": "unknown",
	} {
		if got, _ := placeOf(from); got != want {
			t.Errorf("%q: %q", from, got)
		}
	}
}
