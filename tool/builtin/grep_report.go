package builtin

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/tool"
)

// outputMode is what Grep shows.
type outputMode uint8

const (
	showFiles outputMode = iota
	showContent
	showCount
)

var outputModes = [...]string{showFiles: "files_with_matches", showContent: "content", showCount: "count"}

func modeNamed(name string) outputMode {
	for mode, known := range outputModes {
		if name == known {
			return outputMode(mode)
		}
	}
	return showFiles
}

// reportState is whether a report wants more.
type reportState uint8

const (
	reportOpen reportState = iota
	reportFull
)

// report is what Grep has found so far. It is bounded: what no longer fits ends the
// search.
type report struct {
	mode          outputMode
	limit, offset int
	cwd           string
	// apart: groups of lines are set apart, also from file to file.
	apart bool
	// single: the call names a file, so its name need not stand in front of every line.
	single bool

	text    strings.Builder
	files   []string // those with matches, in the order of the tree
	entries int      // lines or counts so far
	matches int
	newest  newest
	more    bool // something did not fit
}

func newReport(in arguments, cwd string) report {
	r := report{mode: modeNamed(in.text("output_mode")), cwd: cwd, offset: in.count("offset", 0)}
	if r.limit = in.count("head_limit", usualEntries); r.limit == 0 || r.limit > mostEntries {
		r.limit = mostEntries
	}
	r.apart = in.count("-A", 0)+in.count("-B", 0)+in.count("-C", 0)+in.count("context", 0) > 0
	r.newest.most = min(r.offset+r.limit, mostEntries)
	return r
}

// name is a path as it is shown: short where it is below the working directory.
func (r *report) name(path string) string {
	if below, ok := strings.CutPrefix(path, strings.TrimSuffix(r.cwd, "/")+"/"); ok {
		path = below
	}
	return plainName(path)
}

// add reports a file.
func (r *report) add(s *slot) reportState {
	if s.lines.matches == 0 {
		return reportOpen
	}
	switch r.mode {
	case showFiles:
		r.newest.add(dated{path: r.name(s.path), modified: s.info.modified})
	case showCount:
		if r.offset > 0 {
			r.offset--
			return reportOpen
		}
		r.addFile(s)
		r.matches += s.lines.matches
		return r.line(fmt.Sprintf("%s:%d", r.name(s.path), s.lines.matches))
	case showContent:
		return r.content(s)
	}
	return reportOpen
}

func (r *report) addFile(s *slot) { r.files = append(r.files, r.name(s.path)) }

func (r *report) content(s *slot) reportState {
	if len(s.lines.shown) == 0 {
		return reportOpen // its lines are among those to leave out
	}
	if r.apart && r.entries > 0 {
		r.text.WriteString(separator + "\n")
	}
	r.addFile(s)
	for _, line := range s.lines.shown {
		text := line.text
		if !r.single && line.mark != 0 {
			text = r.name(s.path) + string(line.mark) + text
		}
		if r.line(text) == reportFull {
			return reportFull
		}
	}
	return reportOpen
}

// line adds an entry if it still fits.
func (r *report) line(text string) reportState {
	if r.entries >= r.limit || r.text.Len()+len(text) > mostOutput {
		r.more = true
		return reportFull
	}
	r.entries++
	r.text.WriteString(text)
	r.text.WriteByte('\n')
	return reportOpen
}

// grepData is the result for programs.
type grepData struct {
	Mode    string   `json:"mode"`
	Count   int      `json:"numFiles"`
	Files   []string `json:"filenames"`
	Content string   `json:"content,omitzero"`
	Lines   int      `json:"numLines,omitzero"`
	Matches int      `json:"numMatches,omitzero"`
	Limit   int      `json:"appliedLimit,omitzero"`
	Offset  int      `json:"appliedOffset,omitzero"`
}

func (r *report) result(t *tally, offset int) tool.Result {
	var notes []string
	out := grepData{Mode: outputModes[r.mode], Offset: offset}
	if r.mode == showFiles {
		notes = r.finishFiles()
	} else if r.more {
		notes = []string{fmt.Sprintf("There is more: go on with offset %d, or narrow the search.", offset+r.entries)}
	}
	if r.more {
		out.Limit = r.limit
	}
	text := r.text.String()
	switch r.mode {
	case showFiles:
		out.Files, out.Count = r.files, len(r.files)
	case showContent:
		out.Files, out.Count, out.Content, out.Lines = r.files, len(r.files), text, r.entries
	case showCount:
		out.Files, out.Count, out.Content, out.Matches = r.files, len(r.files), text, r.matches
	}
	if text == "" {
		text = "No matches found"
	}
	result := tool.Succeed(withNotes(strings.TrimSuffix(text, "\n"), append(notes, t.notes()...)))
	result.Data = data(out)
	return result
}

// finishFiles puts the files in order, the newest first.
func (r *report) finishFiles() (notes []string) {
	paths := r.newest.paths()
	for _, path := range paths[min(r.offset, len(paths)):] {
		if r.line(path) == reportFull {
			break
		}
		r.files = append(r.files, path)
	}
	if hidden := r.newest.total - r.offset - len(r.files); hidden > 0 {
		r.more = true
		return []string{fmt.Sprintf("%d more files match: go on with offset %d, or narrow the search.", hidden, r.offset+len(r.files))}
	}
	return nil
}
