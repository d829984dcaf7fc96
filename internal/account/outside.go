package account

import (
	"fmt"
	"strconv"
	"strings"
)

// Inside a user namespace whoever has made it chooses under which number he works, and what the
// files there say about names. The kernel says which number that is one level further out, but
// not on how many levels somebody has chosen it. So such an account is never taken for the one
// without a namespace: it has a name of its own, and an admin can say whose it is.

// namespaced stands behind the name of an account in a user namespace.
const namespaced = "+userns"

// everyone is how many numbers there are for users, all of which are themselves where there is no
// namespace. Nobody else can map all of them.
const everyone = 1<<32 - 1

// outerName is the name of an account by the map of its user namespace, as the kernel writes it:
// lines of the first number inside, the first one outside, and how many. It is empty where there is
// no namespace, so that the number means what it says.
func outerName(uidMap string, uid int) string {
	for line := range strings.Lines(uidMap) {
		var inside, outside, count int64
		if _, err := fmt.Sscan(line, &inside, &outside, &count); err != nil {
			break
		}
		if inside == 0 && outside == 0 && count == everyone {
			return ""
		}
		if first := int64(uid) - inside; first >= 0 && first < count && outside < everyone {
			return "uid " + strconv.FormatInt(outside+first, 10) + namespaced
		}
	}
	return unknownOutside
}

// unknownOutside is an account of which nobody knows who it is outside.
const unknownOutside = "somebody" + namespaced
