package inbox

import (
	"strings"
	"testing"
)

// Secrets that stand behind a program which works on files, and are none of its files.
func TestT19_SecretsBehindFileToolsAreMasked(t *testing.T) {
	for _, text := range []string{
		`tee t <<< "ghp_abcdefghij§"`, "tee creds <<< 'password=§'", "tee creds <<<password=§",
		`touch "$(curl -u bob:§ x)"`, "touch \"`curl -u bob:§ x`\"", `mkdir "a$(redis-cli -a "§" get k)/b"`, `touch "$(cat <<< "$(sqlcmd -P §)")"`,
		"find . -exec mysql -p§ touch {} +", `find . -name rm -exec sudo mysql -p§ db {} \;`, `find . -exec rm {} \; -exec redis-cli -a § {} \;`, "fd -e o -x mysql -p§ touch",
		`ssh h mkdir x \; mysql -p§`, "ssh h rm a '&&' redis-cli -a §", "docker exec c mysql -p§ touch",
		"curl -H 'X-Vault-Token: §' h", `curl -H "X-Consul-Token: §" h`, "redis-cli AUTH §", "redis-cli -h h auth default §", "redis-cli config set requirepass §",
		`psql -c "ALTER USER bob WITH PASSWORD '§'"`, `mysql -e "create user bob identified by '§'"`, `psql -c 'alter role bob password '\''§'\'''`,
	} {
		for _, secret := range []string{"hunter2-Sesame", "SEKRET1"} {
			if got := mask(strings.ReplaceAll(text, "§", secret)); strings.Contains(got, secret) || !strings.Contains(got, masked) {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}

// None of that hides a target, nor what people decide by.
func TestT16_WhatIsCarriedHidesNoTarget(t *testing.T) {
	for _, text := range []string{
		"touch '$(curl -u d/a:b.txt x)'", `rm \; mysql -pd/a.txt`, "rm x '&&' redis-cli -a d/a.txt", "find mysql -name x -exec rm -pd/a.txt {} +", "ssh -l mysql h rm -pd/a.txt", `find . -exec rm {} \; -name mysql -path d/a.txt`,
		"tee d/a.txt <<< hello", "rm password 'd/a.txt'", "./deploy password 'production'", `ssh h mkdir x \; rm --token d/a.txt`, "redis-cli get author", "redis-cli config get requirepass", `rm "d/$(date +%F)/a.txt"`,
		`psql -c "select 'password' from users where name = 'bob'"`, "curl -H 'X-Trace: abcdefgh' h", "find . -name '*.go' -exec grep -l token {} +",
	} {
		if got := mask(text); got != text {
			t.Errorf("%s: %s", text, got)
		}
	}
}
