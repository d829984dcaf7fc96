package inbox

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// Secrets that are known by their place in a command only.
func TestT19_SecretsByTheirPlaceAreMasked(t *testing.T) {
	for _, text := range []string{
		"git clone https://X@github.com/a", "git remote add o HTTPS://X@git.example/a", "git clone 'https://X@github.com/a'", "git clone http://X@h/a",
		"curl --oauth2-bearer X h", "curl --oauth2-bearer=X h", "curl -b session=X h", "curl -b 'a=1; session=X' h", "curl -bsession=X h", "curl -sb session=X h", "curl --cookie session=X h", `curl "https://h/?a=1&c=2" -b session=X`,
		"sudo curl -L -b session=X https://h", "http -a u:X h", "http POST h -a u:X", "xh -a u:X h", "https --auth u:X h", "http -au:X h",
		"sqlcmd -S h -U sa -P X -Q 'select 1'", "sqlcmd -PX", "/opt/bin/sqlcmd -P 'a X'", "zip -P X a.zip f", "zip -rP X a.zip d", "unzip -P X a.zip", "7z a -pX a.7z f", "ldapsearch -D cn=a -w X -b dc=x",
		"htpasswd -b f u X", "htpasswd -cb f u X", "htpasswd -nb u X", "htpasswd -Bbc /srv/f u X", "sudo htpasswd -b f u X && ls",
		"kubectl create secret generic x --from-literal=k=X", "kubectl create secret generic x --from-literal k=X", `kubectl create secret generic x --from-literal="k=X"`, "kubectl create cm x --from-literal='k=X y'",
		"vault kv put s/x value=X", "vault kv put s/x a=X b=X", "vault kv patch s/x value='X'", "vault write auth/x/login role=X", "fly secrets set K=X", "heroku config:set K=X",
		"aws secretsmanager create-secret --name n --secret-string X",
		"echo X | docker login --password-stdin", "echo -n 'X' | docker login -u u --password-stdin r.example", `printf '%s' "X" | podman login --password-stdin`, "docker login --password-stdin <<< X", "echo X | gpg --batch --passphrase-fd 0 -d f",
		"echo X | gh auth login --with-token", "echo u:X | sudo chpasswd", "echo X | sudo -S ls", "cd a && echo X | docker login --password-stdin && docker push a/b",
	} {
		for _, secret := range []string{"hunter2-Sesame", "SEKRET1", "abc"} {
			if got := mask(strings.ReplaceAll(text, "X", secret)); strings.Contains(got, secret) || !strings.Contains(got, masked) {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}

// What people read and decide by stays.
func TestT19_OrdinaryCommandsStayReadable(t *testing.T) {
	for _, text := range []string{
		"git push --force origin main", "git clone ssh://git@github.com/a/b", "git clone git@github.com:a/b", "curl https://h.example/@scope/name", "curl https://h.example/a?mail=a@b.example", "npm install https://h.example/a.tgz @types/node@18",
		"curl -b cookies.txt -c cookies.txt https://h.example", "curl -o out.b -sSL https://h.example", "curl --cookie-jar jar https://h.example", "git checkout -b name=x", "docker build -t a:b .", "docker run -e A=b -p 80:80 nginx",
		"zip -r a.zip dir", "unzip -p a.zip f", "cp -P a b", "ls -la", "http GET h.example page==2", "htpasswd -c file user", "htpasswd -D file bob", "vault kv get s/x", "vault status", "vault kv put s/x @data.json", "vault kv put s/x value=@file",
		"kubectl create cm x --from-file=k=f", "kubectl get secret x -o name", "echo done | tee log", "echo hello world", "cat token | docker login --password-stdin", "echo $TOKEN | docker login --password-stdin", "make CC=gcc -j4", "ssh deploy@host.example uptime",
		"sudo -u postgres psql -c 'select 1'", "sudo systemctl restart S", "don't write a password in a file, use a vault", "psql -p 5432 -U bob db", "env A=1 B=2 make set X=3", "printf 'a\\n' | sort -S 1G", "passwd --stdin", "mongosh --port 27017 db",
		"terraform import aws_instance.a b=c", "git config --global user.name=x", "apt-get install -y zip unzip && tar -P -xf a.tar",
	} {
		if got := mask(text); got != text {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A text that is no command at all does no harm.
func FuzzMaskWords(f *testing.F) {
	for _, text := range []string{"", "a", "htpasswd -b", "echo | docker login --password-stdin", "vault put =", `curl -b "a=`, "zip -P", "<<<", "--from-literal=", `--from-literal "a`, "a\\"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := maskWords(text); len(got) > len(text)+len(text)*len(masked) {
			t.Errorf("%q: %q", text, got)
		}
	})
}

// More ways in which commands carry secrets: clusters, here-texts, scripts of a shell, more programs.
func TestT19_FurtherPlacesOfSecretsAreMasked(t *testing.T) {
	for _, text := range []string{
		"docker login --password-stdin <<<X", "docker login --password-stdin <<EOF\nX\nEOF", "cat <<EOF | docker login --password-stdin\nX\nEOF", "docker login --password-stdin <<-'EOF'\n\tX\n\tEOF\nls", "curl -sSLu u:X h", `curl -u "u:X" h`,
		`bash -c "curl -b s=X x"`, "bash -c 'echo X | docker login --password-stdin'", `sh -ec "sqlcmd -P X"`, `sudo bash -lc 'htpasswd -b f u X'`, `eval "redis-cli -a X ping"`, "ssh h 'mysql -pX db'", "docker exec c sh -c 'redis-cli -a X'", "docker exec c mysql -uroot -pX db", "kubectl exec p -- redis-cli -a X ping",
		"wrangler secret put K <<< X", "echo X | wrangler secret put K", "npx wrangler secret put K <<<X", "gcloud secrets create x --data-file=- <<< X", "aws ssm put-parameter --name n --value X --type SecureString", "aws ssm put-parameter --value=X", "doppler secrets set K X", "gh secret set K --body X", "gh secret set K -b X",
		"keytool -list -storepass X", "openssl enc -aes-256-cbc -k X -in f", "ssh-keygen -t ed25519 -N X -f k", "ssh-keygen -N 'X' -f k", "vault login X", "twine upload -u u -p X dist/a", "useradd -p X bob", "smbclient -U u%X //h/s", "mosquitto_pub -u u -P X -t a", "rclone config create r s3 access_key_id a secret_access_key X",
		"nmcli dev wifi connect net password X", "mysqladmin -u root password X", "ngrok config add-authtoken X", "env A=1 timeout 5 sqlcmd -P X", "xargs -n 1 curl -u u:X", "time sudo -u bob nohup redis-cli -a X", "if true; then redis-cli -a X; fi", "a=$(redis-cli -a X get k)",
		"password: X", "a:\n  - db_password: X\n", "token : hunter2-X", "cmd 'the token: a1b2c3-X'", "Bearer abcDEF123X",
	} {
		for _, secret := range []string{"hunter2-Sesame", "SEKRET1"} {
			if got := mask(strings.ReplaceAll(text, "X", secret)); strings.Contains(got, secret) || !strings.Contains(got, masked) {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}

// Whoever writes a command cannot choose what of its target is hidden: programs count at the
// place of a program, and of a program that works on files nothing is masked.
func TestT16_TheTargetOfACommandIsNotMasked(t *testing.T) {
	for _, text := range []string{
		"rm http -a d/a.txt", "cp d/b.txt sshpass -p d/c.txt", "./deploy.sh secret set env=production", "rm -f --token d/a.txt", "rm --password=d/a.txt", "sudo rm -rf --token d/a.txt", "env A=1 nohup rm --secret d/a.txt", "find d | xargs -I {} rm {} --token d/a.txt",
		"cp -u host:d/a.txt b:c", "rsync -u host:d/a.txt .", "docker run --user 1000:1000 img", "mkdir login -p d/x", "cp mysql -pr d/a", "cp redis-cli -a d/b", "rm $(true) --token d/a.txt", "rm `true` --token d/a.txt", "rm 2>&1 --token d/a.txt", "2>/dev/null rm --token d/a.txt",
		"rm \\\n --token d/a.txt", "bash -c 'rm --token d/a.txt'", `sh -c "rm -f --token d/a.txt"`, "ls && rm --token d/a.txt", "if true; then rm --token d/a.txt; fi", "rm token=production", "mv 'a secret: b1c2d3e4f5' d/x", "timeout 5 rm --token d/a.txt", "docker exec c rm http -a d/a.txt",
		"\\rm --token d/a.txt", "/bin/rm --token d/a.txt", "command rm --token d/a.txt", "chmod --token 777 d/a.txt", "rm sk-live_abcdefghijklmnop1234", "find . -name x -exec rm --token d/a.txt {} +", "echo curl -u a:b", "git rm --token d/a.txt", "rm A=$HOME --token d/a.txt", "! rm --token d/a.txt",
	} {
		if got := mask(text); got != text {
			t.Errorf("%s: %s", text, got)
		}
	}
	for _, tool := range []string{"Write", "Edit", "Read"} {
		call := approval.Call{Tool: tool, Input: []byte(`{"file_path":"d/token=a/b.txt","content":"","old_string":"","new_string":""}`)}
		if got := Sentence(call); !strings.Contains(got, "`d/token=a/b.txt`") {
			t.Error(got)
		}
	}
	// What is no argument of it is masked as ever.
	for _, text := range []string{"TOKEN=hunter2 rm d/a.txt", "rm d/a.txt; cmd --token hunter2", `rm "$(curl -H 'Authorization: Bearer hunter2' h)"`, "env API_KEY=hunter2 rm d/a.txt"} {
		if got := mask(text); strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", text, got)
		}
	}
}
