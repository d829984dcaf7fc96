// Package manpage writes the pages of the manual from the commands themselves. Start
// with [For]. It is used when a release is built and is part of no program.
//
// The texts of the commands are plain: paragraphs, and indented lines that stay as they
// are. That is what a page keeps, where a detour through Markdown would run examples and
// tables into one another.
package manpage

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Page is one page of section 1.
type Page struct {
	Name     string // assent-check
	Short    string
	Synopsis []string
	Text     string
	Options  []Options
	Commands []Group
	SeeAlso  []string // names of pages
}

// Options are flags under a title.
type Options struct {
	Title string
	Flags *pflag.FlagSet
}

// Group is commands under a title.
type Group struct {
	Title    string
	Commands []*cobra.Command
}

// Edition is what all pages of a release have in common.
type Edition struct {
	Version string
	Date    time.Time // of the release; the zero value leaves it out
}

// Name is that of the page of a command.
func Name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// For is the page of a command as its help describes it.
func For(cmd *cobra.Command) Page {
	p := Page{Name: Name(cmd), Short: cmd.Short, Text: cmd.Long, Synopsis: []string{cmd.UseLine()}}
	if p.Text == "" {
		p.Text = cmd.Short + "."
	}
	p.Options = []Options{{"Options", cmd.NonInheritedFlags()}, {"Options of all commands", cmd.InheritedFlags()}}
	if cmd.HasParent() {
		p.SeeAlso = append(p.SeeAlso, Name(cmd.Parent()))
	}
	var children []*cobra.Command
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			children = append(children, child)
			p.SeeAlso = append(p.SeeAlso, Name(child))
		}
	}
	p.Commands = []Group{{"Commands", children}}
	return p
}

// Roff is the page in the language of man(1).
func (p Page) Roff(e Edition) string {
	date := ""
	if !e.Date.IsZero() {
		date = e.Date.UTC().Format(time.DateOnly)
	}
	var s strings.Builder
	fmt.Fprintf(&s, ".TH %s 1 \"%s\" \"%s\" assent\n.nh\n.ad l\n", escape(strings.ToUpper(p.Name)), escape(date), escape("assent "+e.Version))
	fmt.Fprintf(&s, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", escape(p.Name), escape(p.Short))
	for _, line := range p.Synopsis {
		fmt.Fprintf(&s, ".B %s\n.br\n", escape(line))
	}
	s.WriteString(".SH DESCRIPTION\n" + body(p.Text))
	for _, group := range p.Commands {
		section(&s, group.Title, commands(group.Commands))
	}
	for _, o := range p.Options {
		section(&s, o.Title, options(o.Flags))
	}
	var also []string
	for _, name := range p.SeeAlso {
		also = append(also, fmt.Sprintf("\\fB%s\\fR(1)", escape(name)))
	}
	section(&s, "See also", strings.Join(also, ",\n"))
	return s.String()
}

func section(s *strings.Builder, title, text string) {
	if text != "" {
		fmt.Fprintf(s, ".SH %s\n%s\n", escape(strings.ToUpper(title)), strings.TrimSuffix(text, "\n"))
	}
}

func commands(all []*cobra.Command) string {
	var s strings.Builder
	for _, cmd := range all {
		fmt.Fprintf(&s, ".TP\n.B %s\n%s\n", escape(cmd.CommandPath()), escape(cmd.Short))
	}
	return s.String()
}

func options(flags *pflag.FlagSet) string {
	var s strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(&s, ".TP\n\\fB%s\\fR", escape(name))
		if value != "" {
			fmt.Fprintf(&s, " \\fI%s\\fR", escape(placeholder(value)))
		}
		fmt.Fprintf(&s, "\n%s", escape(usage))
		if shown := f.DefValue; f.Value.Type() == "string" && shown != "" {
			fmt.Fprintf(&s, " (default %s)", escape(shown))
		}
		s.WriteString("\n")
	})
	return s.String()
}

// placeholder is what stands for a value: pflag knows only the types of Go.
func placeholder(value string) string {
	if value == "stringArray" || value == "strings" {
		return "LIST"
	}
	return strings.ToUpper(value)
}
