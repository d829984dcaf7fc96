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
		"CONFIG_SITE=1 npm test": false, "HARNESS_PERL=1 npm test": false, "CONFIG_SITE=x; npm test": false, "OMPI_MCA_btl=1 npm test": false, "OMPI_MCA_x_DEBUG=x npm test": false,
		"X_TOOL_PATH=1 npm test": false, "X_EXEC=1 npm test": false, "X_PROG=on npm test": false, "X_EXEC= npm test": true, "SKIP_X=1 npm test": true,
		"BASH_ENV=x npm test": false, "VIRTUAL_ENV=x npm test": false, "CCACHE_PREFIX=x npm test": false, "NVM_DIR=x; npm test": false, "JAVA_HOME=x; npm test": false,
	} {
		if d := w.bash(command); (d.Behavior == allow) != want {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	exporting := newWorld(t, lists{Allow: []string{"Bash(npm test:*)", "Bash(set:*)", "Bash(shopt:*)", "Bash(printf:*)"}})
	for command, want := range map[string]bool{
		"export FOO; FOO=x; npm test": false, "declare -x FOO; FOO=./x; npm test": false, "typeset -gx FOO; FOO=x; npm test": false, "export FOO=1; FOO=x; npm test": false,
		"export FOO; read FOO < f; npm test": false, "export FOO; printf -v FOO x; npm test": false, "export FOO; for FOO in x; do npm test; done": false,
		"export FOO; : ${FOO:=x}; npm test": false, "export FOO; FOO+=x; npm test": false, "export FOO; getopts a FOO; npm test": false, "FOO=x; export FOO; npm test": false,
		"declare -g FOO=x; export FOO; npm test": false, "command export 'FOO=x'; npm test": false, "export 'FOO=x'; npm test": false,
		"set -a; FOO=x; npm test": false, "set -ea; FOO=x; npm test": false, "set -o allexport; FOO=x; npm test": false, "set -euo allexport; FOO=x; npm test": false,
		"shopt -so allexport; FOO=x; npm test": false, "set -a; for FOO in x; do npm test; done": false, "set -a; read FOO < f; npm test": false, "FOO=x; set -a; npm test": false,
		"export FOO=1; FOO=2; npm test": true, "export NODE_ENV; NODE_ENV=test; npm test": true, "export FOO; npm test": true, "export 'FOO=1'; npm test": true,
		"set -e; FOO=x; npm test": true, "set -a; NODE_ENV=test; npm test": true, "declare -g FOO=x; npm test": true, "set -euo pipefail; FOO=x; npm test": true,
	} {
		if d := exporting.bash(command); (d.Behavior == allow) != want {
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

// TestS44_NamesOfFiles: a variable may name a file that a program reads or writes, for one that only
// reads too, and 1 is such a name.
func TestS44_NamesOfFiles(t *testing.T) {
	newWorld(t, lists{}).asked(`GAWK_PERSIST_FILE=h awk 1 f
MAGIC=h file f
BC_ENV_ARGS=h bc <<< 1
SSLKEYLOGFILE=h curl -s http://localhost
GCOV_PREFIX=h ls
GMON_OUT_PREFIX=h ls
LLVM_PROFILE_FILE=h ls
MALLOC_TRACE=h ls
GLIBC_TUNABLES=h ls
NODE_V8_COVERAGE=x node -v
FOO=x node -v
export FOO=x; node -v
SOME_FILE=h go version
FOO=x npm ls`, `FOO=1 ls
FOO=bar grep x f
export VERSION=1.2; git log -1
FOO=bar ls
LC_ALL=C sort f
TERM=dumb git log -1
COLUMNS=200 ps aux
CI=1 node -v
NODE_ENV=test node -v
FOO=1 node -v`)
	newWorld(t, lists{Allow: []string{"Bash(npm test:*)"}}).asked(`TCL_LIBRARY=1 npm test
DEPENDENCIES_OUTPUT=0 npm test
COVERAGE_PROCESS_START=1 npm test
MYRC=1 npm test
X_DATA=1 npm test
FOO_SRC=1 npm test
FOO_LIB=0 npm test
export X_OUTPUT=1; npm test`, `FOO=1 npm test
DEBUG=1 npm test
RUN_INTEGRATION=1 npm test
CGO_ENABLED=0 npm test
PORT=3000 npm test
SKIP_PLUGINS=1 npm test
UPDATE_SNAPSHOTS=1 npm test
MALLOC_ARENA_MAX=2 npm test
HEADLESS=1 npm test`)
}

// TestS44_ListedValues: a variable that can load or run code does not with the values that are listed.
func TestS44_ListedValues(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(npm test:*)", "Bash(go build:*)", "Bash(git commit:*)", "Bash(git rebase:*)", "Bash(git fetch:*)", "Bash(export:*)", "Bash(hash:*)", "Bash(env:*)"}})
	w.asked(`PAGER=./cat git diff
PAGER='cat x' git diff
PAGER='cat; make' git diff
PAGER=$P git diff
P=cat; PAGER=$P git diff
GIT_PAGER=cat GIT_PAGER=./x git log
GIT_EDITOR=./true git rebase --continue
GIT_EDITOR='true; make' git rebase --continue
GIT_EDITOR=1 git rebase --continue
GIT_EDITOR= git commit --amend
GIT_TRACE=/home/dev/x git fetch
GIT_TRACE=3 git fetch
GIT_ICASE_PATHSPECS=1 git log -- X
GIT_TERMINAL_PROMPT=$X git fetch
GOFLAGS=-toolexec=x go build ./...
GOFLAGS='-mod=mod -toolexec=x' go build ./...
GOFLAGS=-modfile=x go build ./...
GOPROXY=https://h go build ./...
GOTOOLCHAIN=go1.99 go build ./...
NODE_OPTIONS='--require ./x' npm test
NODE_OPTIONS='--max-old-space-size=4096 -r ./x' npm test
NODE_OPTIONS=--max-old-space-size=4096x npm test
NODE_OPTIONS=--import=./1 npm test
NODE_OPTIONS=$O npm test
MAVEN_OPTS='-Xmx2g -javaagent:x' npm test
CFLAGS='-O2 -fplugin=x' npm test
RUSTFLAGS=-Clinker=x npm test
LESS='+!make' git log
cat() { "$@"; }; export -f cat; GIT_PAGER=cat git log
GIT_PAGER=cat git log; function cat { sh; }
cat() { "$@"; }; export -f cat; export PAGER=cat; git log
true() { echo; }; export -f true; GIT_EDITOR=true git commit --amend
alias cat=x; PAGER=cat git log
PATH=.; PAGER=cat git log
PATH=.:$PATH PAGER=cat git log
hash -p ./x cat; PAGER=cat git log
env 'BASH_FUNC_cat%%=() { ls; }' PAGER=cat git log`, `GIT_PAGER=cat git log
PAGER=cat git diff
PAGER= git diff
GIT_PAGER='' git log -3
export GIT_PAGER=cat; git log
export PAGER=cat; npm test
AWS_PAGER="" npm test
EDITOR=true git commit --amend --no-edit
GIT_EDITOR=true git rebase --continue
GIT_EDITOR=: git rebase --continue
GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash main
GIT_TERMINAL_PROMPT=0 git fetch
GIT_OPTIONAL_LOCKS=0 git status
GIT_TRACE=1 git fetch
GIT_AUTHOR_DATE='2020-01-01 00:00' git commit -m x
GOFLAGS=-mod=mod go build ./...
GOFLAGS='-mod=vendor -race' go build ./...
GOFLAGS= go build ./...
GOTOOLCHAIN=local GOWORK=off go build ./...
NODE_OPTIONS=--max-old-space-size=4096 npm test
NODE_OPTIONS='--max-old-space-size=4096 --experimental-vm-modules' npm test
export NODE_OPTIONS=--max-old-space-size=8192; npm test
MAVEN_OPTS='-Xmx2g -Xms512m' npm test
RUSTFLAGS='-D warnings' npm test
CFLAGS='-O2 -g' npm test
LESS=FRX git log`)
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(cat:*)"}}).asked("GIT_PAGER=cat git log", "GIT_EDITOR=true git commit --amend")
}
