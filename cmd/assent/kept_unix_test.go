//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
)

// A command line can name the tickets, also by another name. A process that has them open
// does not open them a second time.
func TestA2_WhatIsReadIsNotTheTickets(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "state.db"), filepath.Join(dir, "x.session")
	if err := errors.Join(os.WriteFile(file, []byte("x"), 0o600), os.Link(file, link)); err != nil {
		t.Fatal(err)
	}
	kept, err := durable.Keep(file)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	if _, err := readFile(link); !errors.Is(err, durable.ErrKept) {
		t.Errorf("read: %v", err)
	}
	if _, _, done, err := openRegular(link); !errors.Is(err, durable.ErrKept) {
		t.Errorf("imported: %v", err)
		done()
	}
}
