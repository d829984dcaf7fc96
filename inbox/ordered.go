package inbox

import (
	"cmp"
	"slices"

	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/permission"
)

// Ordered are calls that wait in the order in which a server lists them: those of which nobody
// knows whether they ran, then by risk, the newest first. more is how many are left out,
// because their session has too many.
func Ordered(items []client.Item) (listed []client.Item, more int) {
	listed = slices.SortedFunc(slices.Values(items), func(a, b client.Item) int {
		return cmp.Or(-cmp.Compare(urgency(a), urgency(b)), b.Since.Compare(a.Since), cmp.Compare(b.ID, a.ID))
	})
	of := map[string]int{}
	listed = slices.DeleteFunc(listed, func(i client.Item) bool {
		of[i.Session]++
		return of[i.Session] > maxListed
	})
	if listed == nil {
		listed = []client.Item{}
	}
	return listed, len(items) - len(listed)
}

func urgency(i client.Item) permission.Risk {
	if i.State == "unknown" {
		return permission.HighRisk + 1
	}
	risk, _ := permission.ParseRisk(i.Risk) // what is none counts as high
	return risk
}
