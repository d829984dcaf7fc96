package rule

import "testing"

func TestP15_ToolNames(t *testing.T) {
	for _, c := range []struct {
		rule    string
		yes, no []string
	}{
		{"Read", []string{"Read"}, []string{"ReadX", "read", "NotebookRead"}},
		{"*", []string{"Read", "Bash", "mcp__pay__get"}, nil},
		{"Notebook*", []string{"NotebookEdit"}, []string{"Edit"}},
		{"mcp__pay", []string{"mcp__pay", "mcp__pay__get", "mcp__pay__get__all"}, []string{"mcp__pay2__get", "mcp__payx", "mcp__", "pay"}},
		{"mcp__pay__*", []string{"mcp__pay__get", "mcp__pay__"}, []string{"mcp__pay", "mcp__pay2__get", "mcp__pa__y"}},
		{"mcp__pay__get", []string{"mcp__pay__get"}, []string{"mcp__pay__get_all", "mcp__pay"}},
		{"mcp__pay__get_*", []string{"mcp__pay__get_", "mcp__pay__get_all"}, []string{"mcp__pay__get", "mcp__pay__set_all"}},
		{"mcp__pay__*_all", []string{"mcp__pay__get_all"}, []string{"mcp__pay__all", "mcp__pay__get_one"}},
		{"mcp__*", []string{"mcp__pay__get"}, []string{"mcp_pay", "Read"}},
		{"mcp__pa*", []string{"mcp__pay__get", "mcp__pa__x"}, []string{"mcp__p__ay"}},
		{"mcp__*__get", []string{"mcp__pay__get"}, []string{"mcp__pay__set"}},
		{"mcp__a_*", []string{"mcp__a___b", "mcp__a_b"}, []string{"mcp__a"}},
		{"mcp__a__*", []string{"mcp__a___b"}, []string{"mcp__a_b"}},
	} {
		s := compile(t, "deny "+c.rule, "allow "+c.rule)
		for _, name := range c.yes {
			if got := s.Tool(name); got.Deny == nil || got.Allow == nil {
				t.Errorf("%s does not match %s: %+v", c.rule, name, got)
			}
		}
		for _, name := range c.no {
			if got := s.Tool(name); got != (Hits{}) {
				t.Errorf("%s matches %s", c.rule, name)
			}
		}
	}
}

// Nothing in a name tells a tool "b__x" of server "a" from a tool "x" of server
// "a__b": deny takes both readings, allow the narrow one.
func TestP15_JointsInNames(t *testing.T) {
	s := compile(t, "deny mcp__a__b", "allow mcp__a__b", "deny mcp__c__", "allow mcp__c__")
	if got := s.Tool("mcp__a__b__x"); got.Deny == nil || got.Allow != nil {
		t.Errorf("mcp__a__b__x: %+v", got)
	}
	if got := s.Tool("mcp__c__x"); got.Deny == nil || got.Allow != nil {
		t.Errorf("mcp__c__x: %+v", got)
	}
}

func TestP15_ContentRulesAreNotBare(t *testing.T) {
	s := compile(t, "deny Bash(rm:*)", "allow Read(**)", "deny WebFetch(domain:x.org)", "ask Task(Explore)")
	for _, tool := range []string{"Bash", "Read", "WebFetch", "Task"} {
		if got := s.Tool(tool); got != (Hits{}) {
			t.Errorf("Tool(%s) = %+v", tool, got)
		}
	}
}
