package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestS14_UnknownWrappers: the words of a rule that stand as the end of an unknown program,
// inside one of its words or in a variable that is set for it, are asked about.
func TestS14_UnknownWrappers(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Ask: []string{"Bash(git push:*)"}, Deny: []string{"Bash(npm publish:*)", "Bash(make:*)"}})
	for _, command := range []string{
		"mytool npm publish", "mytool -- npm publish", "mytool -v -n 5 npm publish --tag x", "mytool /usr/bin/npm publish", "mytool npm --silent publish",
		"mytool sudo npm publish", "mytool git -C x push", "mytool make", "mytool --exec make", "mytool --exec=make", "mytool --exec=npm publish",
		"mytool -c 'npm publish'", "mytool -c'npm publish'", "mytool --exec='npm publish'", "mytool 'cd x && npm publish'", "mytool 'sudo npm publish'",
		`mytool '["npm","publish"]'`, "mytool 'enter:execute(npm publish)'", "mytool npm $X", "X=npm; mytool $X publish",
		"./wrap npm publish", "/lib64/ld-linux-x86-64.so.2 /usr/bin/npm publish", "python3 wrap.py npm publish", "bash -x wrap.sh npm publish",
		"java -jar x.jar npm publish", "go run ./wrap npm publish", "cargo run -- npm publish", "nx exec -- npm publish", "stack exec npm publish",
		"timeout 5 mytool npm publish", "sudo mytool npm publish", "find . -exec mytool npm publish ';'", "bash -c 'mytool npm publish'",
		"gcc -wrapper npm,publish a.c", "helm upgrade --x-hook 'npm publish' a b", "terraform apply -var 'x=npm publish'",
		"mytool <<< 'npm publish'", "echo npm publish | mytool", "mytool <<E\ncd x\n  npm publish\nE", "poetry shell <<< 'npm publish'", "su dev <<< 'npm publish'",
		"docker run -i node <<< 'npm publish'", "flock x <<< 'npm publish'", "vim -e <<< 'npm publish'",
		"FOO='npm publish' mytool", "env FOO='npm publish' mytool", "RM='npm publish' ninja",
		// Programs that are known for something else.
		"meson devenv -C d npm publish", "meson devenv -C d make", "cargo watch -- npm publish", "cargo watch -x test -s 'npm publish'", "cargo watch -s make",
		"etcdctl lock x npm publish", "etcdctl lock x make", "consul lock p make", "vault agent -exec='npm publish'", "vault agent -exec make",
		"heroku local:run npm publish", "heroku local:run make", "oc rsh pod make", "salt '*' cmd.run 'npm publish'", "salt '*' cmd.run make",
		"uname26 npm publish", "uname26 make", "timeout2 make", "gcc -wrapper make,x a.c", "gcc-12 -wrapper npm,publish a.c", "clang -wrapper=make a.c",
		"aws ecs execute-command --command 'npm publish'", "jj --config ui.pager='npm publish' log", "ninja -C npm npm publish", "gem npm publish", "yarn npm publish",
		"enscript --filter='npm publish' x", "acme --reloadcmd 'npm publish'", "cmake -DCMAKE_C_COMPILER_LAUNCHER='npm;publish' .", "conan run 'npm publish'", "vcpkg env 'npm publish'",
		"gcc -wrapper npm,publish a.c", "gcc -wrapper env,npm,publish a.c", "gcc -wrapper sh,-c,'npm publish' a.c", "make2 CC='gcc -wrapper npm,publish'", "mytool -w env,npm,publish",
		"./ls npm publish", "b/cat npm publish", "~/bin/cat npm publish", "git grep -Onpm x", "git fetch --upload-pack=npm publish", "git archive --remote=publish --exec=npm HEAD",
		"git -c core.sshCommand=npm ls-remote publish:x", "rg --pre npm . publish", "rsync -e npm publish:x .",
		"mytool -xmake", "mytool -TT'npm publish'", "timeout 5 meson devenv npm publish", "curl x npm publish", "etcdctl lock x npm publish $(ls)", "rustc -C linker=make x.rs",
	} {
		if d := w.bash(command); d.Behavior != ask {
			t.Errorf("%s: %v (%s), want ask", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{
		"socat - EXEC:'npm publish',pty", "socat - EXEC:make,pty", "socat -!!exec:make -", "zip -TT 'npm publish' a b", "zip -T -TT'npm publish' a b", "pandoc --filter=./make x.md",
		"pandoc -F make x.md", "env -S'make' -x", "env -Smake", "gpg --photo-viewer='npm publish' -k", "logrotate -m 'npm publish' x",
	} {
		if d := w.bash(command); d.Behavior != deny {
			t.Errorf("%s: %v (%s), want deny", command, d.Behavior, d.Message())
		}
	}
	alone := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(pkg:*)", "Bash(tk x:*)"}})
	for command, want := range map[string]permission.Behavior{
		"mytool pkg a": allow, "mytool -- pkg a": ask, "mytool -v pkg a": ask, "mytool x pkg a": ask, "mytool 'pkg a'": ask, "mytool pkg -- pkg a": ask, "mytool tk x": ask, "mytool tk y": allow,
		"./mytool pkg a": allow, "timeout 5 mytool pkg a": allow, "timeout 5 pkg a": deny,
	} {
		if d := alone.bash(command); d.Behavior != want {
			t.Errorf("with a rule for every pkg, %s: %v (%s), want %v", command, d.Behavior, d.Message(), want)
		}
	}
	if got, want := w.bash("mytool npm publish").Message(), `rule Bash(npm publish:*) (settings.json:1) may match: mytool may run "npm publish": `+"`mytool npm publish`"; got != want {
		t.Errorf("the reason is %q, want %q", got, want)
	}
}

// TestS14_DataOfKnownPrograms: names, files and texts are no commands.
func TestS14_DataOfKnownPrograms(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{
		"Bash(npm publish:*)", "Bash(make:*)", "Bash(rm:*)", "Bash(git push:*)", "Bash(sudo:*)", "Bash(curl:*)", "Bash(docker:*)",
	}})
	for _, command := range []string{
		`git commit -m "npm publish fails"`, "git commit -am 'make it work'", "git checkout make", "git grep make", "git log --grep 'make tests'", "git add -- docker",
		`gh pr create --title "make it fast" --body "run npm publish"`, "gh api x -f body='make it'", "jj describe -m 'make it'", "svn commit -m 'rm x'",
		"rsync -e ssh host:x .", "git -c core.sshCommand='ssh -i k' fetch", "git grep -Oless x", "git -c core.pager=cat log", "/usr/bin/cat npm publish", "./gradlew npm",
		"echo npm publish", "echo exec npm publish", "cat exec make", "pstree -c 'npm publish'", "printf 'rm %s' x", "grep -rn 'npm publish' .", "rg 'npm publish'", "jq .make x.json", "man npm publish", "which npm", "type make",
		"npm run npm-publish", "npm run make", "npm install npm", "npm test -- make", "yarn add make", "pnpm add docker", "bun add make", "just make", "rake make",
		"apt-get install make", "apt-cache policy docker", "brew install make", "pip install make", "python3 -m pip install docker", "python -m venv docker", "uv pip install docker",
		"cargo add rm", "cargo test make", "gem install docker", "conda install make", "nvm install make", "go test ./make", "go run ./cmd/make",
		"kubectl get pods make", "helm install docker ./chart", "systemctl restart docker", "service docker status", "usermod -aG docker dev", "pkill make",
		"cd make", "mkdir make", "touch make", "cp make x", "mv docker x", "ls docker", "find . -name make", "tar czf docker.tgz docker", "ln -s make x", "tee make",
		"eslint docker", "npx eslint docker", "ruff check docker", "pytest docker -k 'make or rm'", "jest make", "shellcheck make", "code docker", "tox -e docker",
		"gcc -o make make.c", "cmake --build make", "./gradlew docker", "mytool build make.txt", "mytool -m 'make it'", "mytool 'we make it'", "mytool --title make",
		"env A=1 echo npm publish", "timeout 5 echo npm publish", "xargs grep npm publish", "man git push", "tldr git push", "gh search issues npm publish", "notify-send npm publish done",
		"gh pr comment 1 -b 'npm publish'", "gh pr create -t 'npm publish' -b x", "http POST h x='npm publish'", "psql -c \"select 'npm publish'\"", "touch 'npm publish'",
		"turbo run build --filter=make", "pnpm --filter make build", "consul kv put x make", "meson compile -C make", "heroku logs -a make",
		"cargo nextest run -- make", "gh run list --workflow make", "socat - TCP:make:80", "gpg --list-keys make", "zip -r make.zip make", "pandoc -M title='npm publish' x.md",
		"redis-cli set x 'npm publish'", "etcdctl put x 'npm publish'", "for t in npm publish; do echo $t; done", "git commit --allow-empty -m 'npm publish'", "helm upgrade make x",
		"notify-send 'make done'", "logger 'docker restarted'", "ffmpeg -i a -metadata title='make it' b", "php artisan make:model X", "python manage.py makemigrations",
		"tee x <<< 'make it'", "git commit -F - <<< 'make it so'", "gh issue create -F - <<< 'npm publish fails'", "pbcopy <<< make", "echo make | base64", "patch <<< 'make x'",
		"mytool <<< 'we make it'", "psql <<< 'select make'", "kubectl apply -f - <<< 'make: x'",
		"aws sns publish --message 'make it'", "alembic revision -m 'make x'", "prisma migrate dev --name make", "FOO=make npm test", "x='npm publish'; echo \"$x\"",
	} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s), want allow", command, d.Behavior, d.Message())
		}
	}
}

// TestS14_CodeOfOtherLanguages: what programs in other languages and options that take commands
// run is not lost because assent knows the program.
func TestS14_CodeOfOtherLanguages(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(make:*)", "Bash(npm publish:*)"}}, inMode(permission.BypassPermissions))
	for _, command := range []string{
		"sed '1e make' x", "sed 's/x/make/e' x", "sed -ne 's/x/npm publish/e' x", `sed 'a\' -e '1e make' x`, "awk '{c=\"make\"; c|getline}' x",
		"awk 'BEGIN{c=\"make\"; system(c)}'", "awk -v c=make 'BEGIN{system(c)}'", "perl -e '$c=\"make\"; system $c'", "hash -p /usr/bin/make ls; ls", "hash -p/usr/bin/make ls; ls",
		"GIT_CONFIG_PARAMETERS=\"'core.pager=make'\" git log", "npm --script-shell=make run x", "flatpak run --command=make x", "svn diff --diff-cmd make",
		"hg --config hooks.x=make st", "cargo --config 'build.rustc=\"make\"' build", "mysql --pager=make", "exiftool -if 'system(\"make\")' x", "rails runner 'system(\"make\")'",
		"psql -c '\\o |make'", "rename 's/x/system(\"make\")/e' x", "env -S -S '= make'",
	} {
		if d := w.bash(command); d.Behavior == allow {
			t.Errorf("%s: %v (%s), want ask or deny", command, d.Behavior, d.Message())
		}
	}
	for _, command := range []string{
		"grep -E 'foo|make' x", "rg 'a|make'", "git log --grep 'a|make'", "git commit -m 'exec(make)'", "gh pr create --body 'a |make| b'", "jq '.a|make' x.json", "echo '|make'",
		"python3 -c 'print(\"make\")'", "sed 's/make/cmake/' x", "awk '/make/' x", "jest --config make.js", "kubectl get pods -o wide", "hash -r; ls", "hash ls; make2",
	} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s), want allow", command, d.Behavior, d.Message())
		}
	}
}
