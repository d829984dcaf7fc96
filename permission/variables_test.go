package permission_test

import "testing"

// TestS44_Variables: a variable that is set for a command is harmless only if it is listed.
func TestS44_Variables(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(npm test:*)", "Bash(go build:*)"}})
	for command, want := range map[string]bool{
		"CI=1 npm test": true, "TZ=Europe/Berlin NO_COLOR=1 npm test": true, "LC_ALL=C.UTF-8 npm test": true, "NODE_ENV=test npm test": true, "RAILS_ENV=test npm test": true,
		"CGO_ENABLED=0 GOOS=linux go build": true, "DEBUG='app:*' npm test": true, "PORT=$P npm test": true, "MYAPP_PORT=3000 npm test": true, "GITHUB_TOKEN=$T npm test": true,
		"DATABASE_URL=postgres://u:p@localhost:5432/db?x=1 npm test": true, "VITE_API=http://localhost npm test": true, "export CI=1; npm test": true,
		"x=5; npm test": true, "OUT_DIR=./x; npm test": true, "for f in a b; do npm test; done": true, "read line; npm test": true, "declare n=1; npm test": true,
		"FOO=1 npm test": true, "A=1 B=false npm test": true, "FOO= npm test": true, "export FOO=1; npm test": true, "PKG_CONFIG=1 npm test": false, "FOO=$X npm test": false, "FOO=1x npm test": false,
		"FOO=x npm test": false, "MYAPP_MODE=x npm test": false, "COMPILER_PATH=. npm test": false, "DOTNET_STARTUP_HOOKS=x npm test": false, "export FOO=x; npm test": false,
		"FOO=x; export FOO; npm test": false, "declare -x FOO=x; npm test": false, "command export FOO=x; npm test": false, "FOO=x timeout 5 npm test": false,
		"FOO=x command npm test": false, "NODE_ENV=../x npm test": false, "NODE_ENV=$X npm test": false, "N=../x; NODE_ENV=$N npm test": false, "TZ=:/x npm test": false,
		"DATABASE_URL='jdbc:h2:mem;INIT=RUNSCRIPT' npm test": false, "DATABASE_URL=sqlite:///x npm test": false, "DEBIAN_FRONTEND='x; system(1)' npm test": false,
		"BASH_ENV=x npm test": false, "VIRTUAL_ENV=x npm test": false, "CCACHE_PREFIX=x npm test": false, "NVM_DIR=x; npm test": false, "JAVA_HOME=x; npm test": false,
	} {
		if d := w.bash(command); (d.Behavior == allow) != want {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	const why = "no rule allows it and it is not known to only read (setting FOO may change what the command runs; FOO is not on the list of harmless variables): `npm test`"
	if got := w.bash("FOO=x npm test").Message(); got != why {
		t.Errorf("the reason is %q", got)
	}
	reading := newWorld(t, lists{})
	for command, want := range map[string]bool{
		"FOO=1 ls": true, "export D=src; cat $D/x": true, "export FOO=bar": true, "FOO=$X ls": true,
		"VOLTA_HOME=./x node --version": false, "DEVELOPER_DIR=./x git status": false, "X_CONFIG=./x ls": false, "export X_PLUGINS=./x; ls": false, "READNULLCMD=make; < a": false,
	} {
		if d := reading.bash(command); (d.Behavior == allow) != want {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	every := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(rm:*)"}})
	for command, want := range map[string]bool{
		"FOO=1 npm test": true, "env FOO=1 npm test": true, "PATH=. npm test": false, "env PATH=. npm test": false, "sudo LD_PRELOAD=x npm test": false, "FOO='rm x' npm test": false,
	} {
		if d := every.bash(command); (d.Behavior == allow) != want {
			t.Errorf("with every command allowed, %s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}
