package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// segmentSize is how large a segment gets before the next one begins: a few ten
// thousand decisions, which is quick to look through.
const segmentSize = 16 << 20

const segmentSuffix = ".jsonl"

// segmentName is the file that begins with a record.
func segmentName(first int) string { return fmt.Sprintf("%012d", first) + segmentSuffix }

// firstOf is the record that a segment begins with, by its name.
func firstOf(name string) (int, bool) {
	digits, ok := strings.CutSuffix(name, segmentSuffix)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0 && segmentName(n) == name
}

// segments are the names of all segments, in the order of their records.
func segments(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted, and the names are of one length
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the decision log cannot be read: %w", err)
	}
	var names []string
	for _, e := range entries {
		if _, ok := firstOf(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
