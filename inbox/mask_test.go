package inbox

import (
	"strings"
	"testing"
)

// The ways in which people give passwords to programs, as they are found in scripts.
func TestT19_CommonSecretsAreMasked(t *testing.T) {
	for _, text := range []string{
		"cmd --password  X", "cmd --password\tX", "cmd --password=X", "cmd --api_key X", "cmd --db-password X", "cmd --github_token=X", "curl --user bob:X", "curl --user=bob:X", "curl -ubob:X h", "curl -u bob:X", "curl -U bob:X",
		"git clone https://X@github.com/a/b", "git clone https://bob:X@github.com/a/b", "mysql -pX db", "mysqldump -u root -pX db", "sshpass -p X ssh h", "sshpass -pX ssh h", "docker login -u bob -p X r.example", "redis-cli -h h -a X ping",
		"DB_PASS=X run", "PASS=X run", "openssl rsa -passin pass:X", "curl 'https://h/x?a=1&sig=X'", "curl https://h/?x-amz-signature=X", "aws configure set aws_secret_access_key X", "npm config set //r/:_authToken X",
		`TOKEN="a\"X" run`, `PASSWORD=$'X' run`, `PASSWORD=a"X"b run`, `PASSWORD='X' run`, `PASSWORD="X`, `{\"password\": \"X\"}`, `{"password": "X"}`, `{'api_key': 'X'}`, "curl -H 'Cookie: a=b; session=X'", "Authorization: Bearer X", "export API_TOKEN=X;ls",
	} {
		secret := "hunter2-Sesame"
		if got := mask(strings.ReplaceAll(text, "X", secret)); strings.Contains(got, "hunter2") || strings.Contains(got, "Sesame") || !strings.Contains(got, masked) {
			t.Errorf("%s: %s", text, got)
		}
	}
	for _, text := range []string{
		"git push --force origin main", "npm run build -- --pass-with-no-tests", "ssh deploy@host.example uptime", "git clone https://github.com/a/b.git", "cp -p a b", "mkdir -p x/y", "make -u all", "docker run -p 80:80 nginx",
		"git log --author=ann", `curl -H "X-Trace: a" "https://h.example"`, "echo compass: north", "sudo -u postgres psql", "set -euo pipefail", "kubectl get secret",
	} {
		if got := mask(text); got != text {
			t.Errorf("%s: %s", text, got)
		}
	}
}
