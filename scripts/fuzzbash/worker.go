//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// figures are what all workers have done.
type figures struct {
	judged, allowed atomic.Int64
	ran             []atomic.Int64 // by shell

	mu     sync.Mutex
	total  int // findings
	report report
	// minimised counts by source: what one rule of the grammar finds again and again is looked
	// at a few times only.
	minimised map[string]int
}

// enough is how often what a source finds is minimised.
const enough = 12

// worker makes, judges and runs scripts.
type worker struct {
	lookout
	generator
	figures *figures
	shells  []*shell
	seen    map[uint64]struct{} // what has run already
	hash    maphash.Seed
	// now is the script that is being judged, in a file that survives this process.
	now []byte
	// began is when that was, 0 between two judgements.
	began  atomic.Int64
	source atomic.Value // where the script comes from
}

// maxNow bounds what is written there.
const maxNow = 1 << 20

// newWorker makes a worker; without a sandbox it only judges.
func newWorker(root string, index int, s *sandbox, seed uint64, f *figures, shells []*shell) (*worker, error) {
	j, err := newJudge()
	if err != nil {
		return nil, err
	}
	w := &worker{lookout: lookout{j, s}, generator: generator{rng: rand.New(rand.NewPCG(seed, uint64(index)))}, figures: f, shells: shells, seen: map[uint64]struct{}{}, hash: maphash.MakeSeed()}
	file, err := os.OpenFile(noteOf(root, index), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := file.Truncate(maxNow); err != nil {
		return nil, err
	}
	w.now, err = unix.Mmap(int(file.Fd()), 0, maxNow, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return w, err
}

// work goes on until the time is up.
func (w *worker) work(until time.Time) error {
	for time.Now().Before(until) {
		if err := w.one(w.next()); err != nil {
			return err
		}
	}
	return nil
}

// one judges a script, and runs it in one of the shells if it is allowed and new.
func (w *worker) one(s sample) error {
	return w.in(w.shellFor(s.script), s)
}

// shellFor chooses where a script runs: what sh is matters only where it is started.
func (w *worker) shellFor(script string) *shell {
	sh := w.shells[w.rng.IntN(len(w.shells))]
	if sh.name == "dash" && !strings.Contains(script, "sh") {
		return w.shells[0]
	}
	return sh
}

func (w *worker) in(sh *shell, s sample) error {
	w.note(s)
	v, crash := w.judge.script(s.script, sh)
	w.began.Store(0)
	w.figures.judged.Add(1)
	if crash != nil {
		w.figures.add(finding{kind: "crash", what: crash.Error(), shell: sh, script: s.script, source: s.source})
		return nil
	}
	if v == nil || !v.allowed() {
		return nil
	}
	w.figures.allowed.Add(1)
	key := maphash.String(w.hash, s.script)
	if _, again := w.seen[key]; again {
		return nil
	}
	w.seen[key] = struct{}{}
	_, ran, f, err := w.try(sh, s.script)
	if ran {
		w.figures.count(sh)
	}
	if f == nil || err != nil {
		return err
	}
	f.source = s.source
	return w.found(*f)
}

func (w *worker) found(f finding) error {
	if !w.figures.worthwhile(f.source + f.kind) {
		return nil
	}
	small, err := w.minimise(f)
	if err != nil {
		return err
	}
	w.figures.add(small)
	return nil
}

func noteOf(root string, worker int) string { return fmt.Sprintf("%s/now-%d", root, worker) }

// note writes down what is judged now.
func (w *worker) note(s sample) {
	w.source.Store(s.source)
	n := copy(w.now[4:], s.script)
	binary.BigEndian.PutUint32(w.now, uint32(n))
	w.began.Store(time.Now().UnixNano())
}

// noted reads what a worker has written down.
func noted(path string) string {
	text, err := os.ReadFile(path)
	if err != nil || len(text) < 4 {
		return ""
	}
	return string(text[4:][:binary.BigEndian.Uint32(text)])
}

func (f *figures) count(sh *shell) {
	for i := range shells {
		if &shells[i] == sh {
			f.ran[i].Add(1)
		}
	}
}

// worthwhile counts a finding and reports whether it is to be minimised.
func (f *figures) worthwhile(source string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.total++
	if f.minimised == nil {
		f.minimised = map[string]int{}
	}
	f.minimised[source]++
	return f.minimised[source] <= enough
}

func (f *figures) add(found finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found.kind == "crash" {
		f.total++
	}
	if f.report.add(found) {
		fmt.Println(found) // at once: a long run may be stopped
	}
}

func (f *figures) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "judged %d, allowed %d, run", f.judged.Load(), f.allowed.Load())
	for i := range f.ran {
		if n := f.ran[i].Load(); n > 0 {
			fmt.Fprintf(&b, " %s %d", shells[i].name, n)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	fmt.Fprintf(&b, ", findings %d in %d classes", f.total, len(f.report.first))
	return b.String()
}
