package session

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/chain"
)

// Whatever is taken for a time without reading it is one to the library, and what the
// library refuses no record can have.
func TestTimesOfRecords(t *testing.T) {
	plain := []string{
		"2026-11-16T09:30:00Z", "2026-11-16T09:30:00.5Z", "2026-11-16T09:30:00.123456789Z", "0000-01-01T00:00:00Z", "9999-12-28T23:59:59.999999999Z",
		"2026-02-28T00:00:00.000000001Z",
	}
	others := []string{"2026-12-31T09:30:00Z", "2024-02-29T09:30:00.25Z", "2026-11-16T09:30:00+01:00"}
	refused := []string{
		"", "Z", "2026-11-16", "2026-02-29T09:30:00Z", "2026-04-31T09:30:00Z", "2026-13-16T09:30:00Z", "2026-00-16T09:30:00Z", "2026-11-00T09:30:00Z",
		"2026-11-16T24:30:00Z", "2026-11-16T09:60:00Z", "2026-11-16T09:30:60Z", "2026-11-16T09:30:00", "2026-11-16T09:30:00.Z", "2026-11-16T09:30:005Z",
		"2026-11-16 09:30:00Z", "2026-11-16T09:30:00z", "+026-11-16T09:30:00Z", "2026-1a-16T09:30:00Z", "2026-11-16T09:30:00.1x3Z", "2026/11-16T09:30:00Z",
		"2026-11-16T09:30:00.1:3Z", "2026-11-16T09:30:00./Z", "2026-11-16T09:30:00.5ZZ",
	}
	check := func(text string, want bool) {
		t.Helper()
		_, err := time.Parse(time.RFC3339Nano, text)
		e := chain.Entry{Record: []byte(`{"time":"` + text + `","kind":"note","body":1}`)}
		_, skimmed := skim(e)
		_, unwrapped := unwrap(e)
		if (err == nil) != want || (skimmed == nil) != want || (unwrapped == nil) != want {
			t.Errorf("%q: want %v, the library says %v, skim %v, unwrap %v", text, want, err, skimmed, unwrapped)
		}
	}
	for _, text := range plain {
		check(text, true)
		if !plainTime([]byte(text)) {
			t.Errorf("%q has to be read", text)
		}
	}
	for _, text := range others {
		check(text, true)
	}
	for _, text := range refused {
		check(text, false)
	}
}

// A byte of a time that was changed is never taken for one that the library refuses.
func TestEveryByteOfATimeCounts(t *testing.T) {
	const good = "2026-11-16T09:30:00.123456789Z"
	for i := range len(good) {
		for c := range 256 {
			text := []byte(good)
			text[i] = byte(c)
			if _, err := time.Parse(time.RFC3339Nano, string(text)); err != nil && plainTime(text) {
				t.Errorf("%q", text)
			}
		}
	}
}
