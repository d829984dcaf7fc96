package chain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// File is what a [Log] needs of a file that is open for appending.
type File interface {
	io.Writer
	// Sync returns when everything that was written is on the disk.
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Log appends records. It is safe for concurrent use.
type Log struct {
	mu     sync.Mutex
	file   File
	at     Position
	sums   *summer
	buffer []byte
	broken error
	watch  func(Position) error
}

// NewLog appends behind the last record of a file.
func NewLog(f File, end Position) *Log { return &Log{file: f, at: end, sums: newSummer()} }

// Watch has check look at the file before each append, which is told where the log
// believes its end to be. An error of it ends the log like a failure of the disk, but
// the file is left as it is: it is then somebody else's. Nil ends the watch.
func (l *Log) Watch(check func(end Position) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watch = check
}

// Lines are the lines of a new file, for whoever puts one in its place as a whole.
func Lines(records ...[]byte) ([]byte, error) {
	var lines []byte
	at, sums := Link{}, newSummer()
	for _, record := range records {
		if err := fit(record); err != nil {
			return nil, err
		}
		at = sums.next(at, record)
		lines = appendLine(lines, at, record)
	}
	return lines, nil
}

// ErrBroken is in the error of every append after one that failed: what is on the
// disk is then not known, so nothing may follow it.
var ErrBroken = errors.New("an earlier record could not be written")

// ErrUnfit is in the error for a record that cannot be kept. Nothing was written, and
// the log is as good as before.
var ErrUnfit = errors.New("the record cannot be kept")

// Append writes records; when it returns without an error they are on the disk. With
// an error none of them counts as written, though after a failure of the disk they may
// be found when the file is opened again.
func (l *Log) Append(records ...[]byte) (Position, error) {
	return l.add(l.file.Sync, records)
}

// Write is [Log.Append] for records on which nothing depends yet: they are in the file, and
// on the disk with the next append, or with [Log.Sync].
func (l *Log) Write(records ...[]byte) (Position, error) {
	return l.add(func() error { return nil }, records)
}

// Sync returns when everything that was written is on the disk. When it fails nothing can
// be appended any more.
func (l *Log) Sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return fmt.Errorf("%w: %w", ErrBroken, l.broken)
	}
	l.broken = l.file.Sync()
	return l.broken
}

func (l *Log) add(sync func() error, records [][]byte) (Position, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.at, fmt.Errorf("%w: %w", ErrBroken, l.broken)
	}
	end, lines := l.at, l.buffer[:0]
	for _, record := range records {
		if err := fit(record); err != nil {
			return l.at, err
		}
		end.Link = l.sums.next(end.Link, record)
		lines = appendLine(lines, end.Link, record)
	}
	end.Offset += int64(len(lines))
	if l.buffer = lines; cap(lines) > keptBuffer {
		l.buffer = nil
	}
	if l.watch != nil {
		if err := l.watch(l.at); err != nil {
			l.broken = err
			return l.at, err
		}
	}
	if err := l.write(lines, sync); err != nil {
		l.broken = err
		// Without the torn line the next one who opens the file has less to do. It does
		// as well with it.
		_ = l.file.Truncate(l.at.Offset)
		return l.at, err
	}
	l.at = end
	return end, nil
}

// keptBuffer is how much memory a log keeps for the next record.
const keptBuffer = 64 << 10

// fit refuses what would not be one line, or none that can be read again.
func fit(record []byte) error {
	switch {
	case len(record) == 0:
		return fmt.Errorf("%w: it is empty", ErrUnfit)
	case len(record) > MaxRecord:
		return fmt.Errorf("%w: it has %d bytes, more than the limit of %d MiB", ErrUnfit, len(record), MaxRecord>>20)
	case bytes.IndexByte(record, '\n') >= 0:
		return fmt.Errorf("%w: it contains a line feed", ErrUnfit)
	}
	return nil
}

func (l *Log) write(lines []byte, sync func() error) error {
	n, err := l.file.Write(lines)
	if err == nil && n < len(lines) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return err
	}
	return sync()
}

// At is the place behind the last record.
func (l *Log) At() Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at
}

// Close closes the file. What was appended is on the disk already.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		l.broken = errors.New("it is closed")
	}
	return l.file.Close()
}
