package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestS15_InlineProgramNamesDeniedFile: no allow rule covers a program in another
// language that names a file of a deny rule; the mode decides, as for any command that
// nothing allows.
func TestS15_InlineProgramNamesDeniedFile(t *testing.T) {
	rules := lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(.env)", "Edit(/src/**)"}}
	w := newWorld(t, rules)
	for command, want := range map[string]permission.Behavior{
		`python3 -c "print(open('.env').read())"`:         ask,
		`node -e "require('fs').readFileSync('./.env')"`:  ask,
		"python3 - <<'EOF'\nopen('.env')\nEOF":            ask,
		`echo "open('.env')" | python3`:                   ask,
		`cd sub && python3 -c "open('../.env')"`:          ask,
		`sh -c "python3 -c \"open('.env')\""`:             ask,
		`node -e "fs.writeFileSync('src/a.ts', 'x')"`:     ask,
		`python3 -c "print(open('package.json').read())"`: allow,
		`python3 -c "print('hello')"`:                     allow,
	} {
		if d := w.bash(command); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", command, d.Behavior, d.Message(), want)
		}
	}
	words := newWorld(t, lists{Allow: []string{"Bash(python3:*)"}, Deny: []string{"Read(.env)"}})
	words.want(words.bash(`python3 -c "open('.env')"`), ask, permission.ByNoRule)

	bypass := newWorld(t, lists{Deny: []string{"Read(.env)"}}, inMode(permission.BypassPermissions))
	if d := bypass.bash(`python3 -c "open('.env')"`); d.Behavior != allow {
		t.Errorf("bypassPermissions: %v (%s)", d.Behavior, d.Message())
	}
}

// TestS15_UnpackingReadsTheArchive: only the archive is read, wherever its content goes.
func TestS15_UnpackingReadsTheArchive(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(.env)", "Edit(/kept/**)"}})
	for command, want := range map[string]permission.Behavior{
		"unzip -o a.zip -d out": allow, "tar xzf a.tgz -C out": allow, "tar xfC a.tgz out": allow, "7z x a.7z -oout": allow,
		`cd "$(git rev-parse --show-toplevel)" && npm test`: allow,
		"unzip a.zip -d kept":                               deny, "tar xf a.tar -C kept": deny, "tar xfC a.tar kept": deny,
		"tar cf x.tar .": ask, "pax -w .": ask, "pax -wf x.pax .": ask, "star -c .": ask, "7z a x.7z .": ask, "unzip .env": deny, `cd "$X" && cat .env`: deny,
	} {
		if d := w.bash(command); d.Behavior != want && !(want == deny && d.Behavior == ask) {
			t.Errorf("%s: %v (%s), want %v", command, d.Behavior, d.Message(), want)
		}
	}
}

// TestS37_CopiesAndCleansThatNeedAPerson: whatever the rules say.
func TestS37_CopiesAndCleansThatNeedAPerson(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}}, inMode(permission.BypassPermissions))
	for _, command := range []string{
		"tar xfC a .git", "tar xCf .git a", "rsync -a other/.git .", "rsync -aR other/./.git x", "cp -r other/.git sub", "cp --parents a/.git/config .",
		"scp -r h:x/.git sub", "ffmpeg -i a .git/b", "vim -c 'w .git/config' x", "alias g='cd .git'; g; touch x",
		"git -C / clean -fdx", `git -C "$HOME" clean -fd`, "cd .. && git clean -fdx", "git --work-tree=/ clean -fdx",
		"mv . /tmp", "mv -t /tmp ~", "tar cf x.tar --remove-files .", "zip -rm x.zip ~", "7z a x.7z .. -sdel", `"$X" -rf /`,
		"echo 'rm -rf /' > x.sh && ./x.sh",
	} {
		w.want(w.bash(command), ask, permission.BySafety)
	}
	for _, command := range []string{
		"cp -r .git /tmp/backup", "cp .bashrc bashrc.bak", "rsync -a src/ dst/", "git -C sub clean -fdx", "git clean -fd", "zip -rm x.zip logs",
		"tar cf x.tar --remove-files logs", `"$X" -rf build`,
	} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}
