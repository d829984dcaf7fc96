package classify_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/classify"
)

// TestP9_BuiltinSpellings: what is refused in one spelling is refused in the others, and
// what is harmless beside it is still approved. A reviewer found most of the spellings;
// the rules must hold for those that nobody has written down as well.
func TestP9_BuiltinSpellings(t *testing.T) {
	linked := newWorld(t, linkMap{
		project + "/links/key": home + "/.ssh/id_rsa", project + "/src/inner": project + "/src/a.go",
		"/var/run": "/run", "/proc/self": "4711", project + "/hookdir": project + "/.githooks",
	})
	plain := newWorld(t, nil)
	for kind, commands := range spellings {
		w, want := linked, no
		switch kind {
		case "harmless reads", "harmless changes":
			w, want = plain, yes
		case "harmless beside links":
			want = yes
		}
		for _, command := range commands {
			q, ok := w.bash(command)
			if !ok {
				t.Errorf("%q is not valid", command)
				continue
			}
			informed, alone := w.builtin(q)
			switch {
			case len(informed.Reasons) == 0:
				t.Errorf("%s: nothing says why: %q", kind, command)
			case want == yes && informed.Outcome != yes:
				t.Errorf("%s: %v %q %q", kind, informed.Outcome, command, informed.Reasons)
			case want == no && (informed.Outcome == yes || alone.Outcome == yes):
				t.Errorf("%s: approved: %q", kind, command)
			}
		}
	}
}

var spellings = map[string][]string{
	"runs hooks": {
		`git commit -m x`, `git commit -am x`, `git commit`, `git commit --no-verify -m x`, `git commit -nm x`, `git -c core.hooksPath=/dev/null commit -m x`,
		`git --no-pager commit -m x`, `git add . && git commit -m x`, `timeout 5 git commit -m x`, `bash -c 'git commit -m x'`, `git merge dev`, `git merge --ff-only dev`,
		`git pull`, `git pull --rebase`, `git pull origin main`, `git switch main`, `git switch -c x`, `git switch -`, `git checkout -b x`, `git checkout -`, `git checkout main`,
		`git rebase main`, `git am x.patch`, `git cherry-pick abc`, `git revert HEAD`, `git gc`, `git worktree add x`, `git push`, `git stash branch x`,
	},
	"writes what hooks run": {
		`echo x > .githooks/pre-commit`, `mkdir .githooks`, `mkdir -p .githooks/x`, `cp a .githooks/`, `cp a .GitHooks/x`, `mv a hookdir/x`, `tee hookdir/x`, `chmod +x .githooks/x`,
		`echo x > scripts/pre-commit`, `echo x > tools/git/commit-msg`, `cp a scripts/post-checkout`, `cp x/post-merge scripts`, `cp x/post-merge scripts/`, `mv a pre-push`,
		`touch post-index-change`, `touch reference-transaction`, `tee pre-rebase`, `sed -i s/a/b/ githooks/x`, `chmod +x ci/Pre-Commit`, `git mv a scripts/pre-commit`, `chmod +x ci/pre-*`, `sed -i s/a/b/ ci/*.yml`, `tee left*`, `mv a pre-commit.exe`,
		`echo x > .pre-commit-config.yaml`, `echo x > sub/.pre-commit-config.yaml`, `sed -i s/a/b/ .pre-commit-config.yaml`, `echo x > lefthook.yml`, `echo x > .lefthook.yaml`, `echo x > lefthook-local.yml`, `echo x > lefthook.toml`,
		`echo x > .lefthook/pre-commit/a.sh`, `echo x > .overcommit.yml`, `echo x > .git-hooks/pre_commit/x.rb`, `echo x > .lintstagedrc`, `echo x > .lintstagedrc.json`, `echo x > lint-staged.config.js`, `echo x > .huskyrc`,
		`echo x > .simple-git-hooks.json`, `echo x > captainhook.json`, `echo x > grumphp.yml`, `cp /dev/stdin pre-commit`, `gofmt -w .githooks/x.go`, `tar czf .githooks/x.tgz src`,
	},
	"reads a tree with keys": {
		`grep -rh . ~`, `grep -rh . ~/`, `grep -r PRIVATE "$HOME"`, `cd ~; grep -r . .`, `cd ~ && grep -r x`, `rg -uuu . ~`, `rg x ~`, `rg --hidden x ~/other`, `grep -r . ~/other`, `grep -r PRIVATE /home`, `grep -r PRIVATE /`, `grep -rl x /etc`,
		`grep -R x /Users`, `grep -r x /root`, `grep -r . ..`, `grep -r . ../..`, `grep -r x /run`, `grep -r x /proc`, `grep -r x /sys`, `grep -r x /var`, `grep -r x /dev`,
		`git diff --no-index ~ /tmp`, `git diff --no-index /dev/null ~`, `git grep --no-index . ~`, `git grep --no-index x /etc`, `diff -r ~ /tmp`, `diff -r /etc /srv/more`, `git -C ~ log -p`, `git -C /other status`, `git -C ~ grep x`,
	},
	"reads what a pattern finds": {
		`cat /*/.ssh/id_rsa`, `cat /home/*/docs/../.ssh/id_rsa`, `cat /home/*/x`, `cat /h*/dev/x`, `cat links/*`, `cat links/k*`, `head links/*`, `cat /ho?e/dev/x`, `cat ../*/x`, `cat ../*`, `base64 /opt/*`, `cat /tmp/*/.ssh/id_rsa`,
		`for f in links/*; do cat "$f"; done`, `for f in ~/*; do cat "$f"; done`, `for f in /opt/*; do head "$f"; done`,
	},
	"reads what is only known when it runs": {
		`cat "$(echo L3RtcA== | base64 -d)"`, `f=$(echo L3RtcA== | base64 -d); cat "$f"`, `cat $(find ~ -name id_rsa)`, `find ~ -name id_rsa | xargs cat`, `find ~ -name id_rsa -exec cat {} +`, `find / -name id_rsa -exec cat {} \;`,
		`while read f; do cat "$f"; done < list`, `cat "$F"`, `cat $F`, `head -c 100 -- "$1"`, `xargs cat < list`, `xargs -a list cat`, `cat < "$F"`, `grep x "$F"`, `cd "$D" && cat x`, `cat "$D/x"`, `cat "../$D"`, `ls ~/.ssh/* | xargs cat`,
		`find links | xargs cat`, `find . -name key -exec cat {} +`, `git diff --no-index "$A" "$B"`, `cat ~nobody/x`, `base64 "${F:-x}"`, `du --files0-from="$F"`, `git cat-file --batch < "$F"`, `find ~ | while read f; do cat $f; done`, `cat $(ls -d /opt/x/*)`, `diff <(cat "$F") x`, `wc -c < "$F"`, `cat /proc/$$/x`, `find ~ -print0 | xargs -0 cat`,
	},
	"reads where keys are kept": {
		`cat /run/secrets/db_password`, `cat /var/run/secrets/kubernetes.io/serviceaccount/token`, `cat /run/user/1000/keyring/x`, `cat /etc/ssl/private/server.key`, `cat /etc/ssh/ssh_host_ed25519_key`, `cat /etc/kubernetes/admin.conf`,
		`cat /etc/Kubernetes/kubelet.conf`, `cat /proc/self/mem`, `cat /proc/1/mem`, `cat /proc/self/environ`, `cat /proc/1/task/1/environ`, `cat /proc/self/cwd/../x`, `cat /proc/self/root/etc/hostname`, `cat /proc/4711/maps`, `cat /proc/kcore`, `cat /dev/mem`, `cat /dev/sda1`,
		`cat ~/Library/Keychains/x`, `cat ~/Library/Cookies/x`, `cat /Users/bob/Library/x`, `cat /Library/Keychains/System.keychain`, `cat /private/etc/master.passwd`, `cat ~/snap/x/.config/key`, `cat ~/docs/.hidden`, `cat ~/docs/passwords.txt`,
		`cat /opt/app/server.key`, `cat /opt/app/tls.pem`, `cat /opt/app/.env`, `cat /opt/app/.env.local`, `cat /opt/app/credentials.json`, `cat /opt/backup/id_rsa`, `cat /srv/app/secrets.yml`, `cat /tmp/token`, `cat /var/lib/docker/x`, `cat /var/lib/kubelet/config`,
		`cat /etc/wireguard/wg0.conf`, `cat /etc/NetworkManager/system-connections/x`, `cat /etc/sudoers.d/x`, `cat /var/spool/cron/root`, `cat /etc/letsencrypt/live/x/privkey.pem`, `cat /etc/ssl/../ssl/private/x`,
	},
	"reads what is not known, and writes": {
		`cat "$F" > x`, `cat links/* > x`, `cat "$(echo L3RtcA== | base64 -d)" > notes.txt && git add notes.txt`, `cp "$F" x`, `find ~ -name id_rsa | xargs cat > x`, `grep -r . ~ > x`, `cat /etc/hostname > x`, `tar czf a.tgz "$F"`, `tar czf a.tgz links/*`,
		`while read f; do cat "$f"; done < list > all.txt`, `touch "x$(cat "$F")"`, `mkdir "$(cat ~/.ssh/id_rsa)"`, `cat < "$F" > x`, `git add links && cat "$F" | tee y`, `find links -exec cat {} + > x`,
	},
	"takes the environment into what it writes": {
		`env > x`, `printenv > x`, `printenv | tee x`, `env | sort > x`, `export -p > x`, `declare -p > x`, `set > x`, `git tag -m "$(env)" v1`, `echo "$(printenv)" >> notes.txt`, `declare -x > x`, `typeset > x`, `timeout 5 env > x`, `compgen -v > x; env >> x`,
	},
	"empties a file": {
		`cat /dev/null > main.go`, `cp /dev/null main.go`, `cp -f /dev/null main.go`, `tee main.go < /dev/null`, `cat /dev/null | tee main.go`, `printf '' > main.go`, `printf "" | tee main.go`, `echo -n > main.go`, `echo -n '' > main.go`, `echo -ne > main.go`,
		`: | tee main.go`, `true | cat > main.go`, `cat < /dev/null > main.go`, `cat > main.go < /dev/null`, `{ printf ''; } > main.go`, `bash -c "printf '' > main.go"`, `timeout 5 cat /dev/null > main.go`, `head -c 0 x > main.go`, `head -n0 x > main.go`,
		`tail -n 0 x > main.go`, `printf %s > main.go`, `printf %s '' > main.go`, `cat <<'EOF' > main.go` + "\nEOF", `command printf '' > main.go`, `: > main.go`, `>| main.go`, `cat /dev/null >| main.go`, `cat /dev/null &> main.go`,
	},
	"writes over what it reads": {
		`git show HEAD:main.go > main.go`, `git cat-file -p HEAD:main.go > main.go`, `git show HEAD~3:./main.go > main.go`, `git show HEAD:main.go | tee main.go`, `git show HEAD:src/a.go > src/a.go`, `git cat-file blob HEAD:main.go | cat > ./main.go`, `git show :main.go > main.go`,
		`sort main.go > main.go`, `sort < main.go > main.go`, `sed s/a/b/ main.go > main.go`, `cat main.go | sort > main.go`, `jq . a.json > ./a.json`, `grep -v x main.go | tee main.go`, `cat src/a.go > src/inner`, `(cat main.go) > main.go`,
	},
	"deletes every line": {
		`sed -i d main.go`, `sed -i -e d main.go`, `sed -i '1,$d' main.go`, `sed -i '1,$ d' main.go`, `sed -i --expression=d main.go`, `sed -i.bak d main.go`, `sed -i -n p\;d main.go`, `sed -n -i s/a/b/ main.go`, `sed -ni p main.go`, `sed -i q main.go`, `sed -i Q main.go`, `sed -i '{d}' main.go`,
		`sed -i 's/a/b/;d' main.go`, `sed -i $'s/a/b/\nd' main.go`, `sed -i 's/.*//' main.go`, `sed -i 'c\' main.go`, `sed -i z main.go`, `sed -i '0~1d' main.go`, `sed -i '/./d' main.go`, `sed -i '/x*/d' main.go`, `sed -i '//!d' main.go`, `sed -i '/x/!d' main.go`, `sed -i '1!d' main.go`, `sed -i '2,$d' main.go`,
	},
	"overwrites or changes what it should not": {
		`tar czf main.go src`, `tar cf Makefile src`, `mkdir -m 4777 x`, `mkdir -m 777 x`, `mkdir --mode=777 x`, `mkdir -pm2777 x`, `rm .env`, `rm -f .env.local`, `cat x > .env`, `mv x .env`, `rm server.key`, `rm certs/tls.pem`, `rm id_rsa`, `rm data.sqlite`, `mv x data.sqlite`,
		`yes > x`, `yes y | tee x`, `yes >> x`, `timeout 5 yes > x`, `cat /dev/zero > x`, `cat /dev/urandom > x`, `echo x > /dev/tty`, `printf x | tee /dev/tty`, `rm -rf .git/../src`, `git stash drop`,
	},
	"what git finds is not known": {
		`git stash pop`, `git stash apply`, `git stash apply origin/x`, `git stash apply stash@{0}`, `git stash pop --index`, `git stash push .claude/settings.json`, `git stash -- .claude`, `git stash push -u -- .claude`, `git stash push '*.json'`, `git stash push :/`,
		`git rm -q '*.json'`, `git rm -r '.cl*'`, `git rm -r '*'`, `git rm -r :/`, `git rm ':(glob)**/settings.json'`, `git rm -- ':!src'`, `git rm '?claude/x'`, `git rm 's[a-z]c/x'`, `git rm *.json`, `git rm --pathspec-from-file=x`, `git restore --staged '*'`,
	},
	"loses most of a file": {
		`sed -i 's/[a-z].*//' src/*.go`, `sed -i 1,9999d main.go`, `sed -i 's/[^x]*//' main.go`, `sed -i 's/a\|.*//' main.go`, `sed -i -E 's/a|.*//' main.go`, `sed -i 's/a.*//' main.go`, `sed -i 's/[a-z]\+//' main.go`, `sed -i 's/\w*//' main.go`, `sed -i 's/[^ ]//g' main.go`,
		`sed -i 's/\(.*\)//' main.go`, `sed -i -E 's/(foo|bar)*//' main.go`, `sed -i 's/.\{1,\}//' main.go`, `sed -i 's/[]x].*//' main.go`, `sed -i 's/[[:alpha:]].*//' main.go`, `sed -i '/e/d' main.go`, `sed -i 'y/abc/xxx/' main.go`, `sed -i -E 's/.*+^+^+^//' main.go`,
		`cat > main.go`, `tee main.go`, `awk 0 x > main.go`, `awk '{}' x > main.go`, `awk 'BEGIN{x=1}' > main.go`, `tail -f /dev/null > main.go`, `tail -F x > main.go`, `sort /dev/null > main.go`, `sed -n '' x > main.go`, `sed d x > main.go`, `grep -q x y > main.go`, `sort -o main.go /dev/null`,
		`while true; do echo x >> big; done`, `until false; do echo x >> big; done`, `for ((;;)); do echo x >> big; done`, `while :; do touch a; done`, `while read x <<< y; do echo x >> big; done`, `while read l; do echo; done < f; while true; do echo x >> big; done`,
		`ps auxe > x`, `ps axe | tee x`, `ps eww > x`, `ps -E > x`, `gzip -f a`, `gzip -d a.gz`, `sort -o /etc/x y`, `sort --compress-program=./x -o a b`, `bash -n "$X"`, `git mv src build && rm -rf build`, `git mv src dist`, `git mv src build/`,
	},
	"harmless reads": {
		`cat /etc/passwd`, `cat /etc/hosts`, `cat /etc/os-release`, `cat ~/notes.txt`, `ls ~`, `ls -la /`, `ls -R ~/other`, `find ~ -type f`, `find / -name x`, `du -sh ~`, `stat ~/x`, `grep -rn x .`, `grep -rn x src`, `rg x`, `rg -uuu x .`, `cat *`, `cat src/*.go`, `cat /usr/include/stdio.h`, `grep -r x /usr/include`,
		`cat /proc/cpuinfo`, `cat /proc/meminfo`, `cat /proc/self/status`, `tail /var/log/syslog`, `for f in *.go; do wc -l "$f"; done`, `find . -name '*.go' | xargs wc -l`, `find src -name '*.go' -exec cat {} +`, `wc -l $(git ls-files '*.go')`, `git diff main dev`, `[ -f "$F" ] && echo yes`, `ls "$D"`,
		`cat .env`, `env`, `printenv HOME`, `git status`, `git log -p`, `f=main.go; cat "$f"`, `cat "$PWD/main.go"`, `head -c 16 /dev/urandom | base64`, `cat /dev/null`, `git grep x`, `diff -r src /srv/more`, `rg x /srv/more`, `cat /srv/more/server.key`,
	},
	"harmless beside links": {
		`cat *`, `cat src/*`, `cat src/*.go`, `for f in *.go; do wc -l "$f"; done`, `find . -name '*.go' -exec cat {} +`, `find . -type f -exec cat {} +`, `find src -name 'in*' -exec cat {} +`, `cat src/* > all.txt`, `grep -rn x .`, `head src/inner`,
	},
	"harmless changes": {
		`echo x > src/hooks.ts`, `mkdir src/hooks`, `echo x > src/hooks/useUser.ts`, `touch pre-commit.md`, `touch docs/commit-msg.txt`, `echo x > package.json`, `git add -A`, `git tag v1`, `git branch x`, `git reset`, `git stash`, `git fetch`, `git fetch origin main`, `git rm --cached x`, `git restore --staged x`, `git mv a b`,
		`git show HEAD:main.go > old.go`, `sort a > b`, `sort a | tee b`, `cat a b > ab`, `printf '%s\n' x > y`, `printf x > y`, `echo > y`, `echo -n x > y`, `echo "$X" > y`, `printf '%s' "$X" > y`, `head -n 10 a > b`, `cat <<'EOF' > y` + "\nx\nEOF", `tar czf out/a.tgz src`, `tar cf a.tar src`, `tar cJf a.tar.xz src`,
		`sed -i s/a/b/ main.go`, `sed -i '/^TODO/d' main.go`, `sed -i 3d main.go`, `sed -i '3,5d' main.go`, `sed -i -e s/a/b/ -e s/c/d/ main.go`, `sed -i 's/a/b/;s/c/d/' main.go`, `sed -i 's/;d//' main.go`, `sed -i '1i x' main.go`, `sed -i '$a x' main.go`, `sed -i 's|a|b|g' main.go`, `sed -i '$d' main.go`,
		`git stash push src/a.go`, `git stash push -m wip -- src`, `git mv a.go src/`, `jq . a.json > tmp && mv tmp a.json`, `sort a > b.new && mv b.new b`, `sort -u -o words.txt words.txt`, `gzip -9 dump.sql`, `sh -n script.sh`, `shutdown --help`, `shellcheck run.sh`, `ps aux > x`, `ps -ef > x`,
		`sed -i 's/"version": ".*"/"version": "2"/' package.json`, `sed -i 's/[ \t]*$//' main.go`, `sed -i 's/[[:space:]]*$//' main.go`, `sed -i 's/ //g' main.go`, `sed -i 's/\(foo\).*/\1/' main.go`, `sed -i '10,40d' main.go`, `while read -r l; do echo "$l"; done < a > b`, `for ((i=0;i<3;i++)); do echo x >> y; done`,
		`rm a.txt`, `rm -f main.go`, `rm -rf build`, `touch .env.example`, `for f in *.go; do wc -l "$f"; done > counts.txt`, `find . -name '*.go' | xargs wc -l > counts.txt`, `test -f "$F" && touch x`, `cat main.go > main.go.bak`, `mkdir -p a/b`, `yes | head -3`, `cp a.txt b.txt`, `cat .env.example > .env.sample`, `cp .env.example .env.local.example`,
	},
}

// TestP9_BuiltinHookFiles: an edit of what hooks run is refused, and called a high risk,
// so that no model approves it either.
func TestP9_BuiltinHookFiles(t *testing.T) {
	w := newWorld(t, linkMap{project + "/hookdir": project + "/.githooks"})
	for path, want := range map[string]classify.Outcome{
		".githooks/pre-commit": no, ".githooks/lib.sh": no, "scripts/commit-msg": no, ".pre-commit-config.yaml": no, "lefthook.yml": no, "hookdir/x": no, "a/Post-Checkout": no,
		"src/hooks/useUser.ts": yes, "docs/pre-commit.md": yes, "update.go": yes,
	} {
		q, _ := w.question("Write", map[string]any{"file_path": project + "/" + path, "content": "x"})
		informed, alone := w.builtin(q)
		if informed.Outcome != want || alone.Outcome != want || want == no && informed.Risk != classify.High {
			t.Errorf("%s: %v, %v (risk %v) %q, want %v", path, informed.Outcome, alone.Outcome, informed.Risk, informed.Reasons, want)
		}
	}
	q, _ := w.bash("echo x > .githooks/pre-commit")
	if v, _ := w.builtin(q); v.Risk != classify.High || !strings.Contains(v.Reasons[0], "git may run") {
		t.Errorf("%v %q", v.Risk, v.Reasons)
	}
	q, _ = w.bash("git commit -m x")
	if v, _ := w.builtin(q); v.Risk != classify.Medium || !strings.Contains(v.Reasons[0], "hooks") {
		t.Errorf("%v %q", v.Risk, v.Reasons)
	}
}

// TestP9_BuiltinLongScripts: what is long does not take long.
func TestP9_BuiltinLongScripts(t *testing.T) {
	w := newWorld(t, nil)
	for name, c := range map[string]struct {
		command string
		want    classify.Outcome
	}{
		"a pipe of which nothing comes": {"true" + strings.Repeat(" | cat", 14) + " > x", no},
		"a pipe":                        {"ls" + strings.Repeat(" | cat", 14) + " > x", yes},
		"too many commands":             {strings.Repeat("ls; ", 1000) + "touch x", no},
		"groups in groups":              {strings.Repeat("{ ", 8) + "true" + strings.Repeat("; } > x", 8), no},
		"many files":                    {"cat" + strings.Repeat(" a", 900) + " | tee" + strings.Repeat(" b", 900), yes},
		"too many files":                {"cat" + strings.Repeat(" a", 9000) + " | tee" + strings.Repeat(" b", 9000), no},
		"many unknown files":            {"for f in *.go; do cat" + strings.Repeat(` "$f"`, 900) + "; done", yes},
	} {
		q, ok := w.bash(c.command)
		if !ok {
			t.Errorf("%s: not valid", name)
			continue
		}
		if v, _ := w.builtin(q); v.Outcome != c.want {
			t.Errorf("%s: %v %q, want %v", name, v.Outcome, v.Reasons, c.want)
		}
	}
}
