package settings

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/rule"
)

// TrustStatus says whether a workspace may grant anything.
type TrustStatus uint8

// The states. The zero value is the safe one.
const (
	Untrusted TrustStatus = iota
	Trusted
	// Changed: it was trusted, and what it grants is not the same any more. Until
	// somebody looks at the difference it counts as untrusted.
	Changed
)

func (s TrustStatus) String() string {
	switch s {
	case Untrusted:
		return "untrusted"
	case Trusted:
		return "trusted"
	case Changed:
		return "changed"
	}
	return "unknown"
}

// TrustState is the answer to "may this workspace grant anything?".
type TrustState struct {
	Status TrustStatus
	// By says who trusted it: "--trust-workspace", a managed file, "assent trust".
	By string
	// Diff shows what changed: lines that start with "+ " or "- ".
	Diff []string

	// bound: somebody trusted what the workspace granted, not the directory as such.
	bound bool
}

// maxVendorFile: the vendor keeps histories in the same file as the mark.
const maxVendorFile = 64 << 20

// judge decides about trust. Every record that cannot be read counts as "not
// trusted" and is reported.
func (a *assembly) judge(g Grant) TrustState {
	if a.TrustWorkspace {
		return TrustState{Status: Trusted, By: "--trust-workspace"}
	}
	if file := a.managedTrust(); file != "" {
		return TrustState{Status: Trusted, By: file}
	}
	if file := a.vendorTrust(); file != "" {
		return TrustState{Status: Trusted, By: file}
	}
	return a.ownTrust(g)
}

func (p *places) trustHint() string {
	return "run `assent trust " + shellWord(p.Dir) + "` if you trust it"
}

// managedTrust looks for the workspace in assent.trustedWorkspaces of the
// administrator's files.
func (a *assembly) managedTrust() string {
	for _, t := range a.s.texts {
		if t.source != rule.PolicySettings || t.said == nil {
			continue
		}
		for _, e := range t.said.trustedWorkspaces {
			root, ok := trustedRoot(e.text)
			if !ok {
				a.report(Report{
					Kind: UnknownValue, File: t.path, Line: e.line,
					Text: "trusted workspace " + named(e.text) + " is ignored: it is not an absolute directory",
					Hint: "write a directory; it and everything below it is trusted",
				})
			} else if within(resolved(root), a.realDir) {
				return t.path
			}
		}
	}
	return ""
}

// trustedRoot reads a directory of trustedWorkspaces. Only somebody who writes "/"
// or "/**" means every directory there is: no other text may come down to that.
func trustedRoot(text string) (dir string, ok bool) {
	if text == "/" || text == "/**" {
		return "/", true
	}
	dir = strings.TrimSuffix(text, "/**")
	if !filepath.IsAbs(dir) || strings.ContainsAny(dir, "*?[") {
		return "", false
	}
	dir = filepath.Clean(dir)
	return dir, dir != "/"
}

// within: path is dir or below it. Both are resolved.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// vendorTrust looks for the mark that the vendor's program leaves when somebody
// has accepted the workspace there.
func (a *assembly) vendorTrust() string {
	file := a.VendorFile()
	if file == "" {
		return ""
	}
	data, err := readFile(file, maxVendorFile)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	accepted := false
	if err == nil {
		accepted, err = vendorAccepts(data, a.Dir, a.realDir)
	}
	if err != nil {
		a.report(Report{
			Kind: TrustUnreadable, File: file, Text: "the marks of trusted workspaces cannot be read: " + visible(err.Error()),
			Hint: a.trustHint(),
		})
		return ""
	}
	if !accepted {
		return ""
	}
	return file
}

// vendorAccepts looks for the mark of any of the directories. The file may be large,
// and nothing else of it matters.
func vendorAccepts(text string, dirs ...string) (bool, error) {
	root, err := strictjson.Tree(text)
	if err != nil {
		return false, err
	}
	projects := root.Member("projects")
	for _, n := range []strictjson.Node{root, projects} {
		if n.Kind != '{' && n.Kind != 'n' && n.Kind != 0 {
			return false, errors.New("it does not hold projects as the vendor's program writes them")
		}
	}
	for _, dir := range dirs {
		if projects.Member(dir).Member("hasTrustDialogAccepted").Kind == 't' {
			return true, nil
		}
	}
	return false, nil
}

// ownTrust compares the grant with the one that somebody trusted with assent.
func (a *assembly) ownTrust(g Grant) TrustState {
	store, err := a.trustStore()
	if err == nil && len(store.Workspaces) > 0 && a.stateInWorkspace() {
		err = errStateInWorkspace
	}
	if err != nil {
		a.report(Report{
			Kind: TrustUnreadable, File: a.trustFile(), Hint: storeHint,
			Text: "the list of trusted workspaces does not count: " + visible(err.Error()),
		})
		return TrustState{}
	}
	entry, known := store.Workspaces[a.realDir]
	switch {
	case !known:
		return TrustState{}
	case entry.covers(g):
		return TrustState{Status: Trusted, By: "assent trust", bound: true}
	}
	diff := difference(entry.Grants, g.Lines)
	text := "the workspace grants something else than what was trusted: " + strings.Join(diff, "; ")
	if len(diff) == 0 {
		text = "the record of what was trusted does not fit its digest, so it does not count"
	}
	a.report(Report{Kind: TrustChanged, Hint: a.trustHint(), Text: text})
	return TrustState{Status: Changed, By: "assent trust", Diff: diff, bound: true}
}

// difference lists what went and what came. Both lists are sorted.
func difference(before, after []string) []string {
	var all []string
	for _, line := range before {
		if !slices.Contains(after, line) {
			all = append(all, "- "+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			all = append(all, "+ "+line)
		}
	}
	return all
}
