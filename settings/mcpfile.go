package settings

// readMCP reads the workspace's .mcp.json. It is no settings file: one that is
// broken stops nothing here, but it is part of what the workspace would be given,
// so trust covers it.
func (p *places) readMCP() text {
	t := text{slot: slot{path: p.mcpPath()}}
	if p.Everywhere {
		return t
	}
	data, exists, err := t.content(looked{})
	t.exists = exists
	switch {
	case err != nil:
		t.broken = unreadable(t.path, err)
	case exists:
		t.data = data
		t.said, t.broken = understandMCP(t.path, data)
	}
	return t
}

// understandMCP takes the servers and nothing else: what trust does not cover must
// not reach anybody. A file of another shape says nothing.
func understandMCP(file, data string) (*content, *BrokenError) {
	d, broken := parse(file, data)
	if broken != nil {
		return nil, broken
	}
	r := &reader{document: d}
	c := &content{}
	for _, m := range r.object(r.root, ".mcp.json", nil) {
		if m.name == "mcpServers" {
			c.mcpServers = r.section(m)
		}
	}
	for _, m := range c.mcpServers.members {
		r.object(m.value, "MCP server "+visible(m.name), nil)
	}
	if r.fault != nil {
		return nil, r.fault
	}
	return c, nil
}
