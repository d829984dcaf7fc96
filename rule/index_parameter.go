package rule

import "strings"

// parameterIndex finds rules on parameters by the tool: the one that is called, or the
// server that offers it.
type parameterIndex struct {
	tools   map[string][]parameterEntry
	servers map[string][]parameterEntry // by "mcp__pay__"
}

type parameterEntry struct {
	parameterPattern
	behavior Behavior
	rule     int32
}

// HasParameters reports whether a rule is about a parameter.
func (s *Set) HasParameters() bool { return s.hasParameters }

// Parameters finds the rules on parameters of a tool for an input, which is JSON that has
// been checked. Where a value cannot be compared, deny and ask rules match, and allow rules
// do not.
func (s *Set) Parameters(tool string, input []byte) Hits {
	if !s.hasParameters {
		return Hits{}
	}
	s.naming.Do(s.nameParameters)
	known := ToolName(tool)
	var found firsts
	find(s.parameters.tools[known], input, &found)
	if strings.HasPrefix(known, mcpPrefix) {
		for i := len(mcpPrefix); i+len(mcpJoint) <= len(known); i++ {
			if strings.HasPrefix(known[i:], mcpJoint) {
				find(s.parameters.servers[known[:i+len(mcpJoint)]], input, &found)
			}
		}
	}
	hits := s.sureHits(found)
	if known != tool && hits.Allow != nil && !namesTool(written(hits.Allow), Allow, tool) {
		hits.Allow = nil
	}
	return hits
}

func find(entries []parameterEntry, input []byte, found *firsts) {
	for i := range entries {
		e := &entries[i]
		if found[e.behavior] != 0 && found[e.behavior] <= e.rule {
			continue
		}
		if m := e.match(input); m == Yes || m == Maybe && e.behavior != Allow {
			found.put(e.behavior, e.rule)
		}
	}
}

// nameParameters makes the index.
func (s *Set) nameParameters() {
	s.parameters = parameterIndex{tools: map[string][]parameterEntry{}, servers: map[string][]parameterEntry{}}
	for i, r := range s.each {
		p, ok := parameterOf(r.Tool, r.Content)
		if !ok || r.Bare || r.Behavior < Allow || r.Behavior > Deny || !r.hasMeaning() || r.GrantsNothing() {
			continue
		}
		q, f := parsePattern(p)
		if f != nil {
			continue // one that allows; another has been quarantined
		}
		e := parameterEntry{q, r.Behavior, i}
		s.parameters.tools[r.Tool] = append(s.parameters.tools[r.Tool], e)
		if server, ok := serverOf(r.Tool, r.Behavior); ok {
			s.parameters.servers[server] = append(s.parameters.servers[server], e)
		}
	}
}
