package mcp_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/mcp"
)

func env(name string) (string, bool) {
	value, ok := map[string]string{"HOME": "/home/u", "EMPTY": "", "TOKEN": "${HOME}", "BREAK": "a\r\nX: y"}[name]
	return value, ok
}

func TestReadConfig(t *testing.T) {
	for text, expected := range map[string]mcp.Server{
		`{"s": {"command": "c"}}`: {Name: "s", Command: "c"},
		`{"s": {"type": "stdio", "command": "${HOME}/c", "args": ["-x", "${NO:-d}", "${EMPTY:-e}", "${EMPTY}", "$HOME", "${TOKEN}"], "env": {"A": "${HOME}"}}}`: {
			Name: "s", Command: "/home/u/c", Args: []string{"-x", "d", "e", "", "$HOME", "${HOME}"}, Env: []mcp.Pair{{Name: "A", Value: "/home/u"}},
		},
		`{"s": {"type": "http", "url": "https://h/${NO:-p}", "headers": {"X-A": "b"}}}`: {
			Name: "s", Kind: mcp.HTTP, URL: "https://h/p", Headers: []mcp.Pair{{Name: "X-A", Value: "b"}},
		},
		`{"s": {"url": "http://localhost:1/"}}`:           {Name: "s", Kind: mcp.HTTP, URL: "http://localhost:1/"},
		`{"s": {"url": "http://127.0.0.2:1/"}}`:           {Name: "s", Kind: mcp.HTTP, URL: "http://127.0.0.2:1/"},
		`{"s": {"url": "http://[::1]:1/"}}`:               {Name: "s", Kind: mcp.HTTP, URL: "http://[::1]:1/"},
		`{"pay-2_x": {"type": "sdk", "name": "pay-2_x"}}`: {Name: "pay-2_x", Kind: mcp.SDK},
		`{"s": {"type": "sdk", "tools": [{"name": "pay.refund", "permission_policy": "always_deny"}, {"name": "a b"}, {"name": "get.*", "permission_policy": "x"}, {"name": "l", "permission_policy": "always_allow"}]}}`: {
			Name: "s", Kind: mcp.SDK, Restrictions: mcp.Restrictions{Deny: []string{"mcp__s__pay_refund"}, Ask: []string{"mcp__s__a_b", "mcp__s__get_*"}},
		},
	} {
		servers, problems := mcp.ReadConfig([]byte(`{"mcpServers": `+text+`}`), env)
		if len(problems) > 0 || len(servers) != 1 || !reflect.DeepEqual(servers[0], expected) {
			t.Errorf("%s: %+v, %v", text, servers, problems)
		}
	}
}

func TestReadConfigLeavesOutWhatItCannotUnderstand(t *testing.T) {
	for text, part := range map[string]string{
		`"s": 1`:                                                     "want an object",
		`"s": {}`:                                                    `"command" is missing`,
		`"s": {"command": 1}`:                                        "command: want a string",
		`"s": {"command": "c", "args": "x"}`:                         "args: want a list",
		`"s": {"command": "c", "args": [1]}`:                         "args: want a string",
		`"s": {"command": "c", "tools": {}}`:                         "tools: want a list",
		`"s": {"command": "c", "tools": ["a"]}`:                      "tools: want a list",
		`"s": {"command": "c", "tools": [{"name": ""}]}`:             "tools: want a list",
		`"s": {"command": "c", "tools": [{"permission_policy": 1}]}`: "tools: want a list",
		`"s": {"command": "c", "env": {"A": 1}}`:                     "env A: want a string",
		`"s": {"command": "c", "env": {"A=": "1"}}`:                  "no name or value",
		`"s": {"command": "c\u0000"}`:                                "NUL",
		`"s": {"command": "${NO}"}`:                                  "NO is not set",
		`"s": {"command": "${HOME"}`:                                 `without "}"`,
		`"s": {"command": "${A B}"}`:                                 "no name of a variable",
		`"s": {"command": "c", "url": "https://h"}`:                  `has no "url"`,
		`"s": {"type": "http"}`:                                      `"url" is missing`,
		`"s": {"type": "http", "url": "https://h", "command": "c"}`:  `has no "command"`,
		`"s": {"type": "sse", "url": "https://h"}`:                   `use "http"`,
		`"s": {"type": "ws", "url": "https://h"}`:                    "unknown type",
		`"s": {"type": 1}`:                                           "unknown type",
		`"s": {"url": "http://example.com/"}`:                        "not encrypted",
		`"s": {"url": "http://localhost.evil.com/"}`:                 "not encrypted",
		`"s": {"url": "http://127.0.0.1.evil.com/"}`:                 "not encrypted",
		`"s": {"url": "ftp://h/"}`:                                   "scheme",
		`"s": {"url": "file:///etc/passwd"}`:                         "no host",
		`"s": {"url": "https://u:p@h/"}`:                             "password",
		`"s": {"url": "https://h/#x"}`:                               "fragment",
		`"s": {"url": "https://h/", "headers": {"X": "${BREAK}"}}`:   "line break",
		`"s": {"url": "https://h/", "headers": {"X\r\nY": "b"}}`:     "no name of a header",
		`"s": {"type": "sdk", "name": "other"}`:                      "write the same",
		`"a__b": {"command": "c"}`:                                   "contain __",
		`"a_": {"command": "c"}`:                                     "end with _",
		`"a b": {"command": "c"}`:                                    "letters, digits",
		`"": {"command": "c"}`:                                       "empty",
		`"` + strings.Repeat("a", 65) + `": {"command": "c"}`:        "65 characters",
	} {
		servers, problems := mcp.ReadConfig([]byte(`{"mcpServers": {`+text+`, "good": {"command": "c"}}}`), env)
		if len(servers) != 1 || servers[0].Name != "good" || len(problems) == 0 || problems[0].Effect != mcp.LeftOut || !strings.Contains(problems[0].Error(), part) {
			t.Errorf("%s: %+v, %v", text, servers, problems)
		}
	}
}

func TestReadConfigAsAWhole(t *testing.T) {
	for text, part := range map[string]string{
		``: "empty", `[]`: "want an object", `{"mcpServers": []}`: "servers by name", `{}`: `no key "mcpServers"`,
		`{"mcpServers": {"s": {"command": "a"}, "s": {"command": "b"}}}`: "occurs twice",
	} {
		servers, problems := mcp.ReadConfig([]byte(text), env)
		if len(servers) > 0 || len(problems) != 1 || !strings.Contains(problems[0].Error(), part) {
			t.Errorf("%s: %+v, %v", text, servers, problems)
		}
	}
	servers, problems := mcp.ReadServers([]byte(`{"b": {"command": "c", "timeout": 1}, "off": {"command": "c", "disabled": true}, "a": {"command": "c"}}`), nil)
	if len(servers) != 2 || servers[0].Name != "b" || servers[1].Name != "a" || len(problems) != 2 || problems[0].Effect != mcp.Ignored || problems[1].Effect != mcp.Ignored {
		t.Errorf("%+v, %v", servers, problems)
	}
}

func TestReadLimits(t *testing.T) {
	limits, problems := mcp.ReadLimits(func(name string) (string, bool) {
		return map[string]string{"MCP_TIMEOUT": "1500", "MCP_TOOL_TIMEOUT": "soon", "MAX_MCP_OUTPUT_TOKENS": "10"}[name], true
	})
	if limits.Start.String() != "1.5s" || limits.Call.String() != "10m0s" || limits.Text != 40 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "soon") {
		t.Errorf("%+v, %v", limits, problems)
	}
}

func FuzzReadConfig(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers":{"s":{"command":"${HOME}","args":["${X:-y}"],"env":{"A":"b"}}}}`,
		`{"mcpServers":{"s":{"type":"http","url":"https://h","headers":{"A":"b"}}}}`, `{"mcpServers":{"s":{"type":"sdk"}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		servers, problems := mcp.ReadConfig(data, env)
		if len(servers) == 0 && len(problems) == 0 && !strings.Contains(string(data), "mcpServers") {
			t.Error("neither servers nor problems")
		}
		for _, s := range servers {
			if strings.Contains(s.Name, "__") || strings.HasSuffix(s.Name, "_") || s.Name == "" {
				t.Errorf("name %q", s.Name)
			}
			if s.Kind == mcp.HTTP && !strings.HasPrefix(s.URL, "http") && !strings.HasPrefix(s.URL, "HTTP") && !strings.EqualFold(s.URL[:4], "http") {
				t.Errorf("url %q", s.URL)
			}
			for _, h := range s.Headers {
				if strings.ContainsAny(h.Name+h.Value, "\r\n\x00") {
					t.Errorf("header %q", h)
				}
			}
			if s.Kind == mcp.Stdio && s.Command == "" {
				t.Error("no command")
			}
		}
	})
}
