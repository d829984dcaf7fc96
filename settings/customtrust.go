package settings

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings/custom"
)

// Trust in commands and agents is bound to a digest of its own, which stands beside that
// of the settings. Only the agent compares it: the guard knows no commands, and must not
// read their files. The text behind that digest is in a file of its own for the same
// reason; it only serves to show what changed.

// customStatus says whether the workspace may have commands and agents.
type customStatus uint8

const (
	customUntrusted customStatus = iota // as the workspace is
	customTrusted
	customChanged // they are not those that were trusted
	customUnknown // the record is older than trust in such files
)

type customState struct {
	status customStatus
	diff   []string
}

// customTrust decides about the lines of commands and agents. Whoever trusts a directory
// without a digest trusts all of it.
func (p *places) customTrust(t TrustState, lines []string) customState {
	switch {
	case len(lines) == 0 || t.Status == Trusted && !t.bound:
		return customState{status: customTrusted}
	case t.Status != Trusted:
		return customState{status: customUntrusted}
	}
	store, err := p.trustStore()
	entry, known := store.Workspaces[p.realDir]
	switch {
	case err != nil || !known: // forgotten this moment
		return customState{status: customUntrusted}
	case entry.Custom == digest(lines):
		return customState{status: customTrusted}
	case entry.Custom == "":
		return customState{status: customUnknown}
	}
	return customState{customChanged, p.customDiff(entry.Custom, lines)}
}

// customDiff is what changed; nil when the text of what was trusted is not known.
func (p *places) customDiff(trusted string, lines []string) []string {
	texts, err := p.customTexts()
	before, ok := texts[p.realDir]
	if err != nil || !ok || digest(before) != trusted {
		return nil
	}
	return difference(before, lines)
}

// sentence says why commands and agents of a trusted workspace are held back.
func (s customState) sentence() string {
	switch {
	case s.status == customUnknown:
		return "commands and agents of the workspace are held back: it was trusted before that covered them"
	case len(s.diff) == 0:
		return "commands and agents of the workspace are held back: they are not those that were trusted"
	}
	return "commands and agents of the workspace are held back, because they are not those that were trusted: " + strings.Join(s.diff, "; ")
}

// why is what somebody is told who wants one of them; empty when they may be used.
func (s customState) why(hint string) string {
	switch s.status {
	case customTrusted:
		return ""
	case customUntrusted:
		return "nobody has trusted this workspace (" + hint + ")"
	case customUnknown:
		return "the workspace was trusted before that covered commands (" + hint + ")"
	case customChanged:
	}
	return "the commands and agents of the workspace have changed since it was trusted (" + hint + ")"
}

// TrustOf is the trust that a grant has: the settings it lists, and the commands and
// agents.
func (s *Settings) TrustOf(o Options, g Grant) (TrustState, error) {
	p, err := locate(o)
	t := s.TrustState()
	if err != nil || t.Status == Untrusted {
		return t, err
	}
	asTrusted := t
	asTrusted.Status = Trusted // also where the settings have changed: both are shown
	switch state := p.customTrust(asTrusted, g.Custom); state.status {
	case customTrusted:
	case customUntrusted:
		t.Status = Untrusted
	case customUnknown:
		t.Status, t.Diff = Changed, append(t.Diff, difference(nil, g.Custom)...)
	case customChanged:
		t.Status, t.Diff = Changed, append(t.Diff, state.diff...)
	}
	return t, nil
}

// All is everything that is granted, for people to read.
func (g Grant) All() []string { return slices.Concat(g.Lines, g.Custom) }

// grantedCustom are the lines of the workspace's commands and agents. In the home
// directory they are the user's own.
func (p *places) grantedCustom() []string {
	if p.atHome() {
		return []string{}
	}
	return customLines(p, custom.ReadBelow(p.realDir))
}

func (p *places) customFile() string { return filepath.Join(p.StateDir, "trusted-commands.json") }

type customStore struct {
	Version    int                 `json:"version"`
	Workspaces map[string][]string `json:"workspaces"`
}

// customTexts are the lines that were trusted, by directory.
func (p *places) customTexts() (map[string][]string, error) {
	data, err := readFile(p.customFile(), maxVendorFile)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string][]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	var s customStore
	if err := strictjson.Unmarshal([]byte(data), &s); err != nil {
		return nil, err
	}
	return renamed(s.Workspaces, storedDir), nil
}

// keepCustomText writes down what is trusted; nil forgets it. The caller has the lock of
// the store. A file that cannot be read is begun anew: it only serves to show changes.
func (p *places) keepCustomText(lines []string, dirs ...string) error {
	texts, err := p.customTexts()
	if err != nil {
		texts = map[string][]string{}
	}
	known := len(texts)
	for _, dir := range dirs {
		delete(texts, dir)
		if len(lines) > 0 {
			texts[dir] = lines
		}
	}
	if len(lines) == 0 && len(texts) == known {
		return nil
	}
	data, err := strictjson.MarshalIndent(customStore{trustVersion, renamed(texts, storeKey)})
	if err != nil {
		return err
	}
	return p.replaceFile(p.customFile(), append(data, '\n'), 0o600)
}
