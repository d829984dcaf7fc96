package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// unknownVersion is that of a program that was built from a checkout.
const unknownVersion = "devel"

// What scripts/dist writes into a release. Other builds know it from Go itself, as far
// as it can be known.
var version, commit, date string

// build says which program this is.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitzero"`
	Date     string `json:"date,omitzero"` // of the commit, so that equal inputs make equal programs
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	stamped := build{version, commit, date, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if version != "" {
		return stamped // most calls of the program need nothing more
	}
	info, _ := debug.ReadBuildInfo()
	return stamped.completed(info)
}

// completed fills in what Go knows: `go install module@version` the version, a build in
// a checkout the commit.
func (b build) completed(info *debug.BuildInfo) build {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	if b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	pseudo := fromPseudoVersion(b.Version)
	b.Version = cmp.Or(b.Version, unknownVersion)
	b.Commit = cmp.Or(b.Commit, setting(info, "vcs.revision"), pseudo.Commit)
	b.Date = cmp.Or(b.Date, setting(info, "vcs.time"), pseudo.Date)
	return b
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// fromPseudoVersion reads the commit and its time from the name that Go gives to a
// version without a tag: v0.0.0-20260102030405-0123456789ab. The number before the
// time may be longer, as in v1.2.3-0.20260102030405-0123456789ab.
func fromPseudoVersion(v string) build {
	v, _, _ = strings.Cut(v, "+")
	parts := strings.Split(v, "-")
	if len(parts) < 3 {
		return build{}
	}
	revision, stamp := parts[len(parts)-1], parts[len(parts)-2]
	stamp = stamp[strings.LastIndex(stamp, ".")+1:]
	when, err := time.Parse("20060102150405", stamp)
	if err != nil || len(revision) != 12 {
		return build{}
	}
	return build{Commit: revision, Date: when.Format(time.RFC3339)}
}

func (b build) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "assent %s\n", b.Version)
	for _, line := range [][2]string{{"commit", b.Commit}, {"date", b.Date}, {"go", b.Go}, {"platform", b.Platform}} {
		if line[1] != "" {
			fmt.Fprintf(&s, "%-8s  %s\n", line[0], line[1])
		}
	}
	return s.String()
}

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and what it was built from",
		Args:  atMost(0, "version takes none"),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return a.printJSON(thisBuild())
			}
			_, err := fmt.Fprint(a.out, thisBuild())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}
