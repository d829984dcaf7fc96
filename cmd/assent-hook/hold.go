package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
	"github.com/assent-dev/assent/inbox/socket/line"
)

// askBigProgram lets assent hold a call: this program knows no tickets, because to link
// them would cost every call what few calls need.
func askBigProgram(_ context.Context, at hookcmd.Place, h line.Hold) (line.Reply, error) {
	return bigProgramSays(h, at, hookcmd.HeldFlag, at.Dir)
}

// askWhetherHanded lets assent look whether a server may say yes.
func askWhetherHanded(_ context.Context, at hookcmd.Place, h line.Hold, ticket string, since time.Time) (line.Reply, error) {
	return bigProgramSays(h, at, hookcmd.HandedFlag, at.Dir, ticket, strconv.FormatInt(since.UnixMicro(), 10))
}

// bigProgramSays puts a call to `assent hook`.
func bigProgramSays(h line.Hold, at hookcmd.Place, args ...string) (line.Reply, error) {
	text, err := line.Request(h)
	if err != nil {
		return line.Reply{}, err
	}
	path, err := bigProgram()
	if err != nil {
		return line.Reply{}, err
	}
	answer, err := converse(path, append([]string{path, "hook"}, args...), at, text)
	if err != nil {
		return line.Reply{}, fmt.Errorf("%s does not hold the call: %w", path, err)
	}
	return line.ReadReply(answer)
}

// bigProgram is assent itself: the one beside this program, or else the one in PATH.
func bigProgram() (string, error) {
	name := "assent"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dirs := filepath.SplitList(os.Getenv("PATH"))
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		dirs = append([]string{filepath.Dir(self)}, dirs...)
	}
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) { // what lies where the agent works is not asked
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return path, nil
		}
	}
	return "", errors.New("assent is neither beside assent-hook nor in PATH, and only it can look into the tickets")
}

// converse starts a program, gives it a line and reads one. The program's standard input
// stays open for as long as this one waits. The address of a database has a password in it, so
// it goes by the environment.
func converse(path string, args []string, at hookcmd.Place, text []byte) ([]byte, error) {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ourOut.Close()
	defer theirIn.Close()
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ourIn.Close()
	defer theirOut.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	process, err := os.StartProcess(path, args, &os.ProcAttr{Env: environment(at), Files: []*os.File{theirIn, theirOut, null}})
	if err != nil {
		return nil, err
	}
	_, _ = theirIn.Close(), theirOut.Close() // the program has its own
	if _, err := ourOut.Write(text); err != nil {
		_ = process.Kill()
		return nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(ourIn, line.MaxReply+1))
	state, waited := process.Wait()
	switch {
	case err != nil:
		return nil, err
	case waited != nil:
		return nil, waited
	case !state.Success():
		return nil, fmt.Errorf("it ended with %v", state)
	case len(answer) > line.MaxReply || !bytes.HasSuffix(answer, []byte("\n")) || bytes.Count(answer, []byte("\n")) != 1:
		return nil, errors.New("what it says is not one line")
	}
	return answer[:len(answer)-1], nil
}

// environment is that of a process that holds calls in a place.
func environment(at hookcmd.Place) []string {
	const name = hookcmd.DatabaseVariable + "="
	all := slices.DeleteFunc(os.Environ(), func(one string) bool { return strings.HasPrefix(one, name) })
	if at.Database != "" {
		all = append(all, name+at.Database)
	}
	return all
}
