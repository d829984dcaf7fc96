//go:build !linux

package foreign

import (
	"os"
	"testing"
)

func withoutRights(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("nothing is read-only for root")
	}
	do()
}
