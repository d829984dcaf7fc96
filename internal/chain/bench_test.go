package chain

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func BenchmarkAppend(b *testing.B) {
	record := []byte(`"` + strings.Repeat("x", 2<<10) + `"`)
	for _, kind := range []string{"chain", "bare"} {
		b.Run(kind, func(b *testing.B) {
			d, err := Open(filepath.Join(b.TempDir(), "chain.jsonl"), os.O_CREATE)
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			l := NewLog(d, Position{})
			b.ReportAllocs()
			for b.Loop() {
				if kind == "chain" {
					_, err = l.Append(record)
				} else if _, err = d.Write(record); err == nil {
					err = d.Sync()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRead compares reading and proving with a plain sum over the same bytes.
func BenchmarkRead(b *testing.B) {
	record := []byte(`"` + strings.Repeat("x", 1800) + `"`)
	var data []byte
	at, sums := Link{}, newSummer()
	for range 10_000 {
		at = sums.next(at, record)
		data = appendLine(data, at, record)
	}
	b.Run("chain", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range NewReader(bytes.NewReader(data), Position{}).All() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("sum", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			sha256.Sum256(data)
		}
	})
}
