package settings

import "github.com/assent-dev/assent/rule"

// keepTrust makes sure that what assent writes itself does not cost a workspace
// the trust it has: the new grant is on record before the file changes. settle
// ends that, with whether the file was written.
func (p *places) keepTrust(dest rule.Source, before, after []byte) (settle func(written bool) error, err error) {
	nothing := func(bool) error { return nil }
	if !fromWorkspace(dest) || p.StateDir == "" || p.stateInWorkspace() {
		return nothing, nil
	}
	texts, mcp := p.read(), p.readMCP()
	// A link that is turned elsewhere between the two must not slip into the second.
	links := targets{}
	old := p.grant(substitute(texts, dest, before), mcp, links)
	next := p.grant(substitute(texts, dest, after), mcp, links)
	// A store that cannot be read trusts nothing, so there is nothing to keep.
	store, err := p.trustStore()
	if entry, ok := store.Workspaces[p.realDir]; err != nil || !ok || !entry.covers(old) || old.same(next) {
		return nothing, nil
	}
	err = p.changeTrust(func(s *trustStore) error {
		if e, ok := s.Workspaces[p.realDir]; ok && e.covers(old) {
			now, then := trusting(old), trusting(next)
			now.Next, now.Custom, then.Custom = &then, e.Custom, e.Custom // commands are not written here
			s.Workspaces[p.realDir] = now
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(written bool) error { return p.settleTrust(next, written) }, nil
}

func (p *places) settleTrust(next Grant, written bool) error {
	return p.changeTrust(func(s *trustStore) error {
		e, ok := s.Workspaces[p.realDir]
		if !ok || e.Next == nil || !e.Next.is(next) {
			return nil // somebody has decided otherwise meanwhile
		}
		if written {
			e = *e.Next
		}
		e.Next = nil
		s.Workspaces[p.realDir] = e
		return nil
	})
}

// substitute is what the files say if the one of dest had the given bytes.
func substitute(texts []text, dest rule.Source, data []byte) []text {
	all := append([]text(nil), texts...)
	for i := range all {
		if all[i].source == dest {
			t := text{slot: all[i].slot}
			if data != nil {
				t.exists = true
				t.said, t.broken = understand(t.path, string(data))
			}
			all[i] = t
		}
	}
	return all
}
