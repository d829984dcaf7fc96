package custom

import "fmt"

// Fault is something in a file that a person has to mend.
type Fault struct {
	File string
	Line int // from 1; 0 when it is about the whole file
	Text string
}

func (f *Fault) Error() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return f.File + ": " + f.Text
}

func fault(line int, format string, args ...any) *Fault {
	return &Fault{Line: line, Text: fmt.Sprintf(format, args...)}
}
