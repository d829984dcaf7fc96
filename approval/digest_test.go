package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// The digest is that of one JSON text in its one spelling, whatever is in the call.
func FuzzDigest(f *testing.F) {
	f.Add("Bash", `{"command":"echo done"}`, "7c1b9f4e", "/home/ann")
	f.Add("mcp__a__b", `{"b":1.0,"a":"\u00e4"}`, "s \"1\"", "/tmp/a\\b <&> \n\u2028\x7f")
	f.Add("", `[]`, "", "/ä/\u202e")
	f.Add("Write", `{`, "s", "/")
	f.Add("Write", `{}`, "s\xff", "/")
	f.Fuzz(func(t *testing.T, tool, input, session, cwd string) {
		got, err := Call{Tool: tool, Input: strictjson.Raw(input), Session: session, Cwd: cwd}.Digest()
		want, errWant := slowDigest(tool, input, session, cwd)
		if (err == nil) != (errWant == nil) || got != want {
			t.Errorf("%q, %v; want %q, %v", got, err, want, errWant)
		}
	})
}

func slowDigest(tool, input, session, cwd string) (string, error) {
	if err := strictjson.Valid([]byte(input)); err != nil {
		return "", err
	}
	text, err := strictjson.Marshal(map[string]any{"tool": tool, "input": strictjson.Raw(input), "session": session, "cwd": cwd})
	if err != nil {
		return "", err
	}
	if text, err = strictjson.Canonical(text); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
