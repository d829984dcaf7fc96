package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestW5_DescriptionsHaveRoom(t *testing.T) {
	r := listRoom
	if got := r.take("short"); got != "short" {
		t.Errorf("%q", got)
	}
	if got := r.take(strings.Repeat("ä", 300)); len(got) > maxDescription+3 || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
	total := 0
	for range 10_000 {
		total += len(r.take(strings.Repeat("x", 16_000)))
	}
	if total > int(listRoom) || total < int(listRoom)/2 || r.take("x") != "" {
		t.Errorf("%d bytes", total)
	}
}
