package main

import "io"

// patient is where help pages go. Whoever prints them does not look at errors, so
// it remembers the first one: a page that nobody saw is no success.
type patient struct {
	w   io.Writer
	err error
}

func (p *patient) Write(data []byte) (int, error) {
	if p.err == nil {
		_, p.err = p.w.Write(data)
	}
	return len(data), nil
}
