//go:build unix

package process

import (
	"os/exec"
	"testing"
)

// What was started and not released is killed, and nothing is started behind that.
func TestTheRegistryKillsWhatIsLeft(t *testing.T) {
	var r registry
	left, text := launch(t, "sleep 1000 & sleep 1000")
	released, _ := launch(t, "true")
	r.groups = map[*Group]struct{}{left: {}, released: {}}
	released.Release()
	r.remove(released)
	r.kill()
	text.awaitAll(t)
	left.Release()
	if err := r.start(&Group{cmd: exec.Command("/bin/sh", "-c", "true")}); err == nil {
		t.Error("something was started after the end")
	}
}
