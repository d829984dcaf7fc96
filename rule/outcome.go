package rule

// Match says how surely a rule matches a text of which parts may be unknown.
type Match uint8

// The degrees of certainty. The zero value is no match.
const (
	No    Match = iota
	Maybe       // for some value of the unknown parts
	Yes         // for every value of them
)

func (m Match) String() string {
	switch m {
	case No:
		return "no"
	case Maybe:
		return "maybe"
	case Yes:
		return "yes"
	}
	return "unknown"
}

// Hits are the first matching rules of each behaviour, in list order; nil where
// none matches. A rule that surely matches comes before one that only may.
type Hits struct {
	Deny, Ask, Allow *Rule
	// DenyMatch and AskMatch say how sure Deny and Ask are: Yes, except where
	// [Set.PathMay] and [Set.Below] found a rule that only may match. Allow is
	// always sure.
	DenyMatch, AskMatch Match
}

// Kind tells the three kinds of path rule apart.
type Kind uint8

// The kinds of path rule.
const (
	ReadRule  Kind = iota + 1 // Read(…), Glob(…), Grep(…)
	EditRule                  // Edit(…), NotebookEdit(…)
	WriteRule                 // Write(…)
)

// PathHits are the hits of each kind of path rule. Which kinds govern a tool is
// the caller's business.
type PathHits struct{ Read, Edit, Write Hits }

// Of is the hits of one kind.
func (h PathHits) Of(k Kind) Hits {
	switch k {
	case ReadRule:
		return h.Read
	case EditRule:
		return h.Edit
	case WriteRule:
		return h.Write
	}
	return Hits{}
}
