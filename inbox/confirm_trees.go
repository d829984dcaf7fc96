package inbox

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/shell"
)

// wordOfTrees names the directories that a script deletes with everything below them, all of
// them: typing one would leave the others unread.
func wordOfTrees(trees []shell.Access) (word, why string) {
	var all []string
	for _, a := range trees {
		if strings.IndexByte(a.Path, shell.Unknown) >= 0 || strings.IndexByte(a.Path, shell.Glob) >= 0 {
			return anyCall, "it deletes everything below a directory, and which one is only known when it runs"
		}
		if !slices.Contains(all, a.Path) {
			all = append(all, a.Path)
		}
	}
	why = "it deletes everything below " + policy.WellFormed(policy.PartText(strings.Join(all, ", ")))
	if len(all) == 1 {
		return lastName(all[0]), why
	}
	return typeable(strings.Join(all, " ")), why
}
