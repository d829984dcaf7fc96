package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuildSaysWhatItIs(t *testing.T) {
	const revision, when = "0123456789abcdef0123456789abcdef01234567", "2026-01-02T03:04:05Z"
	vcs := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}, {Key: "vcs.time", Value: when}}
	main := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: "github.com/assent-dev/assent", Version: version}}
	}
	for _, c := range []struct {
		name    string
		stamped build
		info    *debug.BuildInfo
		want    build
	}{
		{"nothing is known", build{}, nil, build{Version: "devel"}},
		{"a checkout without its history", build{}, main("(devel)"), build{Version: "devel"}},
		{"a checkout", build{}, &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: vcs}, build{Version: "devel", Commit: revision, Date: when}},
		{"go install of a tag", build{}, main("v1.2.3"), build{Version: "v1.2.3"}},
		{
			"go install of a commit",
			build{},
			main("v0.0.0-20260102030405-0123456789ab"),
			build{Version: "v0.0.0-20260102030405-0123456789ab", Commit: "0123456789ab", Date: when},
		},
		{
			"go install of a commit after a tag",
			build{},
			main("v1.2.4-0.20260102030405-0123456789ab+dirty"),
			build{Version: "v1.2.4-0.20260102030405-0123456789ab+dirty", Commit: "0123456789ab", Date: when},
		},
		{"a tag that looks like one", build{}, main("v1.2.3-rc.1-x"), build{Version: "v1.2.3-rc.1-x"}},
		{"a stamp goes first", build{Version: "v2", Commit: "c", Date: "d"}, main("v1.2.3"), build{Version: "v2", Commit: "c", Date: "d"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.stamped.completed(c.info); got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestVersionLeavesOutWhatIsUnknown(t *testing.T) {
	full := build{"v1.2.3", "0123", "2026-01-02T03:04:05Z", "go1.26", "linux/amd64"}
	if got, want := full.String(), "assent v1.2.3\ncommit    0123\ndate      2026-01-02T03:04:05Z\ngo        go1.26\nplatform  linux/amd64\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	full.Commit = ""
	if got := full.String(); strings.Contains(got, "commit") {
		t.Errorf("a commit that nobody knows: %q", got)
	}
}
