//go:build !windows

package database

import (
	"database/sql"
	"database/sql/driver"
	"testing"
)

// A request that is given up may cost the database its connections. That moves nothing.
func TestS27_ConnectionsThatEndMoveNothing(t *testing.T) {
	d := file(t)
	must(t, d.Install(t.Context(), someTables))
	must(t, d.Share(2))
	for _, db := range []*sql.DB{d.db, d.readers} {
		conn, err := db.Conn(t.Context())
		must(t, err)
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		_ = conn.Close()
	}
	must(t, d.Try(t.Context()))
	if d.Moved() {
		t.Error("it is where it was")
	}
}
