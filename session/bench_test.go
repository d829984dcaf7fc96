package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/model"
)

func BenchmarkAppend(b *testing.B) {
	tr := create(b, newStore(b), one)
	m := said(model.User, strings.Repeat("x", 2<<10))
	b.ReportAllocs()
	for b.Loop() {
		if err := tr.Append(Said, m); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkResume opens sessions of which only the last hundred messages count.
func BenchmarkResume(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newStore(b)
			at := s.now()
			first, err := encodeStart(at, Start{Session: one})
			if err != nil {
				b.Fatal(err)
			}
			records := [][]byte{first}
			for i := range n {
				record, err := encode(at, Said, said(model.User, strings.Repeat("x", 1800)))
				if i == n-100 {
					record, err = encode(at, Compacted, Compaction{})
				}
				if err != nil {
					b.Fatal(err)
				}
				records = append(records, record)
			}
			tr, err := s.create(one, records...)
			if err != nil {
				b.Fatal(err)
			}
			_ = tr.Close()
			b.SetBytes(tr.place().Offset)
			b.ReportAllocs()
			for b.Loop() {
				tr, err := s.Resume(one)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := tr.Conversation(); err != nil {
					b.Fatal(err)
				}
				_ = tr.Close()
			}
		})
	}
}
