package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

const plateName, lockFile = "server.json", "server.lock"

// lockPatience is how long a second server waits for the first to end.
const lockPatience = 300 * time.Millisecond

// plate is what a server says about itself in the state directory, for people and for the
// programs of this machine. The token is not in it.
type plate struct {
	PID     int    `json:"pid"`
	Host    string `json:"host"`
	Address string `json:"address"`
	// Resumes: sessions go on in it.
	Resumes bool `json:"resumes"`
}

func (o *occupied) write(address string, resumes bool) error {
	p := plate{PID: os.Getpid(), Address: address, Resumes: resumes}
	p.Host, _ = os.Hostname()
	text, err := strictjson.Marshal(p)
	if err != nil {
		return err
	}
	return durable.Replace(o.path, text, 0o600, filepath.Dir(o.path))
}

func readPlate(path string) (p plate, ok bool) {
	const most = 4 << 10
	text, err := durable.Read(path, most)
	if err != nil || strictjson.Unmarshal(text, &p) != nil || p.PID == 0 {
		return plate{}, false
	}
	p.Host, p.Address = policy.Visible(p.Host), policy.Visible(p.Address)
	return p, true
}

// next says how a session goes on whose call was answered: by itself, where a server sees
// to that.
func (d *counter) next(session string) string {
	dir := filepath.Join(d.dir, "inbox")
	if p, ok := readPlate(filepath.Join(dir, plateName)); ok && p.Resumes && occupiedNow(dir) {
		return "it goes on by itself: the inbox at " + p.Address + " sees to that"
	}
	return "go on with: " + d.resume(session)
}

// occupiedNow: a server serves the state directory. One that was killed has left its plate.
func occupiedNow(dir string) bool {
	const glance = 20 * time.Millisecond
	unlock, err := durable.Lock(filepath.Join(dir, lockFile), "the inbox", glance)
	if err == nil {
		unlock()
	}
	return errors.Is(err, context.DeadlineExceeded)
}
