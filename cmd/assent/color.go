package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/assent-dev/assent/internal/ansi"
)

// Colour is for terminals and only supports the words: everything is also said in
// text. NO_COLOR and TERM=dumb switch it off; --color overrides both.

type style = ansi.Style

const (
	plainStyle = ansi.Plain
	bold       = ansi.Bold
	faint      = ansi.Faint
	red        = ansi.Red
	green      = ansi.Green
	yellow     = ansi.Yellow
	cyan       = ansi.Cyan
)

// painter writes styled text, or plain text.
type painter ansi.Painter

func (p painter) text(s style, text string) string { return ansi.Painter(p).Text(s, text) }

// outcome is the colour of a decision.
func (p painter) outcome(word string) string {
	return p.text(outcomeStyle(word), word)
}

func outcomeStyle(word string) style {
	switch word {
	case "allow", "passed", "valid":
		return green
	case "deny", "failed", "error":
		return red
	case "ask", "warning":
		return yellow
	case "info":
		return cyan
	}
	return faint
}

// painter decides for one output.
func (a *app) painter(w io.Writer) painter {
	switch a.colors {
	case "always":
		return true
	case "never":
		return false
	}
	file, ok := w.(*os.File)
	return painter(ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd())))
}

func (a *app) checkColor(cmd *cobra.Command) error {
	switch a.colors {
	case "auto", "always", "never":
		return nil
	}
	return usage(cmd, "--color "+a.colors+": want auto, always or never")
}
