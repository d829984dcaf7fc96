// Command peak runs a program and writes to a file how long it took and how much memory
// it needed at most: peak FILE PROGRAM ARGUMENT…
//
// It is a program of its own because it is small: the system counts the memory of the
// process that starts another one for that other one, too.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: peak FILE PROGRAM ARGUMENT…")
		os.Exit(2)
	}
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(2)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		fmt.Fprintln(os.Stderr, "peak: this system does not tell how much memory a process needed")
		os.Exit(2)
	}
	kilobytes := usage.Maxrss
	if runtime.GOOS == "darwin" { // which counts in bytes
		kilobytes /= 1024
	}
	text := fmt.Sprintf("{\"nanoseconds\": %d, \"kilobytes\": %d}\n", took.Nanoseconds(), kilobytes)
	if err := os.WriteFile(os.Args[1], []byte(text), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(2)
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		os.Exit(max(code, 1))
	}
}
