//go:build ignore

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
)

var errNotInstalled = errors.New("PostgreSQL is not installed (scripts/setup installs it)")

// postgres is a server of this program's own, which listens on no network. It is as careful as
// one is that nobody has told otherwise: what it acknowledges is on the disk.
type postgres struct {
	address string
	dir     string
	command *exec.Cmd
}

func startPostgres(settings ...string) (_ *postgres, err error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg") // short: the name of a socket must be
	if err != nil {
		return nil, err
	}
	p := &postgres{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.stop())
		}
	}()
	who := identity()
	if who != nil {
		if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
			return nil, err
		}
	}
	as := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{Credential: who, Setpgid: true}
		return cmd
	}
	data := filepath.Join(dir, "data")
	if text, err := as("initdb", "--no-sync", "--username=assent", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", data).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, text)
	}
	args := []string{"-D", data, "-k", dir, "-c", "listen_addresses="}
	for _, one := range settings {
		args = append(args, "-c", one)
	}
	command := as("postgres", args...)
	if err := command.Start(); err != nil {
		return nil, err
	}
	p.command = command
	p.address = (&url.URL{Scheme: "postgres", Path: "/postgres", RawQuery: url.Values{"host": {dir}, "user": {"assent"}}.Encode()}).String()
	db, err := sql.Open("pgx", p.address)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return p, until(func() bool { return db.PingContext(context.Background()) == nil })
}

// binaries is where the programs of the newest PostgreSQL are.
func binaries() (string, error) {
	all, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // the pattern is right
	slices.Sort(all)
	if len(all) > 0 {
		return filepath.Dir(all[len(all)-1]), nil
	}
	path, err := exec.LookPath("postgres")
	if err != nil {
		return "", errNotInstalled
	}
	return filepath.Dir(path), nil
}

// identity is who runs the server: PostgreSQL refuses to be run by root. It is nil for anybody
// else.
func identity() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if found, err := user.Lookup(name); err == nil {
			uid, _ := strconv.Atoi(found.Uid) // it is a number here
			gid, _ := strconv.Atoi(found.Gid)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	return nil
}

// stop ends the server at once, and removes all of it.
func (p *postgres) stop() error {
	if p.command != nil {
		_ = p.command.Process.Signal(syscall.SIGQUIT)
		_ = p.command.Wait() // a signal is no good end
	}
	return os.RemoveAll(p.dir)
}
