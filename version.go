package assent

import "runtime/debug"

// Version is that of this module in the program that uses it: "v1.2.3", or "devel" for a
// checkout. `assent version` says the same of a program that `go install` has built.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return devel
	}
	return versionIn(info)
}

const devel = "devel"

func versionIn(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != "github.com/assent-dev/assent" {
			continue
		}
		if m.Replace != nil { // what is built is something else
			m = m.Replace
		}
		if m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return devel
}
