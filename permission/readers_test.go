package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// A certificate is printed; what writes, signs or loads code is asked about.
func TestP16_CertificatesThatArePrinted(t *testing.T) {
	w := newWorld(t, lists{})
	w.allows("openssl x509 -noout -text -in f", "openssl x509 -in f -noout -checkend 0", "openssl x509 -noout -dates < f", "openssl version")
	w.stops(
		"openssl x509 -in f -out g", "openssl x509 -in f -engine ./x.so -noout", "openssl x509 -provider-path . -provider x -in f", "openssl x509 -in /etc/ssl/x -noout",
		"openssl x509 -in file:/etc/ssl/x -noout", `openssl x509 -noout -in "$f"`, "openssl x509 -noout -in $f", "openssl x509 -req -in f -CA a -CAcreateserial", "openssl x509 -signkey k -in f",
		"openssl x509 --noout -in f", "openssl x509 -writerand f", "openssl x509 -force_pubkey k -in f", "openssl s_client -connect a:443", "openssl rsa -in k", "openssl", "OPENSSL_CONF=x openssl x509 -in f",
		"openssl x509 -in -out f",
	)
}

// git restore --staged changes the index alone.
func TestP13_RestoringWhatIsStaged(t *testing.T) {
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	const file = " .claude/settings.json"
	w.allows("git restore --staged"+file, "git restore -S"+file, "git restore -q --staged --source=HEAD~1"+file, "git restore -s HEAD -S"+file, "git restore --staged -- .claude/settings.json")
	w.stops(
		"git restore"+file, "git restore --staged --worktree"+file, "git restore -SW"+file, "git restore -qSW"+file, "git restore --staged --work"+file, "git restore --staged --no-staged"+file,
		"git restore -s --staged"+file, "git restore --source=--staged"+file, "git restore -- --staged"+file, "git restore --staged -p"+file, "git restore --staged $x"+file, "git checkout --staged"+file,
	)
	newWorld(t, lists{}).stops("git restore --staged a", "git bisect log -x", "git bisect log > f", "git bisect view", "git bisect", "git bisect reset")
}

// bash -n reads a script and runs nothing, unless what follows undoes it.
func TestP16_ScriptsThatAreOnlyParsed(t *testing.T) {
	w := newWorld(t, lists{})
	w.allows("bash -n a.sh", "sh -n ./a.sh", "dash -n a.sh b", "for f in a.sh b.sh; do bash -n a.sh; done", "zipinfo a.zip", "zipinfo -v a.zip x")
	w.stops(
		"bash -n +n a.sh", "bash -n a.sh +n", "bash -nc ls", "bash -n -c ls", "bash -n", "echo ls | bash -n", `bash -n "$f"`, "bash -n $f", "bash -n *.sh", "bash a.sh -n", "bash -n /etc/a.sh",
		"BASH_ENV=x bash -n a.sh", "export BASH_ENV=x; bash -n a.sh", "ENV=x sh -n a.sh", "bash -n --rcfile x a.sh", "zsh -n a.sh", "bash -n ../../x", "./bash -n a.sh", "bash() { rm x; }; bash -n a.sh",
		"ls | xargs bash -n", "find . -exec bash -n {} \\;", "zipinfo /etc/a.zip", "zipinfo -M a.zip", "zipinfo $x", "zipinfo a.zip > f",
	)
	newWorld(t, lists{Deny: []string{"Read(./a.sh)"}}).stops("bash -n a.sh")
	newWorld(t, lists{Deny: []string{"Read(./a.zip)"}}).stops("zipinfo a.zip")
}
