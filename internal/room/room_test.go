package room

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTheOneWithTheMostMakesRoom(t *testing.T) {
	for _, c := range []struct {
		name, takers, gone string
	}{
		{"there is room", "a b c", "- - -"},
		{"one alone gives up the oldest", "a a a a a", "- - - a1 a2"},
		{"the one with the most does", "a b a c", "- - - a1"},
		{"one who asks for more than others gives up his own", "a b a b a", "- - - a1 b2"},
		{"all have as many: the oldest goes", "a b c d e", "- - - a1 b2"},
		{"a newcomer stays", "a a b c a c", "- - - a1 a2 c4"},
	} {
		r := New[int](3)
		var got []string
		for i, who := range strings.Fields(c.takers) {
			if _, gone := r.Enter(who, i+1); gone != nil {
				got = append(got, fmt.Sprint(gone.Who, gone.What))
			} else {
				got = append(got, "-")
			}
		}
		if strings.Join(got, " ") != c.gone {
			t.Errorf("%s: %v, want %s", c.name, got, c.gone)
		}
	}
}

// However many one takes: each of the others has what a fair share is, if he wants it.
func TestT16_NobodyTakesTheShareOfOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 20).Draw(t, "most")
		r := New[int](most)
		held := map[string][]*Place[int]{}
		lost := func(p *Place[int]) {
			held[p.Who] = slices.DeleteFunc(held[p.Who], func(o *Place[int]) bool { return o == p })
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			who := rapid.SampledFrom([]string{"a", "a", "a", "b", "c"}).Draw(t, "who")
			if n := len(held[who]); n > 0 && rapid.IntRange(0, 3).Draw(t, "leaves") == 0 {
				p := held[who][rapid.IntRange(0, n-1).Draw(t, "which")]
				if lost(p); !p.Leave() || p.Leave() {
					t.Fatal("a place is left once")
				}
				continue
			}
			mine, gone := r.Enter(who, 0)
			held[who] = append(held[who], mine)
			if gone == nil {
				continue
			}
			for _, places := range held {
				if len(places) > len(held[gone.Who]) {
					t.Fatalf("%s has lost one, and others have more", gone.Who)
				}
			}
			if gone == mine || gone != held[gone.Who][0] || gone.Leave() {
				t.Fatal("it is not the oldest, or is still held")
			}
			lost(gone)
		}
		n := 0
		for _, places := range held {
			n += len(places)
		}
		if n != r.taken || n > most {
			t.Fatalf("%d places, %d are known of", n, r.taken)
		}
	})
}

func TestNetwork(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7", "192.0.2.7": "192.0.2.7", "[::ffff:192.0.2.7]:1": "192.0.2.7", "pipe": Nowhere, "": Nowhere,
		"[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := Network(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
