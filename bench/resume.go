package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// resumed are the figures of a session of some length that is taken up again.
type resumed struct {
	records int
	bytes   int64 // of the transcript
	// sum: the file is read and its SHA-256 taken; verify: the session is taken up; rest:
	// from then on until the model has the first request.
	sum, verify, rest time.Duration
	request           int64 // bytes
	peak              int64 // of a whole process, bytes
}

// compareResumes takes up sessions of some lengths, round after round.
func compareResumes(lengths []int, rounds int) ([]resumed, error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, source := range map[string]string{"resume": "./resume", "peak": "./peak", "assent": "../cmd/assent"} {
		if err := buildFor(dir, name, source); err != nil {
			return nil, err
		}
	}
	api, err := startModel()
	if err != nil {
		return nil, err
	}
	defer api.close()
	s := &stage{dir: dir, api: api}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	var all []resumed
	for _, n := range lengths {
		r, err := s.resume(n, rounds)
		if err != nil {
			return nil, fmt.Errorf("a session of %d records: %w", n, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// resume makes a session, measures it, and lets a whole process go on with it.
func (s *stage) resume(records, rounds int) (resumed, error) {
	id := fmt.Sprintf("11111111-1111-4111-8111-%012d", records)
	child := func(do string, n int) ([]byte, error) {
		cmd := exec.Command(s.path("resume"), do, s.path("home"), s.path("project"), id, strconv.Itoa(n))
		cmd.Stderr = os.Stderr
		return cmd.Output()
	}
	if _, err := child("make", records); err != nil {
		return resumed{}, err
	}
	defer os.RemoveAll(filepath.Join(s.path("home"), ".assent", "sessions", id))
	out, err := child("measure", rounds)
	if err != nil {
		return resumed{}, err
	}
	var found struct{ Sum, Verify, Rest, Bytes, Request int64 }
	if err := json.Unmarshal(out, &found); err != nil {
		return resumed{}, err
	}
	whole := &contestant{command: []string{s.path("assent"), "-p", "say hello", "--resume", id, "--allowedTools", "Bash(echo:*)"}}
	for range peakRuns {
		s.run(whole, true)
	}
	return resumed{
		records: records, bytes: found.Bytes, sum: time.Duration(found.Sum), verify: time.Duration(found.Verify), rest: time.Duration(found.Rest),
		request: found.Request, peak: whole.peak,
	}, whole.err
}

// peakRuns is how often the memory of a whole process is measured.
const peakRuns = 3

func (r resumed) ratio() float64 { return float64(r.verify) / float64(r.sum) }

func (r *results) writeResumes(b *strings.Builder) {
	if len(r.resumes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Taking up a session\n\n"+
		"Transcripts of calls, results, files that were seen and notes; at most 400 records follow the last compaction. Verification reads every record and\n"+
		"checks its place in the chain; beside it the same file is only read and its SHA-256 taken (= 1). The first request is by the clock, from the end\n"+
		"of the verification until a model on loopback has all of it: it is how long everything from the call until then takes, less the verification that\n"+
		"was measured just before. Medians of %d rounds in turn. The memory is the most that `assent -p --resume` needed for a prompt with one command.\n\n", r.plan.resumeRounds)
	row(b, "records", "transcript", "read + SHA-256", "verified", "ratio", "first request after", "request", "peak memory")
	row(b, "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:")
	for _, f := range r.resumes {
		row(b, thousands(f.records), size(f.bytes), nanoseconds(float64(f.sum)), nanoseconds(float64(f.verify)), fmt.Sprintf("%.2f×", f.ratio()),
			nanoseconds(float64(f.rest)), size(f.request), megabytes(f.peak))
	}
}

func size(bytes int64) string {
	if bytes < 1<<20 {
		return kilobytes(bytes)
	}
	return megabytes(bytes)
}

// resumeBars are about the longest session.
func (r *results) resumeBars() []bar {
	if len(r.resumes) == 0 {
		return nil
	}
	f := r.resumes[len(r.resumes)-1]
	if f.records < resumeBarApplies {
		return nil
	}
	return []bar{
		{fmt.Sprintf("a session of %s records is verified in ≤ 1.5× of read + SHA-256", thousands(f.records)), fmt.Sprintf("%.2f×", f.ratio()), f.ratio() <= mostVerify},
		{"and gone on with in ≤ 64 MB of memory", megabytes(f.peak), f.peak <= mostResumeMemory},
		{"its first model request ≤ 50 ms after the verification", fmt.Sprintf("%.1f ms", f.rest.Seconds()*1e3), f.rest <= mostRest},
	}
}
