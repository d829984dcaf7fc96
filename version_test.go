package assent

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	const own = "github.com/assent-dev/assent"
	module := func(path, version string, by ...*debug.Module) *debug.Module {
		m := &debug.Module{Path: path, Version: version}
		if len(by) > 0 {
			m.Replace = by[0]
		}
		return m
	}
	for name, tt := range map[string]struct {
		main *debug.Module
		deps []*debug.Module
		want string
	}{
		"the program itself":      {module(own, "v1.2.3"), nil, "v1.2.3"},
		"a checkout":              {module(own, "(devel)"), nil, "devel"},
		"a test":                  {module(own, ""), nil, "devel"},
		"a program that uses it":  {module("example.com/x", "v9.0.0"), []*debug.Module{module("example.com/y", "v8.0.0"), module(own, "v1.2.3")}, "v1.2.3"},
		"a checkout in its place": {module("example.com/x", ""), []*debug.Module{module(own, "v1.2.3", module("../assent", ""))}, "devel"},
		"a fork in its place":     {module("example.com/x", ""), []*debug.Module{module(own, "v1.2.3", module("example.com/fork", "v1.2.4"))}, "v1.2.4"},
		"something else":          {module("example.com/x", "v9.0.0"), nil, "devel"},
	} {
		if got := versionIn(&debug.BuildInfo{Main: *tt.main, Deps: tt.deps}); got != tt.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if Version() == "" {
		t.Error("this program has no version")
	}
}
