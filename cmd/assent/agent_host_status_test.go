package main

import (
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
)

func TestW5_ConfigurationsAsHostsGetThem(t *testing.T) {
	for want, server := range map[string]mcp.Server{
		`{"type":"stdio","command":"c","args":["a"],"env":{"TOKEN":"***"}}`: {Name: "s", Command: "c", Args: []string{"a"}, Env: []mcp.Pair{{Name: "TOKEN", Value: "s3cret"}}},
		`{"type":"http","url":"https://h/","headers":{"X":"***"}}`:          {Name: "s", Kind: mcp.HTTP, URL: "https://h/", Headers: []mcp.Pair{{Name: "X", Value: "s3cret"}}},
		`{"type":"sdk","name":"s"}`:                                         {Name: "s", Kind: mcp.SDK},
	} {
		if got, err := strictjson.Marshal(configOf(server)); err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
}
