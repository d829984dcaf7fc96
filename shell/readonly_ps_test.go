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
		systemctl status ssh
		systemctl show -p ActiveState ssh
		systemctl show --property=ActiveState,SubState ssh
		systemctl list-units --type=service
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
		systemctl show ssh
		systemctl show
		systemctl show -p Environment ssh
		systemctl show -p ActiveState -p EnvironmentFiles ssh
		systemctl show -PEnvironment ssh
		systemctl show --property "$X" ssh
		systemctl cat ssh
		/usr/bin/systemctl show ssh
	`)
}

// A variable makes another ps of it: an e is the environment then, with a dash as well.
func TestT19_VariablesOfPs(t *testing.T) {
	for _, command := range []string{
		"PS_PERSONALITY=bsd ps -ef",
		"PS_PERSONALITY=bsd ps -e -p 1234",
		"PS_PERSONALITY=old ps -eww",
		"env PS_PERSONALITY=bsd ps -ef",
		"export PS_PERSONALITY=bsd; ps -ef",
		"CMD_ENV=bsd ps -ef",
		"I_WANT_A_BROKEN_PS=1 ps -ef",
		"PS_FORMAT=environ ps",
		"export PS_FORMAT=environ; ps",
	} {
		if Parse(command).ReadOnly().Text == "" {
			t.Errorf("%s: should raise a doubt", command)
		}
	}
}
