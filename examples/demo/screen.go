package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// screen is where the demonstration is seen. When nobody reads it any more, as with
// `make demo | head`, the work ends in good order.
type screen struct {
	to   io.Writer
	stop context.CancelCauseFunc
	err  error // why nothing can be shown any more
}

func (s *screen) printf(format string, values ...any) {
	if s.err != nil {
		return
	}
	if _, err := fmt.Fprintf(s.to, format, values...); err != nil {
		s.err = fmt.Errorf("nobody sees this any more: %w", err)
		s.stop(s.err)
	}
}

// heading is bold where somebody sees it.
func (s *screen) heading(text string) {
	if f, ok := s.to.(*os.File); ok && isTerminal(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		text = "\033[1m" + text + "\033[0m"
	}
	s.printf("\n%s\n", text)
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

func (s *screen) say(text string) { s.printf("%s\n", text) }

func (s *screen) shown(command string) { s.printf("  $ %s\n", command) }

// file shows a file.
func (s *screen) file(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		s.printf("  %s", line)
	}
	return nil
}
