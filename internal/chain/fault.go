package chain

import "fmt"

// FaultKind says what is wrong with a line.
type FaultKind uint8

// The kinds of fault.
const (
	// Torn: the file ends within a line, as it does when a process dies while it
	// writes. What was acknowledged is whole.
	Torn FaultKind = iota + 1
	// Unended: the last line is whole but for its line feed.
	Unended
	// Malformed: the line is none that this package has written.
	Malformed
	// TooLong: the line is longer than any that this package has written.
	TooLong
	// Altered: the sum is wrong: this record or the one before it was changed.
	Altered
	// Missing: the number is too high: records were removed.
	Missing
	// Misplaced: the number is too low: lines were moved or repeated.
	Misplaced
	// Cut: the file ends before a place that was in it.
	Cut
	// Exchanged: another record stands at a place that was in the file.
	Exchanged
)

// Fault is a line that is not as it was written.
type Fault struct {
	Kind FaultKind
	// Line counts from 1 where the reading began, Offset is where the line starts.
	Line   int
	Offset int64
	// Want is the number of the record that should stand there, Found the one that does.
	Want, Found int
}

func (f *Fault) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.Text()) }

// Text is what is wrong, without the place.
func (f *Fault) Text() string {
	switch f.Kind {
	case Torn, Unended:
		return fmt.Sprintf("the line of record %d is incomplete: a process ended while it wrote", f.Want)
	case Malformed:
		return fmt.Sprintf("there should be record %d, but the line is damaged", f.Want)
	case TooLong:
		return fmt.Sprintf("there should be record %d, but the line is longer than %d MiB", f.Want, MaxRecord>>20)
	case Altered:
		return fmt.Sprintf("record %d does not follow from the one before it: one of the two was changed", f.Want)
	case Missing:
		if f.Found-1 == f.Want {
			return fmt.Sprintf("record %d is missing before record %d", f.Want, f.Found)
		}
		return fmt.Sprintf("records %d to %d are missing before record %d", f.Want, f.Found-1, f.Found)
	case Misplaced:
		return fmt.Sprintf("record %d stands where record %d should: lines were moved or repeated", f.Found, f.Want)
	case Cut:
		return fmt.Sprintf("the file ends early: record %d and perhaps more were cut off", f.Want)
	case Exchanged:
		return fmt.Sprintf("record %d is another one than was noted: it or one before it was changed, or the file was made anew", f.Want)
	}
	return fmt.Sprintf("fault %d", f.Kind)
}
