package main

import (
	"strings"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
)

// change shows a difference.
func (p *page) change(f *clerk.FileChange) {
	if f == nil {
		return
	}
	p.heading("Change of " + policy.Visible(f.Path))
	if f.Note != "" {
		p.line("  " + policy.Visible(f.Note))
	}
	for _, line := range f.Lines {
		s := plainStyle
		switch {
		case strings.HasPrefix(line, "+"):
			s = green
		case strings.HasPrefix(line, "-"):
			s = red
		}
		p.line("    " + p.text(s, policy.Visible(line)))
	}
}
