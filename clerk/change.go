package clerk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// FileChange is what a call would do to a file as it is now.
type FileChange = approval.FileChange

// maxChange is how many lines of a difference are shown.
const maxChange = 400

// writing is the input of Edit or Write.
type writing struct {
	Path    *string `json:"file_path"`
	Content *string `json:"content"`
	Old     *string `json:"old_string"`
	New     *string `json:"new_string"`
	All     bool    `json:"replace_all"`
}

// writingOf is the input of a call, and whether it is one that writes, or edits, a file.
func writingOf(c approval.Call) (in writing, writes, edits bool) {
	if strictjson.Unmarshal(c.Input, &in) != nil || in.Path == nil {
		return in, false, false
	}
	return in, c.Tool == "Write" && in.Content != nil, c.Tool == "Edit" && in.Old != nil && in.New != nil
}

// Change is what Edit or Write would do to a file as it is now; nil for other calls.
func Change(c approval.Call) *FileChange {
	in, writes, edits := writingOf(c)
	if !writes && !edits {
		return nil
	}
	f := &FileChange{Path: *in.Path, Lines: []string{}}
	path := *in.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Cwd, path)
	}
	if writes {
		overwrite(f, path, *in.Content)
	} else {
		edit(f, path, *in.Old, *in.New, in.All)
	}
	return sealed(f)
}

// sealed is a change with the digest of all that it says.
func sealed(f *FileChange) *FileChange {
	f.Digest = digestOf(f.Path, f.Note, f.Digest)
	return f
}

// digestOf tells lists of texts apart.
func digestOf(texts ...string) string {
	sum := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(sum, "%d:%s", len(text), text)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// Unseen is why the file of a call was not looked at.
type Unseen uint8

// The reasons for which a file is not looked at.
const (
	Bygone    Unseen = iota // the call is over, and the file may be another one by now
	Elsewhere               // the call may run on another machine, where its file is another one
	NotParked               // the parked call does not lead to it, and nobody gets to read it by an input of his own
)

var unseen = [...]string{
	Bygone:    "this is what the call was for; the file as it is now was not looked at",
	Elsewhere: "this is what the call is for; the file may be on another machine, and was not looked at",
	NotParked: "the file was not looked at, because it is none of those to which the parked call leads",
}

func (u Unseen) String() string { return unseen[u] }

// Wanted is what Edit or Write is to do, without a look at the file; nil for other calls.
func Wanted(c approval.Call, why Unseen) *FileChange {
	in, writes, edits := writingOf(c)
	if !writes && !edits {
		return nil
	}
	f := &FileChange{Path: *in.Path, Lines: []string{}, Note: why.String()}
	if writes {
		compare(f, "", *in.Content)
	} else {
		compare(f, *in.Old, *in.New)
	}
	return sealed(f)
}

// ChangeBy is what a call that stands for a matter would do to its file: that of the matter, or one with
// another input, as the rules have judged it. The file is looked at if the call runs on this machine, and if it
// is one to which the parked call leads: people look at calls, and not, by an input of their own, at the disk.
func (m *Matter) ChangeBy(call approval.Call, j *policy.Judgement, here bool) *FileChange {
	switch {
	case !here:
		return Wanted(call, Elsewhere)
	case !bytes.Equal(call.Input, m.Call.Input) && !m.keepsPlaces(j):
		return Wanted(call, NotParked)
	}
	return Change(call)
}

// ChangeNow is what the call of a matter would do to its file as that is now; nil for one that changes none.
func (c *Clerk) ChangeNow(m Matter) *FileChange { return m.ChangeBy(m.Call, nil, RunsHere(c.store)) }

// keepsPlaces: a call that was judged leads to files of the parked one, and to no others.
func (m *Matter) keepsPlaces(j *policy.Judgement) bool {
	if j == nil || j.Call == nil {
		return false
	}
	now, parked := j.Call.Places(), m.Places()
	return len(now) > 0 && !slices.ContainsFunc(now, func(place string) bool { return !slices.Contains(parked, place) })
}

func overwrite(f *FileChange, path, content string) {
	now, err := readNow(path)
	switch {
	case err != nil && absent(path):
		f.Note = "the file does not exist yet"
	case err != nil:
		f.Note = "the file cannot be read: " + err.Error()
	case string(now) == content:
		f.Note = "the file holds exactly that already"
		return
	}
	compare(f, string(now), content)
}

func edit(f *FileChange, path, before, after string, all bool) {
	data, err := readNow(path)
	if err != nil {
		f.Note = "the file cannot be read, so the call would fail: " + err.Error()
		compare(f, before, after)
		return
	}
	now := strings.ReplaceAll(string(data), "\r\n", "\n") // line endings stay as they are
	before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
	n := strings.Count(now, before)
	switch {
	case before == "" || n == 0:
		f.Note = "the text to be replaced is not in the file, so the call would fail, or find another text that comes near it"
		compare(f, before, after)
		return
	case n > 1 && !all:
		f.Note = fmt.Sprintf("the text to be replaced is in the file %d times, so the call would fail", n)
		compare(f, before, after)
		return
	}
	compare(f, now, strings.ReplaceAll(now, before, after))
}

func compare(f *FileChange, before, after string) {
	lines := difference(linesOf(before), linesOf(after))
	f.Digest = digestOf(lines...)
	if len(lines) > maxChange {
		more := len(lines) - maxChange
		f.Of = len(lines)
		lines = append(lines[:maxChange:maxChange], fmt.Sprintf("… and %d more lines", more))
	}
	for i := range lines {
		lines[i] = policy.WellFormed(lines[i])
	}
	f.Lines = append(f.Lines, lines...)
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// around is how many lines that stay are shown beside a change.
const around = 3

// maxCompared is how many pairs of lines are compared. Beyond it the whole middle stands
// as removed and added: longer, and as true.
const maxCompared = 1 << 20

// difference is what makes one list of lines of another.
func difference(before, after []string) []string {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var all []string
	if head > around {
		all = append(all, "…")
	}
	all = marked(all, " ", before[max(0, head-around):head])
	all = append(all, middle(before[head:len(before)-tail], after[head:len(after)-tail])...)
	rest := before[len(before)-tail:]
	all = marked(all, " ", rest[:min(around, tail)])
	if tail > around {
		all = append(all, "…")
	}
	return all
}

func marked(all []string, mark string, lines []string) []string {
	for _, line := range lines {
		all = append(all, mark+line)
	}
	return all
}

// middle compares every line with every other: common[i][j] is how many lines the ends
// from i and j have in common.
func middle(before, after []string) []string {
	if len(before)*len(after) > maxCompared {
		return marked(marked(nil, "-", before), "+", after)
	}
	common := make([][]int, len(before)+1)
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var all []string
	for i, j := 0, 0; i < len(before) || j < len(after); {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			all = append(all, " "+before[i])
			i, j = i+1, j+1
		case j == len(after) || i < len(before) && common[i+1][j] >= common[i][j+1]:
			all = append(all, "-"+before[i])
			i++
		default:
			all = append(all, "+"+after[j])
			j++
		}
	}
	return all
}
