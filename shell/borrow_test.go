package shell_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

var borrowed = []string{
	"git status",
	"",
	"cd web && docker compose -f a.yml up -d && ls > out",
	"find . -name '*.go' | xargs grep -n x | sort",
	"X=/etc; cat $X/shadow; for f in a b; do rm $f; done",
	"if then",
	strings.Repeat("a b c; ", 200),
	"echo " + strings.Repeat("word ", 2000),
}

func TestBorrowReadsLikeParse(t *testing.T) {
	for range 3 { // what one leaves behind must not show in the next
		for _, src := range borrowed {
			loan := shell.Borrow(shell.Bash, src)
			same(t, loan.Script, shell.Parse(src))
			loan.Return()
		}
	}
}

func TestLoansDoNotShareRoom(t *testing.T) {
	var loans []shell.Loan
	for _, src := range borrowed {
		loans = append(loans, shell.Borrow(shell.Bash, src))
	}
	for i, src := range borrowed {
		same(t, loans[i].Script, shell.Parse(src))
	}
	for _, loan := range loans {
		loan.Return()
	}
}

func same(t *testing.T, got, want *shell.Script) {
	t.Helper()
	if got.Source != want.Source || !reflect.DeepEqual(got.Problem, want.Problem) || !slices.Equal(got.SureAccesses(), want.SureAccesses()) {
		t.Errorf("%.40q: %+v, want %+v", want.Source, got, want)
	}
	if len(got.Commands) != len(want.Commands) {
		t.Fatalf("%.40q: %d commands, want %d", want.Source, len(got.Commands), len(want.Commands))
	}
	for i := range want.Commands {
		if !reflect.DeepEqual(got.Commands[i], want.Commands[i]) {
			t.Errorf("%.40q: %+v, want %+v", want.Source, got.Commands[i], want.Commands[i])
		}
	}
}
