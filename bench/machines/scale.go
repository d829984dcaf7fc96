//go:build ignore

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// settles is how long processes get to come to rest, and rests how long they are looked at then.
const settles, rests = 70 * time.Second, 40 * time.Second

// scale fills a database with sessions that have ended and with some in which a call waits, and measures
// what a server and two workers that have just come need at rest, what commands over it take, and how
// fast 1, 2 and 4 workers let sessions go on. Times are in nanoseconds; statements are those of one
// process in 1000 seconds.
func scale(p *postgres, dir, program string, ended, waiting, cycles int) (map[string]int64, error) {
	here, err := join(p.address, filepath.Join(dir, "bench"))
	if err != nil {
		return nil, err
	}
	defer here.close()
	b := &scaled{place: here, dir: dir, program: program, found: map[string]int64{}}
	if b.rows, err = sql.Open("pgx", p.address); err != nil {
		return nil, err
	}
	defer b.rows.Close()
	for _, step := range []func() error{
		func() error { return b.fill(ended, waiting) }, b.commands, b.rest, func() error { return b.cycles(cycles) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.found, nil
}

type scaled struct {
	*place
	dir, program string
	rows         *sql.DB
	found        map[string]int64
	calls, done  int
}

func (b *scaled) exec(texts ...string) error {
	for _, text := range texts {
		if _, err := b.rows.ExecContext(context.Background(), text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// fill makes the sessions. One that has ended is made as all are, and the others of it in the database:
// nobody reads them.
func (b *scaled) fill(ended, waiting int) error {
	if err := b.exec("ALTER SYSTEM SET synchronous_commit = off", "SELECT pg_reload_conf()", "CREATE EXTENSION IF NOT EXISTS pg_stat_statements"); err != nil {
		return err
	}
	if ended > 0 {
		if err := b.fillEnded(ended); err != nil {
			return err
		}
	}
	if _, err := b.parkMany(waiting); err != nil {
		return err
	}
	return b.exec("ALTER SYSTEM SET synchronous_commit = on", "SELECT pg_reload_conf()", "VACUUM ANALYZE", "CHECKPOINT")
}

func (b *scaled) fillEnded(n int) error {
	id, text := session.NewID(), strings.Repeat("What was said in it. ", 150)
	tr, err := b.sessions.Create(id, session.Start{Cwd: b.project, Model: "script", Mode: "default"})
	if err != nil {
		return err
	}
	err = errors.Join(
		tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("Deploy it.")}}),
		tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{model.TextBlock(text)}}),
		tr.Append(session.Ended, map[string]string{"subtype": "success"}),
		tr.Close())
	if err != nil {
		return err
	}
	return b.exec(
		"CREATE TABLE ends AS SELECT gen_random_uuid()::text AS id FROM generate_series(1, "+strconv.Itoa(n-1)+")",
		"CREATE TABLE ended AS SELECT * FROM depot_sessions WHERE id = '"+id+"'",
		"INSERT INTO depot_sessions (id, fence, holder, until, size, started, written, cwd, labels, going, outlined) SELECT ends.id, fence, '', 0, size, started, written - (random() * 1e12)::bigint, cwd, labels, 0, outlined FROM ended, ends",
		"INSERT INTO depot_outlines (session, waits, noted, data) SELECT ends.id, 0, 0, convert_to(replace(convert_from(data, 'UTF8'), session, ends.id), 'UTF8') FROM depot_outlines, ends WHERE session = '"+id+"'",
		`CREATE TABLE pieces AS SELECT ends.id AS session, p.place, p.size, convert_to(replace(convert_from(b.data, 'UTF8'), p.session, ends.id), 'UTF8') || convert_to(CASE p.place WHEN 0 THEN '' ELSE ends.id END, 'UTF8') AS data
			FROM depot_parts p JOIN depot_pieces b ON b.digest = p.digest, ends WHERE p.session = '`+id+"'",
		"INSERT INTO depot_pieces (digest, data) SELECT encode(sha256(data), 'hex'), data FROM pieces",
		"INSERT INTO depot_parts (session, place, size, digest) SELECT session, place, size, encode(sha256(data), 'hex') FROM pieces",
		"DROP TABLE pieces, ends, ended")
}

// parkMany makes sessions in which a call waits.
func (b *scaled) parkMany(n int) ([]approval.Ticket, error) {
	from := b.calls + 1
	b.calls += n
	all := make([]approval.Ticket, n)
	return all, several(n, func(i int) (err error) {
		all[i], err = b.park(from + i)
		return err
	})
}

// several does n things, four of them at once.
func several(n int, do func(i int) error) error {
	const atOnce = 4
	failed := make([]error, atOnce)
	var work sync.WaitGroup
	for first := range atOnce {
		work.Go(func() {
			for i := first; i < n && failed[first] == nil; i += atOnce {
				failed[first] = do(i)
			}
		})
	}
	work.Wait()
	return errors.Join(failed...)
}

// commands is what commands over the database take on a machine that has never seen it.
func (b *scaled) commands() error {
	for name, args := range map[string][]string{"inbox": {"inbox", "--once"}, "list": {"sessions", "list"}} {
		var took []time.Duration
		for range 3 {
			cmd, err := b.command(filepath.Join(b.dir, "fresh"), args...)
			if err != nil {
				return err
			}
			began := time.Now()
			if text, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%q: %w\n%s", args, err, text)
			}
			took = append(took, time.Since(began))
		}
		b.found[name] = at(took, 0.5)
	}
	return nil
}

func (b *scaled) command(home string, args ...string) (*exec.Cmd, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.Command(b.program, args...)
	cmd.Dir, cmd.Env = b.project, append(os.Environ(), "HOME="+home, "ASSENT_HOME=", "ASSENT_DATABASE="+b.address)
	return cmd, nil
}

// rest is what a server and two workers need while nobody does anything.
func (b *scaled) rest() error {
	m := &machines{place: b.place, dir: b.dir, program: b.program}
	defer m.end()
	if err := m.begin(); err != nil {
		return err
	}
	if _, err := m.run("second", "worker", "--", "--model", "script:"+filepath.Join(b.dir, "end.yaml")); err != nil {
		return err
	}
	time.Sleep(settles)
	before, err := m.cpu()
	if err != nil {
		return err
	}
	if err := b.exec("SELECT pg_stat_statements_reset()"); err != nil {
		return err
	}
	time.Sleep(rests)
	var statements float64
	if err := b.rows.QueryRow("SELECT COALESCE(SUM(calls), 0) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'").Scan(&statements); err != nil {
		return err
	}
	if path := os.Getenv("BENCH_STATEMENTS"); path != "" {
		if err := b.list(path); err != nil {
			return err
		}
	}
	after, err := m.cpu()
	if err != nil {
		return err
	}
	b.found["statements"] = int64(statements / rests.Seconds() / float64(len(m.running)) * 1000)
	for i, name := range []string{"server", "worker", "second"} {
		b.found["cpu_"+name] = int64(after[i] - before[i])
		size, err := sizeOf(filepath.Join(b.dir, name, ".assent", "sessions"))
		if err != nil {
			return err
		}
		b.found["bytes"] += size
		rss, err := memoryOf(m.running[i].Process.Pid)
		if err != nil {
			return err
		}
		b.found["memory_"+name] = rss
	}
	return nil
}

// list writes down which statements there were.
func (b *scaled) list(path string) error {
	rows, err := b.rows.Query("SELECT calls, query FROM pg_stat_statements ORDER BY calls DESC")
	if err != nil {
		return err
	}
	defer rows.Close()
	var text strings.Builder
	for rows.Next() {
		var calls int64
		var query string
		if err := rows.Scan(&calls, &query); err != nil {
			return err
		}
		fmt.Fprintln(&text, calls, strings.Join(strings.Fields(query), " "))
	}
	return errors.Join(rows.Err(), os.WriteFile(path, []byte(text.String()), 0o600))
}

// cycles lets 1, 2 and 4 workers, each with one session at once, go on with so many sessions each time
// whose call was approved, to their end.
func (b *scaled) cycles(n int) error {
	for _, workers := range []int{1, 2, 4} {
		tickets, err := b.parkMany(n)
		if err != nil {
			return err
		}
		m := &machines{place: b.place, dir: b.dir, program: b.program}
		for i := range workers {
			if _, err := m.run(fmt.Sprintf("cycles-%d-%d", workers, i), "worker", "--workers", "1", "--", "--model", "script:"+filepath.Join(b.dir, "end.yaml")); err != nil {
				return err
			}
		}
		time.Sleep(3 * time.Second) // until they are ready
		began := time.Now()
		if err = b.approveAll(tickets); err == nil {
			err = b.untilDone(len(tickets))
		}
		b.found[fmt.Sprint("cycle_", workers)] = int64(time.Since(began)) / int64(len(tickets))
		m.end()
		if err != nil {
			return err
		}
		b.done += len(tickets)
	}
	return nil
}

// approveAll approves several at once, so that workers need not wait for the next approval.
func (b *scaled) approveAll(tickets []approval.Ticket) error {
	return several(len(tickets), func(i int) error {
		_, err := b.tickets.Approve(context.Background(), tickets[i].ID, tickets[i].Digest, "ann", "", nil)
		return err
	})
}

// untilDone waits until the calls of further tickets are done, and their sessions have ended.
func (b *scaled) untilDone(n int) error {
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var done int
		if err := b.rows.QueryRow("SELECT COUNT(*) FROM tickets WHERE state = 'done'").Scan(&done); err != nil {
			return err
		}
		if done >= b.done+n {
			return nil
		}
	}
	return errors.New("the calls do not come to their end")
}

// cpu is how long each process was at work.
func (m *machines) cpu() (all []time.Duration, err error) {
	for _, cmd := range m.running {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		if err != nil {
			return nil, err
		}
		fields := strings.Fields(string(text)[strings.LastIndexByte(string(text), ')')+1:])
		user, _ := strconv.ParseInt(fields[11], 10, 64)
		system, _ := strconv.ParseInt(fields[12], 10, 64)
		all = append(all, time.Duration(user+system)*time.Second/100)
	}
	return all, nil
}

func memoryOf(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(syscall.Getpagesize()), err
}

// sizeOf is how much lies below a directory, which need not be there.
func sizeOf(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && e.Type().IsRegular() {
			info, bad := e.Info()
			if bad != nil {
				return bad
			}
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}
