package foreign

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// records say what was added to which file. They lie in the state directory, because
// a configuration file has no place for them.
type records struct {
	Files []record `json:"files"`
}

// record is about one file.
type record struct {
	Path    string   `json:"path"`             // the file when links are followed
	Created bool     `json:"created,omitzero"` // it was not there before
	Dirs    []string `json:"dirs,omitzero"`    // directories that were made for it, outermost first
	Steps   []Step   `json:"steps"`
}

func recordsFile(stateDir string) string { return filepath.Join(stateDir, "init.json") }

func readRecords(stateDir string) (records, error) {
	var all records
	file := recordsFile(stateDir)
	text, err := readFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err == nil:
		err = strictjson.UnmarshalKnown(text, &all)
	}
	if err != nil {
		return all, fmt.Errorf("%s cannot be read: %w (move it away; undoing then looks for the guard itself)", file, err)
	}
	return all, nil
}

func (all records) save(stateDir string) error {
	text, err := strictjson.MarshalIndent(all)
	if err != nil {
		return err
	}
	return durable.Replace(recordsFile(stateDir), append(text, '\n'), 0o600, filepath.Join(stateDir, "tmp"))
}

// of is the record of a file, an empty one if there is none.
func (all records) of(path string) record {
	i := slices.IndexFunc(all.Files, func(r record) bool { return r.Path == path })
	if i < 0 {
		return record{Path: path}
	}
	return all.Files[i]
}

// with is the same with other records for their files. One without steps goes.
func (all records) with(changed []record) records {
	out := records{Files: slices.Clone(all.Files)}
	for _, r := range changed {
		out.Files = slices.DeleteFunc(out.Files, func(other record) bool { return other.Path == r.Path })
		if len(r.Steps) > 0 {
			out.Files = append(out.Files, r)
		}
	}
	return out
}
