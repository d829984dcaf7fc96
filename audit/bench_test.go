package audit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/chain"
)

// BenchmarkAppend compares an append with a bare write of the same size to the same
// disk.
func BenchmarkAppend(b *testing.B) {
	b.Run("log", func(b *testing.B) {
		l := newLog(b)
		b.ReportAllocs()
		for b.Loop() {
			add(b, l, decision(1))
		}
	})
	b.Run("a process for each", func(b *testing.B) { // but for its start
		dir := newLog(b).Dir()
		for b.Loop() {
			l := Open(dir)
			add(b, l, decision(1))
			_ = l.Close()
		}
	})
	b.Run("bare", func(b *testing.B) {
		d, err := chain.Open(filepath.Join(b.TempDir(), "bare"), os.O_CREATE)
		must(b, err)
		defer d.Close()
		line := make([]byte, 400)
		for b.Loop() {
			_, err := d.Write(line)
			must(b, err)
			must(b, d.Sync())
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	l := newLog(b)
	fill(b, l, 1000)
	for b.Loop() {
		if r := verify(b, l.Dir()); !r.Whole() {
			b.Fatal(r)
		}
	}
}
