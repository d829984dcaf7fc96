package approval

import (
	"context"
	"database/sql"
	"sync"
)

// statements are the texts that were run in transactions of a store. SQLite takes longer
// to understand one of them than to run it, so a text that is run again stays prepared
// until the store is closed. A process that changes one ticket, as a command does,
// prepares nothing in advance.
type statements struct {
	mu   sync.Mutex
	kept map[string]*sql.Stmt // nil: the text was run, and is not prepared yet
}

// prepare prepares what was run before. It needs the connection, which a transaction
// keeps for itself, so its time is before one.
func (s *statements) prepare(ctx context.Context, db *sql.DB) error {
	for _, text := range s.unprepared() {
		stmt, err := db.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		if !s.keep(text, stmt) { // somebody was faster
			_ = stmt.Close()
		}
	}
	return nil
}

func (s *statements) unprepared() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var texts []string
	for text, stmt := range s.kept {
		if stmt == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

func (s *statements) keep(text string, stmt *sql.Stmt) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[text] != nil {
		return false
	}
	s.kept[text] = stmt
	return true
}

// of is what is prepared of a text; nil means nothing yet.
func (s *statements) of(text string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[string]*sql.Stmt{}
	}
	stmt := s.kept[text]
	s.kept[text] = stmt
	return stmt
}

// transaction is one in which texts run that are prepared where it pays.
type transaction struct {
	*sql.Tx
	statements *statements
}

func (t *transaction) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if stmt := t.statements.of(text); stmt != nil {
		return t.StmtContext(ctx, stmt).ExecContext(ctx, args...)
	}
	return t.Tx.ExecContext(ctx, text, args...)
}

func (t *transaction) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if stmt := t.statements.of(text); stmt != nil {
		return t.StmtContext(ctx, stmt).QueryContext(ctx, args...)
	}
	return t.Tx.QueryContext(ctx, text, args...)
}

func (t *transaction) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	if stmt := t.statements.of(text); stmt != nil {
		return t.StmtContext(ctx, stmt).QueryRowContext(ctx, args...)
	}
	return t.Tx.QueryRowContext(ctx, text, args...)
}
