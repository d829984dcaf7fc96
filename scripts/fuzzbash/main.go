//go:build linux

// Fuzzbash compares judgements of shell scripts with what real shells do: go run ./scripts/fuzzbash,
// or `make fuzz-bash`.
//
// It writes random scripts and judges them in process, with the code that decides in an agent.
// What is allowed runs in a real bash, as a user without rights, in a root directory of its own, with
// stubs that only say that they were started, and programs that read. No stub may have been started
// that would not have been allowed by itself, no file opened that a rule denies, none changed where
// only reading is allowed. The judgement may not crash, either, and takes less than a second.
//
// The scripts of testdata/seeds.txt come first: what was found once is tried for ever.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

func main() {
	err := run(os.Args[1:])
	if err == nil {
		return
	}
	if !errors.Is(err, errSaid) {
		fmt.Fprintln(os.Stderr, "fuzzbash:", err)
	}
	if errors.Is(err, errUnconfined) {
		os.Exit(unconfined)
	}
	os.Exit(1)
}

type options struct {
	time    time.Duration
	seed    uint64
	workers int
	seeds   bool
	// For the process that does the work: where, and how scripts are confined.
	root    string
	confine string
}

var (
	errFound      = errors.New("a script was allowed and did what it may not do, or broke the judgement")
	errUnconfined = errors.New("scripts cannot be confined")
	errSaid       = errors.New("what is wrong was said already")
)

// unconfined is the exit status that says so.
const unconfined = 3

func run(args []string) error {
	flags := flag.NewFlagSet("fuzzbash", flag.ExitOnError)
	var o options
	flags.DurationVar(&o.time, "time", time.Minute, "how long scripts are tried")
	flags.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "where the random numbers start")
	flags.IntVar(&o.workers, "workers", 2*runtime.NumCPU(), "how many scripts are tried at once")
	flags.BoolVar(&o.seeds, "seeds", true, "try the scripts of testdata/seeds.txt first")
	flags.StringVar(&o.root, "root", "", "used by the program itself")
	flags.StringVar(&o.confine, "confine", "", "used by the program itself")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.root != "" {
		return o.work()
	}
	for _, c := range confinements() {
		err := o.start(args, c)
		if !errors.Is(err, errUnconfined) {
			return err
		}
	}
	return errUnconfined
}

// start runs this program a second time, in name spaces of its own. A stack that overflows ends a
// process, and another process has to say which script did it.
func (o *options) start(args []string, c confinement) error {
	root, err := os.MkdirTemp("", "fuzzbash")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append(args, fmt.Sprintf("-seed=%d", o.seed), "-root="+root, "-confine="+string(c))...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	c.confine(cmd)
	if err := cmd.Start(); err != nil {
		return errors.Join(errUnconfined, err)
	}
	err = cmd.Wait()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case !failed:
		return err
	case exit.ExitCode() == unconfined:
		return errUnconfined
	case exit.ExitCode() == 1:
		return errSaid
	}
	fmt.Println("crash: see above; one of these scripts was judged:")
	notes, _ := filepath.Glob(root + "/now-*")
	for _, path := range notes {
		fmt.Println("   ", shown(noted(path)))
	}
	return err
}
