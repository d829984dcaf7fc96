package people

import (
	"slices"
	"strings"
	"testing"
)

func (w *world) owners(requester string) string {
	w.t.Helper()
	names, err := w.Owners(w.t.Context(), w.db.Reads(), requester)
	w.must(err)
	return strings.Join(names, " ")
}

func TestA4_AccountsOfPeople(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Approver, "ben", "carl")
		for _, given := range [][2]string{{"root", "ben"}, {"Root", "anna"}, {"agent@build-7", "carl"}, {"uid 1000", "carl"}, {"runner", Nobody}} {
			w.must(w.GiveAccount(t.Context(), operator, given[0], given[1]))
		}
		w.must(w.GiveAccount(t.Context(), w.by("anna"), "root", "ben")) // that is so already
		for requester, want := range map[string]string{
			"root@vm": "anna ben", "ROOT@other": "anna ben", `CORP\root@vm`: "anna ben", "root": "anna ben", "root@a@b": "", "toor@vm": "", "vm@root": "",
			"agent@build-7": "carl", "Agent@BUILD-7": "carl", "agent@build-8": "", "agent": "", "uid 1000@vm": "carl", "uid 1001@vm": "", "runner@ci": Nobody, "": "",
			"toor@vm, root@vm": "anna ben", "runner@ci, agent@build-7": "carl " + Nobody, "toor@vm, toor@ci": "", "root@vm, …": "anna ben", "…": "",
		} {
			if got := w.owners(requester); got != want {
				t.Errorf("%q: %q, want %q", requester, got, want)
			}
		}
		all, err := w.Accounts(t.Context())
		if want := []Account{{"agent@build-7", "carl"}, {"root", "anna"}, {"root", "ben"}, {"runner", Nobody}, {"uid 1000", "carl"}}; err != nil || !slices.Equal(all, want) {
			t.Errorf("%v %v", all, err)
		}
		w.must(w.TakeAccount(t.Context(), operator, "ROOT", "ben"))
		if got := w.owners("root@vm"); got != "anna" {
			t.Error(got)
		}
		changes, err := w.Changes(t.Context(), "ben", 3)
		if w.must(err); changes[0].What != AccountTaken || changes[1].What != AccountGiven || changes[1].Note != "root" || changes[2].What != Added {
			t.Errorf("%+v", changes)
		}
	})
}

func TestA4_WhoMayGiveAccounts(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Approver, "ben")
		is[*NotAllowed](t, w.GiveAccount(t.Context(), w.by("ben"), "root", Nobody)) // it may be his
		w.must(w.GiveAccount(t.Context(), operator, "root", "ben"))
		is[*NotAllowed](t, w.TakeAccount(t.Context(), w.by("ben"), "root", "ben"))
		is[*Unknown](t, w.GiveAccount(t.Context(), operator, "root", "ghost"))
		for _, account := range []string{"", " ", "a\nb", "a\xff", "@vm", "root@", "root, toor", "…", strings.Repeat("a", 300)} {
			is[*BadValue](t, w.GiveAccount(t.Context(), operator, account, "ben"))
		}
		if e := is[*NotOwned](t, w.TakeAccount(t.Context(), operator, "toor", "ben")); !strings.Contains(e.Error(), "toor") {
			t.Error(e)
		}
	})
}
