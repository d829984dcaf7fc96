package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
)

// trustStore is the file in which assent remembers trusted workspaces.
type trustStore struct {
	Version int `json:"version"`
	// Workspaces by directory, as the kernel names it; in the file, as storeKey
	// writes it.
	Workspaces map[string]trustEntry `json:"workspaces"`
}

// trustEntry is what was trusted. Trust is bound to the digest; the text is there to
// show the difference when it changes.
type trustEntry struct {
	Digest string   `json:"digest"`
	Grants []string `json:"grants"`
	// Custom is the digest of the commands and agents that were trusted; empty in a
	// record that is older than trust in them.
	Custom string `json:"custom,omitempty"`
	// Next is the grant after a write of assent's own that is under way. It counts
	// like the old one, so that nobody sees the workspace untrusted in between.
	Next *trustEntry `json:"next,omitempty"`
}

const trustVersion = 1

// trusting is the entry for what the settings grant.
func trusting(g Grant) trustEntry { return trustEntry{Digest: digest(g.Lines), Grants: g.Lines} }

// covers: the grant is the one that was trusted.
func (e trustEntry) covers(g Grant) bool {
	return e.is(g) || e.Next != nil && e.Next.is(g)
}

// is leaves out what is still under way. The digest of the text is made anew, so that
// an entry which contradicts itself trusts nothing.
func (e trustEntry) is(g Grant) bool {
	now := digest(g.Lines)
	return e.Digest == now && digest(e.Grants) == now
}

func (p *places) trustFile() string { return filepath.Join(p.StateDir, "trust.json") }

// storeKey is the name of a directory in the store. JSON holds only UTF-8, and a file
// system holds any bytes: such a name is quoted, which no absolute path looks like.
func storeKey(dir string) string {
	if utf8.ValidString(dir) {
		return dir
	}
	return strconv.Quote(dir)
}

// storedDir is the directory behind a key.
func storedDir(key string) string {
	if dir, err := strconv.Unquote(key); err == nil && strings.HasPrefix(key, `"`) {
		return dir
	}
	return key
}

func renamed[E any](entries map[string]E, name func(string) string) map[string]E {
	all := make(map[string]E, len(entries))
	for key, e := range entries {
		all[name(key)] = e
	}
	return all
}

const storeHint = "mend it or remove it, then trust the workspaces again"

var errStateInWorkspace = errors.New("it lies inside the workspace, which could trust itself (set ASSENT_HOME to a directory elsewhere)")

// stateInWorkspace: the workspace itself could bring the store along. Somebody who
// works in the home directory has the state directory below it, which is fine.
func (p *places) stateInWorkspace() bool {
	return p.StateDir != "" && within(p.realDir, resolved(p.StateDir)) && !p.aboveHome()
}

// aboveHome: the project is the home directory or holds it, so that what lies in
// it is the user's own.
func (p *places) aboveHome() bool { return p.Home != "" && within(p.realDir, p.realHome) }

// trustStore reads the store; one that does not exist is empty.
func (p *places) trustStore() (trustStore, error) {
	empty := trustStore{Version: trustVersion, Workspaces: map[string]trustEntry{}}
	if p.StateDir == "" {
		return empty, nil
	}
	data, err := readFile(p.trustFile(), maxVendorFile)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return empty, err
	}
	var s trustStore
	if err := strictjson.UnmarshalKnown([]byte(data), &s); err != nil {
		return empty, err
	}
	if s.Version != trustVersion {
		return empty, fmt.Errorf("it has version %d, this program knows version %d", s.Version, trustVersion)
	}
	s.Workspaces = renamed(s.Workspaces, storedDir)
	return s, nil
}

// changeTrust changes the store under its lock.
func (p *places) changeTrust(change func(*trustStore) error) error {
	if p.StateDir == "" {
		return errNoHome
	}
	unlock, err := p.lock(p.trustFile())
	if err != nil {
		return p.cannotWrite(err)
	}
	defer unlock()
	store, err := p.readableStore()
	if err != nil {
		return err
	}
	if err := change(&store); err != nil {
		return p.cannotWrite(err)
	}
	store.Workspaces = renamed(store.Workspaces, storeKey)
	data, err := strictjson.MarshalIndent(store)
	if err != nil {
		return err
	}
	return p.cannotWrite(p.replaceFile(p.trustFile(), append(data, '\n'), 0o600))
}

// cannotWrite says what to do about a state directory that takes no files.
func (p *places) cannotWrite(err error) error {
	_, path := errors.AsType[*fs.PathError](err)
	_, link := errors.AsType[*os.LinkError](err)
	if !path && !link {
		return err
	}
	return fmt.Errorf("%w (make %s writable, or set ASSENT_HOME to a directory that is)", err, visible(p.StateDir))
}

// readableStore is the store, for whoever cannot do without it.
func (p *places) readableStore() (trustStore, error) {
	store, err := p.trustStore()
	if err != nil {
		return store, fmt.Errorf("the list of trusted workspaces, %s, cannot be used: %w (%s)", visible(p.trustFile()), err, storeHint)
	}
	return store, nil
}

// Trust trusts a workspace as it stands now; an empty dir means o.Dir.
func Trust(o Options, dir string) error {
	g, err := Grants(o.at(dir))
	if err != nil {
		return err
	}
	return TrustGrant(o, g)
}

// TrustGrant trusts exactly what g lists: if the files have changed since somebody
// looked at it, the workspace is not trusted.
func TrustGrant(o Options, g Grant) error {
	p, err := locate(o.at(g.Dir))
	if err != nil {
		return err
	}
	if p.stateInWorkspace() {
		return fmt.Errorf("%s: %w", p.trustFile(), errStateInWorkspace)
	}
	return p.changeTrust(func(s *trustStore) error {
		e := trusting(g)
		e.Custom = digest(g.Custom)
		s.Workspaces[g.Dir] = e
		return p.keepCustomText(g.Custom, g.Dir)
	})
}

// Untrust forgets a workspace; an empty dir means o.Dir. The directory need not
// exist any more.
func Untrust(o Options, dir string) error {
	dir = o.at(dir).Dir
	o.Dir = string(filepath.Separator)
	p, err := locate(o)
	if err != nil {
		return err
	}
	return p.changeTrust(func(s *trustStore) error {
		delete(s.Workspaces, filepath.Clean(dir))
		delete(s.Workspaces, resolved(dir))
		return p.keepCustomText(nil, filepath.Clean(dir), resolved(dir))
	})
}

// at is o for another directory, which may be relative to o.Dir.
func (o Options) at(dir string) Options {
	if filepath.IsAbs(dir) {
		o.Dir = dir
	} else {
		o.Dir = filepath.Join(o.Dir, dir)
	}
	return o
}

// TrustedWorkspace is one entry of the store.
type TrustedWorkspace struct {
	Dir    string
	Grants []string // what was trusted, one thing a line
}

// ListTrusted lists the workspaces that were trusted with assent, sorted.
func ListTrusted(o Options) ([]TrustedWorkspace, error) {
	p, err := locate(o)
	if err != nil {
		return nil, err
	}
	store, err := p.readableStore()
	if err != nil {
		return nil, err
	}
	texts, err := p.customTexts()
	if err != nil {
		texts = nil // what was trusted of commands cannot be shown
	}
	var all []TrustedWorkspace
	for _, dir := range slices.Sorted(maps.Keys(store.Workspaces)) {
		e := store.Workspaces[dir]
		all = append(all, TrustedWorkspace{Dir: dir, Grants: slices.Concat(e.Grants, texts[dir])})
	}
	return all, nil
}
