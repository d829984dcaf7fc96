// Dist builds a release: go run ./scripts/dist, or `make dist`.
//
// For every platform it compiles both programs without cgo, packs them with the licences,
// the man pages and the completions, and writes a bill of materials beside them
// (CycloneDX); SHA256SUMS covers all of it. The same commit and the same Go make the same
// bytes: every time in them is that of the commit.
package main

import (
	"cmp"
	"compress/flate"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("dist", flag.ExitOnError)
	r := release{commit: fromGit("rev-parse", "HEAD"), level: flate.BestCompression}
	flags.StringVar(&r.source, "source", ".", "the directory with the sources")
	flags.StringVar(&r.out, "out", "dist", "the directory for the release")
	flags.StringVar(&r.share, "share", "dist/share", "the directory with the man pages and completions (make man)")
	flags.StringVar(&r.version, "version", cmp.Or(fromGit("describe", "--tags", "--always", "--dirty"), "devel"), "the name of the release")
	names := flags.String("targets", strings.Join(everywhere, ","), "the platforms, separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}
	seconds := cmp.Or(os.Getenv("SOURCE_DATE_EPOCH"), fromGit("log", "-1", "--format=%ct"))
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the commit is unknown: build in a git checkout, or set SOURCE_DATE_EPOCH to its seconds since 1970 (%w)", err)
	}
	r.time = time.Unix(epoch, 0).UTC()
	if r.targets, err = parseTargets(*names); err != nil {
		return err
	}
	return r.make(os.Stdout)
}

// fromGit is what git knows, or nothing.
func fromGit(args ...string) string {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
