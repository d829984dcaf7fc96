//go:build ignore

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// page asks for the first page of what waits, where so many tickets are.
func page(p *place, n int) (map[string]int64, error) {
	if err := p.fill(n); err != nil {
		return nil, err
	}
	if err := p.serve(nil); err != nil {
		return nil, err
	}
	var took []time.Duration
	const requests = 200
	for range requests {
		began := time.Now()
		text, err := p.ask("GET", "/api/v1/tickets?limit=50", "")
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
		var list struct {
			Tickets []struct {
				ID string `json:"id"`
			} `json:"tickets"`
		}
		if err := json.Unmarshal(text, &list); err != nil || len(list.Tickets) != min(50, n/2) {
			return nil, fmt.Errorf("%d tickets on the first page: %v", len(list.Tickets), err)
		}
	}
	return map[string]int64{"p50": at(took, 0.5), "p95": at(took, 0.95)}, nil
}

// fill makes many tickets, past the store: each would be a commit of its own. Every second
// one waits, so that both the list and what lies behind it are long.
func (p *place) fill(n int) error {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.state, "state.db")+"?_pragma=synchronous(OFF)&_pragma=busy_timeout(10000)")
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	const columns = "id, session, call, tool, input, cwd, digest, policy, why, state, fence, created, expires, outcome, holder, answer, asker, risk, kin"
	insert, err := tx.PrepareContext(ctx, "INSERT INTO tickets ("+columns+") VALUES ($1,$2,$3,$4,$5,$6,$7,'','',$8,0,$9,0,'deny','','','',$10,$11)")
	if err != nil {
		return err
	}
	history, err := tx.PrepareContext(ctx, "INSERT INTO history (ticket, number, at, was, became, fence, who, note) VALUES ($1,1,$2,'','pending',0,'bench','')")
	if err != nil {
		return err
	}
	now := time.Now().Add(-time.Hour).UnixMicro()
	id := ""
	for i := range n {
		if i%100 == 0 {
			id = session.NewID()
		}
		call := p.call(id, i)
		digest, err := call.Digest()
		if err != nil {
			return err
		}
		state := approval.Pending
		if i%2 == 0 {
			state = approval.Done
		}
		name := fmt.Sprintf("%012d", i)
		if _, err := insert.ExecContext(ctx, name, call.Session, call.ToolUseID, call.Tool, string(call.Input), call.Cwd, digest, string(state), now+int64(i), i%3+1, "Bash(echo)"); err != nil {
			return err
		}
		if _, err := history.ExecContext(ctx, name, now+int64(i)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
