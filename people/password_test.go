package people

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestCheckPassword(t *testing.T) {
	for _, c := range []struct {
		password string
		good     bool
	}{
		{"", false},
		{"elevenchars", false},
		{"twelve chars", true},
		{"äöüßäöüßäöü", false}, // more than twelve bytes
		{"äöüßäöüßäöüß", true},
		{strings.Repeat("a", 1000), true},
		{strings.Repeat("a", 1001), false},
		{"anna.of.example", false},
		{"Anna.Of.Example", false},
		{"anna.of.example!", true},
		{"\xff\xfe\x00 whatever it is", true},
	} {
		err := CheckPassword("anna.of.example", c.password)
		if (err == nil) != c.good {
			t.Errorf("%q: %v", c.password, err)
		}
		if err != nil && c.password != "" && strings.Contains(err.Error(), c.password) {
			t.Errorf("it is in the error: %v", err)
		}
	}
}

func TestUsualHashes(t *testing.T) {
	kept, err := usual.hash(t.Context(), "the right password")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kept, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Error(kept)
	}
	for password, want := range map[string]match{"the right password": matches, "the wrong password": differs, "": differs} {
		if got, err := usual.compare(t.Context(), kept, password); got != want || err != nil {
			t.Errorf("%q: %v %v", password, got, err)
		}
	}
	other := usual
	other.cost.time++
	if got, err := other.compare(t.Context(), kept, "the right password"); got != outdated || err != nil {
		t.Errorf("%v %v", got, err)
	}
}

// The value is what the reference implementation has in its tests.
func TestArgonIsArgon(t *testing.T) {
	got := hex.EncodeToString(argon2id([]byte("password"), []byte("somesalt"), cost{memory: 64 << 10, time: 2, threads: 1}))
	if got != "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7" {
		t.Error(got)
	}
}

func TestHashesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := cost{rapid.Uint32Range(1, 256<<10).Draw(t, "memory"), rapid.Uint32Range(1, 16).Draw(t, "time"), rapid.Uint8Range(1, 255).Draw(t, "threads")}
		salt, key := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "salt"), rapid.SliceOfN(rapid.Byte(), keyLength, keyLength).Draw(t, "key")
		got, gotSalt, gotKey, err := decoded(encoded(c, salt, key))
		if err != nil || got != c || string(gotSalt) != string(salt) || string(gotKey) != string(key) {
			t.Errorf("%v %x %x %v", got, gotSalt, gotKey, err)
		}
	})
}

func TestWhatIsNoHash(t *testing.T) {
	h := hasher{cheap, argon2id}
	kept, err := h.hash(t.Context(), "the right password")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := decoded(kept); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{"$argon2id", "$argon2i"},
		{"$argon2id", "argon2id"},
		{"v=19", "v=16"},
		{"m=8", "m=0"},
		{"m=8", "m=4000000"},
		{"m=8", "m=08"},
		{"m=8", "m=99999999999"},
		{"t=1", "t=0"},
		{"t=1", "t=17"},
		{"p=1", "p=0"},
		{"p=1", "p=256"},
		{"p=1$", "p=1$$"},
		{"m=8,t=1", "t=1,m=8"},
		{kept, ""},
		{kept, kept + "A"},
		{kept, kept + "\n"},
		{kept, kept[:len(kept)-4]},
		{kept, kept + "$"},
		{kept, "$$$$$"},
	} {
		damaged := strings.Replace(kept, change[0], change[1], 1)
		if _, _, _, err := decoded(damaged); err == nil {
			t.Errorf("%q is taken", damaged)
		}
		hashed := 0
		counting := hasher{cheap, func(password, salt []byte, c cost) []byte { hashed++; return argon2id(password, salt, c) }}
		if got, err := counting.compare(t.Context(), damaged, "the right password"); got != differs || err != nil || hashed != 1 {
			t.Errorf("%q: %v %v after %d", damaged, got, err, hashed)
		}
	}
}

func TestT16_TwoPasswordsAreHashedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		usual := hashing
		hashing = make(chan struct{}, cap(usual)) // one that belongs to this test
		defer func() { hashing = usual }()
		running, most, goOn := make(chan struct{}, 10), 0, make(chan struct{})
		h := hasher{cheap, func([]byte, []byte, cost) []byte {
			running <- struct{}{}
			<-goOn
			return make([]byte, keyLength)
		}}
		done := make(chan error, 10)
		for range 5 {
			go func() {
				_, err := h.hash(t.Context(), "whatever it is")
				done <- err
			}()
		}
		synctest.Wait()
		if most = len(running); most != 2 {
			t.Errorf("%d at a time", most)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := h.compare(ctx, "", "whatever it is"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("somebody who has gone waits on: %v", err)
		}
		close(goOn)
		for range 5 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}
