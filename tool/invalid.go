package tool

import (
	"fmt"
	"strings"
)

// InvalidError lists everything that is wrong with an input.
type InvalidError struct {
	Tool     string
	Problems []Problem // never empty
}

// Problem is one thing that is wrong with an input.
type Problem struct {
	Path    string // JSON pointer: "/todos/0/status"; empty for the input as a whole
	Message string // "want string, got number"
}

// maxShown bounds the sentence, not the list: an input with ten thousand unknown
// properties must not become ten thousand clauses in a model's context.
const maxShown = 12

// Error is one sentence with every problem:
// `Bash input: /command: want string, got number; unknown property "cmd"`.
func (e *InvalidError) Error() string {
	clauses := make([]string, 0, maxShown+1)
	for i, p := range e.Problems {
		if i == maxShown {
			clauses = append(clauses, fmt.Sprintf("and %d more", len(e.Problems)-maxShown))
			break
		}
		clauses = append(clauses, p.String())
	}
	return e.Tool + " input: " + strings.Join(clauses, "; ")
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}
