package rule

// contentIndex finds rules on tools whose content is plain text, exact or with
// stars: Task(Explore), Skill(review-*).
type contentIndex struct {
	exact map[toolText]firsts
	wild  map[string][]wildTool // by tool
}

type toolText struct{ tool, text string }

func (x *contentIndex) add(tool, content string, b Behavior, rule int32) {
	w := parseWildcard(content)
	if w.literal() {
		put(&x.exact, toolText{tool, w.head}, b, rule)
		return
	}
	if x.wild == nil {
		x.wild = make(map[string][]wildTool)
	}
	x.wild[tool] = append(x.wild[tool], wildTool{w, b, rule})
}

func (x *contentIndex) find(tool, text string) firsts {
	found := x.exact[toolText{tool, text}]
	for i := range x.wild[tool] {
		if w := &x.wild[tool][i]; w.match(text) {
			found.put(w.behavior, w.rule)
		}
	}
	return found
}
