package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// ErrNone is in the error for a directory without a log.
var ErrNone = errors.New("there is no decision log")

// Report is what [Verify] has found.
type Report struct {
	Dir      string `json:"dir"`
	Records  int    `json:"records"`
	Segments int    `json:"segments"`
	Bytes    int64  `json:"bytes"`
	// First and Last are the times of the first and the last record.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	// Head is number and sum of the last record: kept elsewhere, it proves later that
	// the log up to there is still the same.
	Head     string    `json:"head"`
	Findings []Finding `json:"findings"`
	// Notes are what a crash has left and the next append makes good.
	Notes []string `json:"notes"`
}

// Whole: everything is as it was written.
func (r Report) Whole() bool { return len(r.Findings) == 0 }

// Finding is a place where the log is not as it was written.
type Finding struct {
	// File is empty when it is about the log as a whole.
	File string `json:"file"`
	Line int    `json:"line,omitzero"`
	Text string `json:"text"`
}

func (f Finding) String() string {
	switch {
	case f.File == "":
		return f.Text
	case f.Line == 0:
		return f.File + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// Verify reads a log from its beginning to the end that it has now; others may write
// meanwhile. The error is for what cannot be read; what was changed is in the report.
//
// The files of a log prove nothing against somebody who writes all of them: an older
// copy, or one made anew, is whole. It is a finding only when it lacks a record whose
// head was noted elsewhere.
func Verify(dir string, noted ...Head) (Report, error) {
	v := verifier{Report: Report{Dir: dir, Findings: []Finding{}, Notes: []string{}}, noted: noted, seen: make([]bool, len(noted))}
	s, err := takeSnapshot(dir)
	if errors.Is(err, ErrNone) && v.expects() {
		v.Head = v.at.String()
		v.judgeNoted()
		return v.Report, nil
	}
	if err != nil {
		return v.Report, err
	}
	v.head, v.Segments = s.head, len(s.segments)
	for i, segment := range s.segments {
		if err := v.segment(segment, i == len(s.segments)-1); err != nil {
			return v.Report, fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, segment.name), err)
		}
	}
	v.judgeHead(s.headErr)
	v.judgeNoted()
	v.Head = v.at.String()
	if v.Records > 0 {
		v.Last = timeOf(v.lastRecord)
	}
	return v.Report, nil
}

// snapshot is what belongs to a log at one moment.
type snapshot struct {
	head     head
	headErr  error
	segments []segmentFile
}

type segmentFile struct {
	name string
	size int64
}

// takeSnapshot takes it while nobody writes. A log that this process may only read can
// be verified, too.
func takeSnapshot(dir string) (s snapshot, err error) {
	lock := filepath.Join(dir, lockName)
	if _, err := os.Lstat(lock); err == nil {
		unlock, err := durable.Lock(lock, "the decision log", patience)
		switch {
		case err == nil:
			defer unlock()
		case !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS):
			return s, err
		}
	}
	names, err := segments(dir)
	if err != nil {
		return s, err
	}
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			return s, err
		}
		s.segments = append(s.segments, segmentFile{name, info.Size()})
	}
	s.head, s.headErr = readHead(dir)
	if len(names) == 0 && errors.Is(s.headErr, fs.ErrNotExist) {
		return s, fmt.Errorf("%w in %s", ErrNone, dir)
	}
	return s, nil
}

// maxFindings is how many places are listed; nobody reads more.
const maxFindings = 100

type verifier struct {
	Report
	head head
	// at is the last record that was read, highest the highest number among all.
	at      chain.Link
	highest int
	// headHeld: the record of the head was among them, headPlaced: where the head says.
	headHeld, headPlaced bool
	lastRecord           []byte
	// noted are heads from elsewhere, seen those whose record was among them.
	noted []Head
	seen  []bool
}

func (v *verifier) find(file string, line int, format string, args ...any) {
	if len(v.Findings) < maxFindings {
		v.Findings = append(v.Findings, Finding{file, line, fmt.Sprintf(format, args...)})
	}
}

// segment reads one segment, past all faults.
func (v *verifier) segment(s segmentFile, isLast bool) error {
	disk, err := chain.OpenToRead(filepath.Join(v.Dir, s.name))
	if err != nil {
		return err
	}
	defer disk.Close()
	v.Bytes += s.size
	in := chain.NewReader(io.NewSectionReader(disk, 0, s.size), chain.Position{Link: v.at})
	if first, _ := firstOf(s.name); first > v.at.Number+1 {
		v.find(s.name, 0, "records %d to %d are missing before this segment: a segment was removed, or the end of the one before", v.at.Number+1, first-1)
		in.Skip(first - 1)
	}
	for {
		e, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		f, isFault := errors.AsType[*chain.Fault](err)
		switch {
		case isLast && unfinished(err):
			v.Notes = append(v.Notes, fmt.Sprintf("%s:%d: %s; the next append makes it good", s.name, f.Line, f.Text()))
		case isFault:
			v.find(s.name, f.Line, "%s", f.Text())
		case err != nil:
			return err
		default:
			v.take(e)
		}
		// A record whose place is wrong is in the log all the same.
		v.pass(s.name, in.At())
	}
}

func (v *verifier) take(e chain.Entry) {
	if v.Records++; v.Records == 1 {
		v.First = timeOf(e.Record)
	}
	v.lastRecord = append(v.lastRecord[:0], e.Record...)
}

// pass goes past a line and notices the one that the head stands for.
func (v *verifier) pass(segment string, at chain.Position) {
	v.at, v.highest = at.Link, max(v.highest, at.Number)
	v.note(at.Link)
	v.headHeld = v.headHeld || at.Link == v.head.Link
	v.headPlaced = v.headPlaced || head{at, segment} == v.head
}

// judgeHead compares the head with what was read.
func (v *verifier) judgeHead(err error) {
	ahead := v.head.Number - v.highest
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.find(headName, 0, "the head is gone: nobody can tell whether the end of the log was cut off")
	case err != nil:
		v.find(headName, 0, "the head cannot be read, so nobody can tell whether the end of the log was cut off: %v", err)
	case ahead == 1:
		v.find(headName, 0, "the log ends with record %d, but the head knows of record %d: it was cut off", v.highest, v.head.Number)
	case ahead > 0:
		v.find(headName, 0, "the log ends with record %d, but the head knows of record %d: %d records were cut off", v.highest, v.head.Number, ahead)
	case v.head.Number > 0 && !v.headHeld:
		v.find(headName, 0, "the head stands for another record %d than the one in the log: one of the two was replaced", v.head.Number)
	case v.head.Number > 0 && !v.headPlaced && v.Whole(): // a change of a length has moved it
		v.find(headName, 0, "the head looks for record %d in another place than where it is: the head was changed", v.head.Number)
	case ahead < 0:
		v.Notes = append(v.Notes, fmt.Sprintf("%s: the head stands at record %d of %d: a process ended before it had written it; the next append makes it good", headName, v.head.Number, v.highest))
	}
}

func timeOf(record []byte) time.Time {
	var r struct {
		Time time.Time `json:"time"`
	}
	_ = strictjson.Unmarshal(record, &r) // a record without a time has none
	return r.Time
}
