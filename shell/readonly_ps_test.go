package shell

import "testing"

// What a process was started with is no matter of every command: assent's own keys are there.
func TestT19_TheEnvironmentOfOthersIsAskedAbout(t *testing.T) {
	checkReadOnly(t, `
		ps
		ps aux
		ps -ef
		ps -e
		ps -aux
		ps auxww
		ps -eo pid,ppid,cmd
		ps -p 1234 -o comm=
		ps axo pid,rss
		ps -C node
		ps -u deploy -f
		ps --forest -ef
		ps -eLf
		ps 1234
		ps p 1234
		ps --sort=-rss -eo pid,rss
		ps --format pid,cmd
		ps -o pid -o cmd
		ps -A
		ps aux --sort=-%mem
		ps -fp 12,13
	`, `
		ps e
		ps eww
		ps auxe
		ps axe -o pid,command
		ps -o environ
		ps -eo pid,environ
		ps -E
		ps "e"
		ps $X
		ps -p $PPID eww
		ps -auxe
		ps -auxeww
		ps o environ
		ps --format=environ
		ps --format environ
		ps --environment
		ps -oenviron
		ps -o
		ps -O env
		ps -ue
		ps -C -e e
		ps ewwp 1
		systemctl show-environment
		systemctl --user show-environment
	`)
}
