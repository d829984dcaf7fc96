package main

import (
	"fmt"
	"io"
	"log/slog"
)

// logFormat is how a process that serves others writes its log.
type logFormat string

const (
	textLog logFormat = "text"
	jsonLog logFormat = "json"
)

const logFormatUsage = "how the log is written: text, or json"

func (f *logFormat) String() string { return string(*f) }

// Type is what help calls it.
func (f *logFormat) Type() string { return "text|json" }

// Set takes the value of the flag.
func (f *logFormat) Set(text string) error {
	switch one := logFormat(text); one {
	case textLog, jsonLog:
		*f = one
		return nil
	}
	return fmt.Errorf("%q is no format of a log (want text or json)", text)
}

// handler writes lines of that format.
func (f logFormat) handler(to io.Writer, o *slog.HandlerOptions) slog.Handler {
	if f == jsonLog {
		return slog.NewJSONHandler(to, o)
	}
	return slog.NewTextHandler(to, o)
}
