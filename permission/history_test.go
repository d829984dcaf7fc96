package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// With history expansion bash makes other commands of the lines than are written.
func TestP16_HistoryExpansion(t *testing.T) {
	stopped := []string{
		"set -o history -H\n: touch x\n!!:1*", "set -H\n: touch x\n!!:1*", "set -o histexpand\n: touch x\n!!:1*", "set -o history\n: touch x\n!!:1*", "set -eHo history\n: touch x\n!!:1*", "set -H -o history\n: touch x\n^:^ ^", "set -o history -H\nhistchars=@; : touch x\n@@:3*",
		"shopt -so history histexpand\n: touch x\n!!:1*", "shopt -s -o histexpand\n: touch x\n!!:1*", "command set -o history -H\n: touch x\n!!:1*", "builtin set -H -o history\n: touch x\n!!:1*", "eval set -o history -H\n: touch x\n!!:1*", "E=set; $E -o history -H\n: touch x\n!!:1*", "O=-H; set -o history $O\n: touch x\n!!:1*", "O=$(date +-H); set -o history $O\n: touch x\n!!:1*", "set -o $O -o $P\n: touch x\n!!:1*",
		"bash -H -o history <<< $': touch x\\n!!:1*'", "bash -o histexpand -o history <<< $': touch x\\n!!:1*'", "bash -i <<< $': touch x\\n!!:1*'", "env SHELLOPTS=history:histexpand bash <<< $': touch x\\n!!:1*'", "dash -c 'SHELLOPTS=history:histexpand bash x.sh'", "bash -H <<< $'set -o history\\n: touch x\\n!!:1*'", "bash -c $'set -o history -H\\n: touch x\\n!!:1*'", "bash -o $O -o $P <<< $': touch x\\n!!:1*'", "bash -$O <<< $': touch x\\n!!:1*'", "printf ': touch x\\n!!:1*\\n' | bash -i", "bash --norc -iH <<< $': touch x\\n!!:1*'",
	}
	free := []string{"set -e\n[ ! -f x ] || cat x", "set +H\necho 'a!'", "set +o histexpand\necho 'a!'", "set -euo pipefail\necho 'a!'", "set -- $X\necho 'a!'", "set -o pipefail; echo 'a!!'", "shopt -o history\necho 'a!'", "set -- -H\necho 'a!'", "set a -H\necho 'a!'", "bash -c 'echo a!'", "bash +H -c 'echo a!'", "bash -ic 'echo a'", "bash -i <<< 'echo a'", "bash -i -c 'test ! -f x'"}
	for _, rules := range []lists{{Allow: []string{"Bash"}}, {Allow: []string{"Bash"}, Deny: []string{"Bash(touch:*)"}}} {
		newWorld(t, rules).check(commands{stopped: stopped})
	}
	newWorld(t, lists{Allow: []string{"Bash"}}).check(commands{free: free})
	newWorld(t, lists{Allow: []string{"Bash"}}, inMode(permission.BypassPermissions)).check(commands{stopped: stopped, free: free})
}
