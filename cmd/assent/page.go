package main

import (
	"fmt"
	"io"
	"strings"
)

// page collects what a person reads, so that it is written at once.
type page struct {
	painter
	b strings.Builder
}

func (p *page) line(text string) {
	p.b.WriteString(strings.TrimRight(text, " "))
	p.b.WriteByte('\n')
}

// heading starts a section.
func (p *page) heading(text string) {
	if p.b.Len() > 0 {
		p.b.WriteByte('\n')
	}
	p.line(p.text(bold, text))
}

// row is a short name and its value.
func (p *page) row(name, value string) {
	p.line(fmt.Sprintf("%-11s %s", name, value))
}

// columns writes rows whose first columns are as wide as their widest cell. The
// style is for the first column.
func (p *page) columns(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		b.WriteString("  ")
		for i, cell := range row {
			padding := strings.Repeat(" ", widths[i]-width(cell)+2)
			if i == 0 {
				cell = p.outcome(cell)
			}
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(padding)
			}
		}
		p.line(b.String())
	}
}

func (p *page) flush(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}
