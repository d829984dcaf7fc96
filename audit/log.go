package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// ErrTampered is in the error for a log that is not as it was left. Nothing is written
// to it until a person has looked.
var ErrTampered = errors.New("the decision log was changed")

// Log is where decisions are recorded. It is safe for concurrent use, in as many
// processes as there are.
type Log struct {
	dir  string
	size int64 // of a segment
	// through lets tests stand between the log and its file.
	through func(chain.File) chain.File

	mu     sync.Mutex
	known  int // the highest number that the head has had
	at     head
	disk   chain.Disk
	log    *chain.Log // nil: no segment is open
	broken error
}

// Open is the log in a directory. Nothing is read or made before the first record.
func Open(dir string) *Log {
	return &Log{dir: dir, size: segmentSize, through: func(f chain.File) chain.File { return f }}
}

// Dir is where the log lies.
func (l *Log) Dir() string { return l.dir }

// patience is how long an append waits for others; each needs a fraction of a
// millisecond.
const patience = 30 * time.Second

// Append records a decision; without a time it gets the present one. When Append
// returns without an error the record is on the disk.
//
// After an error a call that was decided must not run: nobody could tell of it. When
// the disk has failed every later Append fails, too.
func (l *Log) Append(r Record) error {
	if r.Time.IsZero() {
		r.Time = time.Now()
	}
	body, err := strictjson.Marshal(r.wellFormed())
	if err != nil {
		return fmt.Errorf("the decision cannot be recorded: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.explain(fmt.Errorf("%w: %w", chain.ErrBroken, l.broken))
	}
	if err := l.append(body); err != nil {
		return l.explain(err)
	}
	return nil
}

// explain says what a person can do.
func (l *Log) explain(err error) error {
	if errors.Is(err, ErrTampered) {
		return fmt.Errorf("%w (`assent audit verify` tells more; to begin a new log move %s to another place)", err, l.dir)
	}
	return fmt.Errorf("the decision log cannot be written: %w (see that the disk is not full and %s can be written)", err, l.dir)
}

func (l *Log) append(body []byte) error {
	if err := durable.MakeDir(l.dir, 0o700); err != nil {
		return err
	}
	unlock, err := durable.Lock(filepath.Join(l.dir, lockName), "the decision log", patience)
	if err != nil {
		return err
	}
	defer unlock()
	if err := l.catchUp(); err != nil {
		return err
	}
	if l.at.Offset >= l.size {
		if err := l.openSegment(head{Position: chain.Position{Link: l.at.Link}, segment: segmentName(l.at.Number + 1)}); err != nil {
			return err
		}
	}
	end, err := l.log.Append(body)
	if err != nil {
		if !errors.Is(err, chain.ErrUnfit) {
			l.broken = err
		}
		return err
	}
	l.at.Position = end
	if err := l.at.write(l.dir); err != nil {
		l.broken = err
		return err
	}
	l.known = end.Number
	return nil
}

// catchUp opens the end of the log. Records behind the head are those of processes
// that died before they had written the head: they follow from it, or the log was
// changed.
func (l *Log) catchUp() error {
	h, err := currentHead(l.dir, l.known)
	if err != nil {
		return err
	}
	if h.Number < l.known {
		return fmt.Errorf("%w: its head stands at record %d, and has stood at record %d", ErrTampered, h.Number, l.known)
	}
	l.known = h.Number
	if l.log != nil && h == l.at && l.isCurrent() {
		return nil
	}
	for {
		if err := l.openSegment(h); err != nil {
			return err
		}
		next := segmentName(l.at.Number + 1)
		if _, err := os.Lstat(filepath.Join(l.dir, next)); next == l.at.segment || err != nil {
			return nil
		}
		h = head{Position: chain.Position{Link: l.at.Link}, segment: next}
	}
}

// isCurrent: the segment that is open is still the file of that name, and nobody has
// added to it.
func (l *Log) isCurrent() bool {
	ours, err := l.disk.Stat()
	if err != nil || ours.Size() != l.at.Offset {
		return false
	}
	named, err := os.Lstat(filepath.Join(l.dir, l.at.segment))
	return err == nil && os.SameFile(ours, named)
}

// openSegment opens a segment at a place in it and goes to its end.
func (l *Log) openSegment(h head) error {
	l.close()
	path := filepath.Join(l.dir, h.segment)
	disk, err := chain.Open(path, 0)
	if errors.Is(err, fs.ErrNotExist) && h.Offset == 0 {
		// An empty file in place of none; its name lasts before anything is in it.
		if err := durable.Replace(path, nil, 0o600, ""); err != nil {
			return err
		}
		disk, err = chain.Open(path, 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: its segment %s is gone", ErrTampered, h.segment)
	}
	if err != nil {
		return err
	}
	end, err := chain.Recover(disk, h.Position, nil)
	if err == nil {
		err = h.check(disk)
	}
	if err != nil {
		_ = disk.Close()
		if f, ok := errors.AsType[*chain.Fault](err); ok {
			return fmt.Errorf("%w: %s behind record %d: %s", ErrTampered, h.segment, h.Number, f.Text())
		}
		return err
	}
	l.disk, l.log = disk, chain.NewLog(l.through(disk), end)
	l.at = head{Position: end, segment: h.segment}
	return nil
}

func (l *Log) close() {
	if l.log != nil {
		_ = l.log.Close() // everything in it is on the disk
		l.log = nil
	}
}

// Close closes the log. An Append opens it again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.close()
	return nil
}

// wellFormed makes texts of what may be any bytes, as the names of files are.
func (r Record) wellFormed() Record {
	for _, text := range []*string{
		&r.Session, &r.Agent, &r.ToolUseID, &r.Tool, &r.Digest, &r.Summary, &r.Cwd, &r.Mode, &r.Decision, &r.Stage,
		&r.Kind, &r.Reason, &r.Rule, &r.File, &r.Who, &r.Input.Text, &r.Input.Tail, &r.Asked.Text, &r.Asked.Tail,
	} {
		*text = wellFormed(*text)
	}
	r.Losers = wellFormedAll(r.Losers)
	hooks := make([]Hook, len(r.Hooks))
	for i, h := range r.Hooks {
		for _, text := range []*string{&h.Name, &h.Outcome, &h.Said, &h.Before, &h.After} {
			*text = wellFormed(*text)
		}
		h.Changed = wellFormedAll(h.Changed)
		hooks[i] = h
	}
	if r.Hooks != nil {
		r.Hooks = hooks
	}
	return r
}

func wellFormed(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

func wellFormedAll(texts []string) []string {
	if texts == nil {
		return nil
	}
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = wellFormed(text)
	}
	return all
}
