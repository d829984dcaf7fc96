package inbox

import "testing"

// Whoever approves the deletion of a directory reads that everything below it goes, and types
// its name.
func TestT16_DeletingATreeIsSaid(t *testing.T) {
	w := newWorld(t)
	for command, want := range map[string]struct{ access, word, why string }{
		"rm -rf ./scratch/old":   {"deletes everything below", "old", "it deletes everything below ./scratch/old"},
		"rm -f ./scratch/file.o": {"deletes", "", ""},
		"mv ./scratch/old other": {"deletes", "", ""},
	} {
		d := w.look(w.park(bash(command))[0].ID)
		if len(d.Consequences.Files) == 0 || d.Consequences.Files[0].Access != want.access {
			t.Errorf("%s: %+v", command, d.Consequences.Files)
		}
		switch {
		case want.word == "" && d.Confirm != nil:
			t.Errorf("%s: %+v", command, d.Confirm)
		case want.word != "" && (d.Confirm == nil || d.Confirm.Word != want.word || d.Confirm.Why != want.why || d.Risk != "high"):
			t.Errorf("%s: %+v, risk %v", command, d.Confirm, d.Risk)
		}
	}
}
