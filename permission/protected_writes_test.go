package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestProtectedByDirectory: a relative name in a directory that only a pattern or git tells.
func TestProtectedByDirectory(t *testing.T) {
	bypassed(t, []string{
		`cd .clau* && echo '{}' > settings.json`, `cd .cl?ude; echo '{}' > settings.json`, `pushd .clau* && echo '{}' > settings.json`,
		`cd .g*/hooks && cp /tmp/x pre-commit`, `cd "$ROOT/.git/hooks" && cp /tmp/x pre-commit`,
		`cd "$(git rev-parse --git-dir)" && echo x > config`, "cd `git rev-parse --git-dir` && echo x > config",
		`echo x > $(git rev-parse --git-dir)/config`, `echo x > "$(git rev-parse --git-common-dir)/config"`,
		`echo x > "$(git rev-parse --git-path hooks/pre-commit)"`, `echo x > "$(git -C . rev-parse --absolute-git-dir)/config"`,
		`D=$(git rev-parse --git-dir); echo x > "$D/config"`, `rm -rf "$(git rev-parse --git-dir)"`, `rm -rf "$(git rev-parse --show-toplevel)"`,
	}, []string{
		`cd pack*/web && echo x > y`, `cd "$ROOT/src" && echo x > y`, `ls "$(git rev-parse --git-dir)"`, `cd .clau* && cat settings.json`,
		`cd "$(git rev-parse --show-toplevel)" && echo x > y`, `rm -rf "$(git rev-parse --show-toplevel)/build"`,
	})
}

// TestProtectedFromElsewhere: a name that is protected only together with the directory where it is used,
// or that has a detour or braces in it.
func TestProtectedFromElsewhere(t *testing.T) {
	bypassed(t, []string{
		`cd .git && python3 -c "open('hooks/pre-commit','w')"`, `cd .claude && python3 -c "open('settings.json','w')"`, `cd .git/hooks && perl -e 'open F,">pre-commit"'`,
		`cd .git/hooks && node -e "fs.writeFileSync('pre-commit','')"`, `cd .github && python3 -c "open('hooks/x','w')"`,
		`cd .github; sqlite3 x "select writefile('hooks/x','y')"`, `cd .git/hooks && cpio -i < a`, `cd .git/hooks && split a`, `cd .git/hooks && csplit a 1`, `cd .git/hooks && aria2c u`,
		`unzip a 'hooks/*' -d .github`, `unzip -d .github a hooks/x`, `tar xf a --one-top-level=.github hooks`, `7z x a.7z -o.github hooks/x`,
		`git config core.hooksPath x`, `git config --global core.pager ./x`, `git -C sub config alias.st '!sh x'`, `git init --template=x`, `git clone --template x y`,
		`cp -r hooks .github`, `cp -r hooks ./.github`, `mv hooks .github`, `cp -r x/h* .github`, `mv opencode ~/.config`, `cp -r opencode ~/.config`, `rsync -a hooks .github`,
		`foo --output=/etc//assent/managed-settings.json`, `foo .config//git/config`, `make OUT=.github//hooks/x`, `python3 -c "open('.github//hooks/x','w')"`,
		`perl -e "open F,'>.config/./git/config'"`, `sqlite3 x "select writefile('.config/./git/x','y')"`,
		`touch {x},.claude/settings.json}`, `rm -rf {x},/}`, `touch {,a}~/.bashrc`, `touch {{.git,b}..c}/x`,
	}, []string{
		`cd .git && python3 -c "print(open('HEAD').read())"`, `cd .github && python3 -c "open('workflows/x.yml','w')"`, `cd src && python3 -c "open('x','w')"`,
		`cp README.md .github`, `cp a.yml .github/workflows`, `mv foo ~/.config`, `cp -r nvim ~/.config`, `rsync -a hooks/ build`,
		`git config user.name x`, `git config core.pager less`, `git submodule update --init`, `git clone x y`, `split a`, `cd src && split a`, `unzip a x -d out`, `unzip a 'docs/*' -d .github`,
		`tar xf a --one-top-level=out hooks`, `aria2c u`, `cd .github && sqlite3 x.db "select 1"`,
		`touch {a,b}.txt`, `mkdir -p src/{a,b}/{x,y}`, `touch a{1..3}`, `gh api repos/{owner}/{repo}/pulls`, `docker ps --format {{.ID}},{{.Names}}`,
	})
}

// TestProtectedByPatch: a constant patch names the files.
func TestProtectedByPatch(t *testing.T) {
	bypassed(t, []string{
		"patch -p1 <<'EOF'\n--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\nEOF",
		"patch <<'EOF'\n--- .claude/settings.json\n+++ .claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nEOF",
		"git apply <<'EOF'\ndiff --git a/.claude/settings.json b/.claude/settings.json\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nEOF",
		"git apply - <<'EOF'\ndiff --git a/x b/.husky/pre-commit\nrename from x\nrename to .husky/pre-commit\nEOF",
		"git am <<'EOF'\nFrom: x\n\ndiff --git a/.vscode/tasks.json b/.vscode/tasks.json\n--- a/.vscode/tasks.json\n+++ b/.vscode/tasks.json\n@@ -1 +1 @@\n-a\n+b\nEOF",
		`printf -- '--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n' | patch -p1`, `echo '+++ b/.git/hooks/pre-commit' | git apply`,
		"cat <<'EOF' | patch -p1\n--- a/.git/config\n+++ b/.git/config\nEOF", `patch -p1 <<< '+++ b/.git/config'`,
		"cat > x.patch <<'EOF' && git apply x.patch\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nEOF",
		`patch .git/config x.diff`, `patch -o .git/x a x.diff`, `patch -d .git < x.diff`, `patch -d.git < x.diff`,
		`patch --directory=.git/hooks -i x.diff`, `git apply --directory=.git/hooks x.diff`, `git am --directory=.claude x.mbox`,
		`git -C .claude apply x.diff`, `git apply --build-fake-ancestor=.git/hooks/x x.diff`, `cd .git && patch -p1 -i x.diff`,
		`cd .claude && git apply x.diff`,
	}, []string{
		`git apply x.patch`, `git apply < x.patch`, `git am < x.mbox`, `patch -p1 < x.diff`, `curl -s http://a/x.diff | patch -p1`,
		"patch -p1 <<'EOF'\n--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-see .git/config\n+see .claude/settings.json\nEOF",
	})
}

// TestProtectedByOption: an option names the place, known or not, glued or not.
func TestProtectedByOption(t *testing.T) {
	bypassed(t, []string{
		`./configure --prefix=.git/hooks`, `cmake --install build --prefix .git/hooks`, `cmake --install build --prefix=.git/hooks`,
		`make prefix=.git/hooks install`, `make install DESTDIR=.git/hooks`, `npm --prefix=.git/hooks install`, `npm --prefix .git install`,
		`npm install --prefix=.claude x`, `pip install --target=.claude x`, `pip install -t.claude x`, `pip install -t .claude x`,
		`pip install --prefix=.git/hooks x`, `cargo install --root=.git/hooks x`, `cargo build --target-dir=.git/hooks`,
		`go build -o=.git/hooks/pre-commit`, `go build -o .git/hooks/pre-commit`, `gcc a.c -o.git/hooks/pre-commit`, `gcc -o.git/hooks/pre-commit a.c`,
		`gcc -o .git/hooks/pre-commit a.c`, `gcc -MF .git/hooks/x -MD a.c`, `gcc -MF.git/hooks/x -MD a.c`, `clang a.c --output=.git/hooks/pre-commit`,
		`clang a.c --output .git/hooks/pre-commit`, `ld -o.git/hooks/x a.o`, `rustc --out-dir=.git/hooks a.rs`, `rustc --emit=link=.git/hooks/x a.rs`,
		`rustc --emit link=.git/hooks/x a.rs`, `curl -o.git/x http://a`, `curl -so.git/x http://a`, `curl http://a --output-dir .git/hooks -O`,
		`curl --create-dirs --output=.git/x http://a`, `curl --stderr .git/x http://a`, `curl --libcurl .git/x http://a`,
		`curl --alt-svc .claude/x http://a`, `wget -O.git/x http://a`, `wget -P.git http://a`, `wget --rejected-log=.git/hooks/x http://a`,
		`wget -qO.git/x http://a`, `tar xf a -C.git`, `tar xf a -C .git`, `tar -xf a --directory=.git`, `tar -xf a --one-top-level=.git/hooks`,
		`tar xf a --index-file=.git/hooks/x`, `tar -cf x.tar --listed-incremental=.git/hooks/x src`, `tar -cf x.tar -g.git/hooks/x src`, `unzip x -d.git`,
		`unzip x -d .git`, `unzip -d.git x.zip`, `7z x a.zip -o.git`, `base64 -d -o .claude/settings.json x`, `base64 -D -i x -o .claude/settings.json`,
		`base64 -o.claude/settings.json x`, `base64 --output=.claude/settings.json -d x`, `sort -o.git/config x`, `sort x -o .git/config`,
		`sort --output=.git/config x`, `tar -x -f a.tar -- .claude/settings.json`, `tar --extract --file a.tar .git/config`,
		`tar xf a.tar --transform=s,x,.git/hooks/pre-commit, x`, `csplit -f .git/hooks/x a 1`, `csplit -f.git/hooks/x a 1`,
		`csplit --prefix=.git/hooks/x a 1`, `rsync x .git/hooks/`, `rsync --backup-dir=.git/hooks x y`, `rsync --temp-dir=.git/hooks x y`,
		`rsync --log-file=.git/hooks/x a b`, `rsync --write-batch=.git/hooks/x a b`, `mktemp -p .git/hooks`, `mktemp -p.git/hooks`,
		`mktemp .git/hooks/XXXXXX`, `mktemp --tmpdir=.git/hooks`, `protoc --go_out=.git/hooks a.proto`, `esbuild a.js --outfile=.git/hooks/pre-commit`,
		`esbuild a.js --outdir=.git/hooks`, `docker cp c:/x .git/hooks/x`, `docker cp c:/x .git/hooks`, `docker build -o .git/hooks .`,
		`docker build --output=type=local,dest=.git/hooks .`, `docker save -o .git/hooks/x i`, `docker run -v .git:/x i`,
		`docker run -v ./.git/hooks:/x i`, `docker run --mount type=bind,src=.git,dst=/x i`, `docker run --cidfile=.git/hooks/x i`, `mytool .git/config`,
		`mytool --out .git/hooks/x`, `mytool --out=.git/hooks/x`, `mytool -o.git/hooks/x`, `mytool -xo.git/hooks/x`, `mytool out=.git/hooks/x`,
		`mytool --opt=key=.git/hooks/x`, `mytool a:.git/hooks/x`, `mytool type=local,dest=.git/hooks`, `mytool @.git/x`, `make -C .git/hooks`,
		`make -C.git/hooks`, `make --directory=.git/hooks install`,
	}, []string{
		`grep -r --exclude-dir=.git x .`, `rsync -a --exclude=.git src/ dst/`, `tar czf /tmp/x.tgz --exclude=.git .`, `pytest --ignore=.git`,
		`flake8 --exclude=.git,build`, `ruff check --exclude .git .`, `git --git-dir=.git status`, `gcc -Iinclude -O2 a.c -oa.out`, `npm --prefix=web install`,
		`./configure --prefix=/tmp/x`, `make prefix=/tmp/x install`, `docker run -v .git:/x:ro i`, `docker run -v "$PWD":/x i`, `base64 .claude/settings.json`,
		`gh pr create --body 'edit .claude/settings.json'`, `git commit -m 'update .claude/settings.json'`, `sort .git/config -o /tmp/x`,
	})
}

// TestProtectedMember: an archiver is told to unpack it.
func TestProtectedMember(t *testing.T) {
	bypassed(t, []string{
		`tar xf a.tar .git/hooks/pre-commit`, `tar -xf a.tar .claude/settings.json`, `bsdtar -xf a.tar .claude/settings.json`, `tar xzf a.tgz './.git/*'`,
		`unzip a.zip .git/config`, `unzip a.zip '.git/*'`, `unzip -o a.zip x .claude/settings.json`, `7z x a.zip .claude/settings.json`,
		`7zz x a.zip .claude/settings.json`, `cpio -i .git/config < a.cpio`, `cpio -idv '.git/*' < a.cpio`, `pax -r .git/config < a`, `pax -rw x .git`,
		`unrar x a.rar .git/`, `unrar x a.rar .git/config`, `jar xf a.jar .claude/settings.json`,
	}, []string{
		`tar tf x.tgz .git/config`, `tar xOf x.tgz .git/config`, `unzip -l a.zip '.git/*'`, `unzip -p a.zip .git/config`, `7z l a.zip .git/config`, `tar xf a.tar src/x`,
		`tar czf /tmp/x.tgz .git`, `unzip a.zip src/x`,
	})
}

// TestProtectedByGit: git writes files besides those of its repository.
func TestProtectedByGit(t *testing.T) {
	bypassed(t, []string{
		`git checkout REV -- .claude/settings.json`, `git checkout main .claude/settings.json`, `git restore .claude/settings.json`,
		`git restore -s main .claude`, `git checkout-index --prefix=.git/hooks/ a`, `git checkout-index --prefix=.git/hooks/ -a`,
		`git archive -o.git/hooks/x HEAD`, `git archive --output=.git/hooks/x HEAD`, `git format-patch -o.git/hooks HEAD`,
		`git init --separate-git-dir=.claude`, `git init --separate-git-dir .claude`, `git init --template=x .claude`, `git init .claude`,
		`git worktree add .claude`, `git worktree add -b x .claude/y`, `git clone x .claude`, `git clone x .git/hooks`,
		`git clone --separate-git-dir=.claude/x u d`, `git --work-tree=.claude checkout HEAD x`, `git --work-tree .claude checkout HEAD x`,
		`git --git-dir=x --work-tree=.git/hooks checkout .`, `git config --file=.vscode/x a.b c`, `git config -f.vscode/x a.b c`,
		`git config -f .vscode/x a.b c`, `git bundle create .git/hooks/x HEAD`, `git submodule add u .claude/x`, `git mv a .claude/settings.json`,
		`git read-tree --index-output=.git/hooks/x HEAD`, `git bugreport -o .git/hooks`, `git subtree add --prefix=.claude u main`,
		`git subtree add -P .claude u main`, `git fast-export --export-marks=.git/hooks/x HEAD`,
	}, []string{
		`git add .claude/settings.json`, `git config user.name x`,
		`git log -- .claude`, `git show HEAD:.claude/settings.json`, `git worktree add ../x`, `git bundle create /tmp/x HEAD`, `git submodule update --init`,
	})
}

// TestProtectedByStatement: a command in the language of the program writes the file.
func TestProtectedByStatement(t *testing.T) {
	bypassed(t, []string{
		`sqlite3 x '.output .git/hooks/pre-commit' 'select 1'`, `sqlite3 x '.once .git/hooks/pre-commit' 'select 1'`,
		`sqlite3 x '.backup .git/hooks/pre-commit'`, `sqlite3 x '.backup main .git/hooks/pre-commit'`, `sqlite3 x ".save '.git/hooks/pre-commit'"`,
		`sqlite3 x ".log .git/hooks/pre-commit"`, `sqlite3 -cmd '.output .git/hooks/pre-commit' x 'select 1'`,
		`sqlite3 x "vacuum into '.git/hooks/pre-commit'"`, `sqlite3 x "attach '.git/hooks/pre-commit' as a"`,
		`sqlite3 x "select writefile('.git/hooks/pre-commit','x')"`, "sqlite3 x <<'EOF'\n.output .git/hooks/pre-commit\nselect 1;\nEOF",
		`echo '.output .git/hooks/x' | sqlite3 x`, `psql -o .git/hooks/x -c 'select 1'`, `psql -o.git/hooks/x -c 'select 1'`, `psql -c '\o .git/hooks/x'`,
		`psql -c '\copy t to .git/hooks/x'`, `psql -c "copy t to '.git/hooks/x'"`, "psql <<'EOF'\n\\\\o .git/hooks/x\nselect 1;\nEOF",
		`duckdb -c "copy t to '.git/hooks/x'"`, `mysql -e "select 1 into outfile '.git/hooks/x'"`, `mysql --tee=.git/hooks/x -e 'select 1'`,
		"ed .git/config <<'EOF'\nw\nEOF", "ed x <<'EOF'\nw .git/config\nEOF", `printf 'w .git/config\n' | ed x`,
		`printf '%s\n' 'w .git/config' q | ed -s x`, `ex -c 'w .git/x' a`, `ex -sc 'w .git/x|q' a`, `ex -sc 'w! .git/x' -cq a`, `vim -c 'w .git/x' a`,
		`vim -es -c 'saveas .git/x' -c q a`, `vim '+w .git/x' a`, `vim -c 'set x | w! .git/x | q' a`, `vim -c '1,3w .git/x' a`, `vim -c '%w! .git/x' a`,
		`vim -c 'call writefile(["a"],".git/x")' -c q`, `nvim --headless -c 'redir > .git/x' -c q`, `vim -c 'wn .git/x' a`,
		"ex x <<'EOF'\nw .git/config\nEOF", `emacs --batch --eval '(write-region "x" nil ".git/config")'`, `gdb -ex 'dump memory .git/hooks/x 0 1' a`,
		`gdb -batch -ex 'set logging file .git/hooks/x' a`,
	}, []string{
		`sqlite3 x.db '.output out.txt' 'select 1'`, `sqlite3 x.db "select * from t where p like '.git/%'"`, `sqlite3 x.db '.read .claude/x.sql'`,
		`psql -c 'select 1'`, `psql -c '\i .claude/x.sql'`, `vim -c 'w out.txt' a`, `vim -c 'r .git/config' -c 'w x' a`, `gdb -batch -ex bt ./a`,
		"ed x <<'EOF'\na\nsee .git/config\n.\nw\nEOF",
	})
}

// TestProtectedInCode: a program in another language holds the name, or is given it.
func TestProtectedInCode(t *testing.T) {
	bypassed(t, []string{
		`awk 'BEGIN{f=".claude/settings.json"; print "{}" > f}'`, `awk -v f=.claude/x '{print > f}' a`, `awk 'BEGIN{c="tee .git/hooks/x"; print "x" | c}'`,
		`awk '{print > FILENAME}' .claude/settings.json`, `gawk -o.git/hooks/x '{print}' a`, `sed -n 's/a/b/w .git/hooks/x' x`,
		`python3 -c 'import os; os.link("x",".claude/settings.json")'`, `python3 -c 'import os; os.open(".claude/settings.json",os.O_CREAT)'`,
		`node -e 'require("fs").cpSync("x",".claude/settings.json")'`, `ruby -e 'IO.copy_stream "x", ".git/hooks/y"'`, `php -r 'rename("x",".claude/settings.json");'`,
		`perl -e 'rename $x, ".git/hooks/y"'`, `lua -e 'io.output(".claude/settings.json")'`, `lua -e 'io.open(".git/config","r+")'`,
		"python3 - <<'EOF'\nimport os\nos.link('x', '.git/hooks/pre-commit')\nEOF", `python3 -c 'import sys; open(sys.argv[1],"w")' .claude/settings.json`,
		`perl -e 'open F,">$ARGV[0]"' .claude/settings.json`, `python3 x.py .claude/settings.json`, `python3 -m tool .claude/settings.json`,
		`python3 -m json.tool a .claude/settings.json`, `node x.js .claude/settings.json`, `bash x.sh .git/hooks/pre-commit`, `deno fmt .vscode/settings.json`,
		`strace -o.git/hooks/x ls`, `/usr/bin/time --output=.git/hooks/x ls`, `valgrind --log-file=.git/hooks/x ls`,
		`find .claude -type f | xargs sed -i s/a/b/`, `ls .claude/*.json | xargs rm`, `grep -rl x .claude | xargs sed -i s/a/b/`, `eslint --fix .vscode`, `jsonlint -i .claude/x.json`,
	}, []string{
		`python3 -c 'print(open(".claude/settings.json").read())'`, `python3 -c "import json;print(json.dumps(json.load(open('.claude/settings.json')),indent=2))"`,
		`python3 -c "import json,sys; print(json.load(open(sys.argv[1]))['hooks'])" .claude/settings.json`, `python3 -m json.tool .claude/settings.json`,
		`node -p 'require("./.vscode/settings.json").a'`, `ruby -e 'puts File.read(".claude/settings.json")'`, `perl -ne 'print if /x/' .claude/settings.json`,
		`node .claude/hooks/x.js`, `python3 .claude/hooks/x.py --verbose`, `sh .husky/pre-commit`, `.claude/hooks/x.sh`, `awk '$1 == ".git/config"' x`,
		`awk '{print > $1".txt"}' a`, `awk -v d=.git '$1 != d' x`, `grep -rl x src | xargs sed -i s/a/b/`, `ls .claude | xargs -I{} cat .claude/{}`,
		`find . -not -path './.git/*' -name '*.go' | xargs gofmt -w`, `prettier --check .vscode/settings.json`, `eslint .vscode`, `shellcheck .husky/pre-commit`,
		`jq . .claude/settings.json`, `tree .github`, `diff .git/config x`, `cp .git/config /tmp/x`, `python3 x.py data.csv`,
	})
}

// TestFloorWhateverWay: everything here is deleted or emptied, or processes start without end.
func TestFloorWhateverWay(t *testing.T) {
	bypassed(t, []string{
		`cd .. && rm -rf "$OLDPWD"`, `cd /tmp && rm -rf "$OLDPWD"`, `cd src && rm -rf $OLDPWD/*`, `cd .. && rm -rf ~-`, `pushd /tmp && rm -rf "${OLDPWD}"`,
		`cd ..; mv "$OLDPWD" /tmp/x`, `cd ..; find "$OLDPWD" -delete`, `bash -c 'cd /tmp; rm -rf "$OLDPWD"'`,
		`truncate -s 0 *`, `truncate --size=0 ./*`, `truncate -s0 -- *`, `truncate -s 0 "$PWD"/*`, `truncate -s 0 ~/*`, `truncate -r /dev/null *`, `shred *`, `tee * < /dev/null`,
		`cp /dev/null *`, `tee * < /dev/null`, `sed -i d *`, `for f in *; do : > "$f"; done`, `for f in ./*; do cat /dev/null > $f; done`,
		`find . -exec truncate -s 0 {} \;`, `find . -type f -exec cp /dev/null {} \;`, `find . -type f -exec sh -c '> "$1"' _ {} \;`,
		`find . -type f -print0 | xargs -0 truncate -s 0`, `git ls-files | xargs truncate -s 0`, `git ls-files -z | xargs -0 rm -f`,
		`ls | xargs -I{} sh -c 'rm -rf {}'`, `readarray -t a <<< "$(ls)"; rm -rf "${a[@]}"`, `ls > list; xargs rm -rf < list`, `ls | xargs mv -t /tmp`, `sed -ni '' *`, `perl -ni -e '' *`, `for f in *; do exec > "$f"; done`, `gio trash ~`,
		`f(){ g|g& };g(){ f|f& };f`, `a(){ b|b& }; b(){ c|c& }; c(){ a|a& }; a`, `f(){ g|h& };g(){ f; }; h(){ f; }; f`, `a(){ b & }; b(){ a & }; a`, `f(){ f & };f`,
		`while :; do bash & done`, `while true; do sleep 9 & echo x; done`, `until false; do (bash) & done`, `for ((;;)); do x & done`, `while ((1)); do { x; } & done`,
		`while [ 1 ]; do x & done`, `while [[ 1 ]]; do x & done`, `while :; do coproc x; done`,
	}, []string{
		`cd src && rm -rf "$OLDPWD/build"`, `cd /tmp/x && truncate -s 0 *`, `cd build && rm -rf "$PWD/x"`, `cd "$OLDPWD" && make`, `truncate -s 0 *.log`, `truncate -s 0 logs/*`,
		`grep -rl foo . | xargs rm`, `ls *.log | xargs rm`, `ls > list; rm list`, `sed -i '/x/d' *`, `sed -ni '' a.log`, `gio trash old`,
		`truncate -s 1M x.img`, `: > app.log`, `for f in *.log; do : > "$f"; done`, `for f in *; do wc -l "$f"; done`, `sed -i s/a/b/ *`, `echo x | tee -a *`, `echo x | tee *.log`, `cp /dev/null app.log`,
		`find . -name '*.log' -exec truncate -s 0 {} \;`, `git ls-files '*.go' | xargs gofmt -w`, `git ls-files | xargs wc -l`,
		`f(){ g & }; g(){ sleep 1; }; f`, `f(){ g | h; }; g(){ echo; }; h(){ cat; }; f`, `retry(){ "$@" || retry "$@"; }; retry make`,
		`walk(){ for d in "$1"/*; do walk "$d" & done; }; walk .`, `loop(){ make; sleep 9; loop; }; loop`, `for i in 1 2 3; do sleep 1 & done; wait`,
		`while :; do sleep 60 & wait $!; done`, `while :; do make & pid=$!; inotifywait x; kill $pid; done`, `while read -r l; do curl -s "$l" & done < urls; wait`,
		`while true; do make; sleep 5; done`, `until curl -s localhost; do sleep 1; done`, `while :; do x & sleep 1; done`,
	})
}

// TestFloorByPatternOption: options of the shell make patterns find more, never less.
func TestFloorByPatternOption(t *testing.T) {
	bypassed(t, []string{
		`shopt -s dotglob; rm -rf *`, `shopt -u dotglob; rm -rf *`, `shopt -s "$X"; rm -rf *`, `shopt -s globstar; rm -rf **`, `shopt -s globstar; rm -rf **/*`,
		`shopt -s nocaseglob; rm -rf *`, `GLOBIGNORE=x; rm -rf *`, `bash -O dotglob -c 'rm -rf *'`, `shopt -s dotglob; cd build/..; rm -rf *`,
		`shopt -s dotglob; for f in *; do rm -rf "$f"; done`, `shopt -s dotglob nullglob; a=(*); rm -rf "${a[@]}"`, `shopt -s dotglob; mv * /tmp/x`,
		`shopt -s dotglob; truncate -s 0 *`, `shopt -s dotglob; > *`, `shopt -s dotglob; rm -rf *git`, `shopt -s dotglob; rm -rf ?git`,
		`shopt -s dotglob; tee *mcp.json`, `shopt -s dotglob; cd *git; echo x > config`, `GLOBIGNORE=x; cp x .g*/config`, `shopt -s nocaseglob; cp x .G*/config`,
		`shopt -s dotglob; p=*git; rm -rf $p`, `shopt -s nocaseglob; rm -rf /HOM*`,
	}, []string{
		`shopt -s dotglob; rm -rf build/*`, `shopt -s dotglob; cd build && rm -rf *`, `shopt -s dotglob; mv src/* dst/`, `shopt -s globstar; rm -f **/*.o`,
		`shopt -s globstar nullglob; for f in **/*.tmp; do rm -f "$f"; done`, `shopt -s nullglob; rm -f *.o`, `shopt -s nocaseglob; cp *.JPG /tmp/x`,
		`shopt -s dotglob; ls *git`, `shopt -s dotglob; cat */config`,
	})
}

// TestFloorByDirectoryVariable: expansions of HOME, PWD and the like that may leave the directory as it is.
func TestFloorByDirectoryVariable(t *testing.T) {
	bypassed(t, []string{
		`rm -rf ${HOME:-x}`, `rm -rf "${HOME-x}"`, `rm -rf "${HOME:=x}"`, `rm -rf ${HOME:=x}`, `rm -rf ${HOME:-"$PWD/build"}`, `mv "${HOME:-x}" /tmp`,
		`rm -rf "${PWD:-x}"`, `rm -rf "${PWD#z}"`, `rm -rf "${PWD@E}"`, `rm -rf "${HOME#x}"`, `rm -rf "${HOME,,}"`, `rm -rf "${HOME^}"`, `rm -rf "${HOME@P}"`,
		`rm -rf "${HOME##x}"`, `rm -rf "${HOME[0]}"`, `rm -rf "${HOME[@]}"`, `rm -rf "${PWD^}"`, `rm -rf "${PWD:=x}"`, `rm -rf "${PWD/x/y}"`, `rm -rf "${PWD:0}"`,
		`H=HOME; rm -rf "${!H}"`, `H=PWD; rm -rf "${!H}"`, `declare -n H=HOME; rm -rf "$H"`, `declare -n H=PWD; rm -rf "$H"`, `builtin declare -n H=PWD; rm -rf "$H"`,
		`rm -rf "${OLDPWD:-x}"`, `rm -rf "${OLDPWD#x}"`, `rm -rf "${DIRSTACK[0]}"`, `rm -rf "${DIRSTACK[@]}"`, `rm -rf "$DIRSTACK"`, `d=${HOME:-x}; rm -rf "$d"`,
		`rm -rf "${X:-${HOME:-x}}"`, `rm -rf "${HOME:-x}"/*`, `cd "${HOME:-x}"; rm -rf *`, `echo x > "${HOME:-x}/.bashrc"`, `cp x "${HOME#x}/.claude/settings.json"`,
	}, []string{
		`rm -rf "${PWD##*/}"`, `rm -rf "/tmp/${PWD##*/}"`, `rm -rf "${PWD#$HOME/}/build"`, `rm -rf "${HOME:-/root}/.cache/x"`, `rm -rf "${XDG_CACHE_HOME:-$HOME/.cache}/foo"`,
		`tar czf "../${PWD##*/}.tgz" .`, `cp a "${OLDPWD:-.}/b"`, `x=build; y=x; rm -rf "${!y}"`, `declare -n r=x; x=build; rm -rf "$r"`, `rm -rf "${TMPDIR:-/tmp}/x"`,
	})
}

// TestMovedHome: a script that gives HOME another value moves "~" and a bare cd.
func TestMovedHome(t *testing.T) {
	bypassed(t, []string{
		`HOME=/home/dev/proj/.claude; echo x > ~/settings.json`, `HOME=/home; rm -rf ~/dev`, `HOME=/dev; dd of=~/sda`, `HOME=/home; find ~/dev -delete`,
		`HOME=/home/dev/proj/.git; cd; echo x > config`, `HOME=/home/dev/proj/.git; cd ~; echo x > config`, `HOME=/home/dev/proj/.git; cd ~/hooks; cp /tmp/x pre-commit`,
		`HOME=/home/dev/proj/.git; pushd ~; echo x > config`, `HOME=.git && cd -P && cp x config`, `HOME=~/proj/.git; cd; echo x > config`,
		`HOME=/home/dev/proj/.claude sh -c 'echo x > ~/settings.json'`, `env HOME=/home/dev/proj/.claude sh -c 'echo x > ~/settings.json'`,
		`sudo HOME=/home/dev/proj/.git sh -c 'echo x > ~/config'`, `export HOME=/home/dev/proj/.claude; echo x > ~/settings.json`,
		`declare HOME=/home/dev/proj/.git; echo x > ~/config`, `printf -v HOME /home/dev/proj/.git; echo x > ~/config`, `for HOME in .git; do echo x > ~/config; done`,
		`f(){ HOME=/home/dev/proj/.git; }; f; cd; echo x > config`, `HOME+=/proj/.git; cd; echo x > config`, `HOME[0]=/home/dev/proj/.git; cd; echo x > config`,
		`X=.git; HOME=$X; echo x > ~/config`, `HOME=$(git rev-parse --git-dir); echo x > ~/config`, `(HOME=/home; d=~/dev; rm -rf $d)`, `a[0]=.git; cp x $a/config`,
	}, []string{
		`HOME=/tmp/x; echo x > ~/y; cd; ls`, `HOME=$(mktemp -d); echo x > ~/y; cd ~; ls`, `HOME=/tmp/h npm install ~/foo`,
		`export HOME=/tmp/h; mkdir -p ~/.cache; rm -rf ~/.cache`, `export HOME="$PWD/.home"; mkdir -p ~; cp a ~/b`,
	})
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(.env)", "Read(~/.ssh/**)"}}).asked(`HOME=/home/dev/proj; cat ~/.env
HOME=/home/dev/.ssh; cat ~/id_rsa
HOME=/home/dev/.ssh; cd; cat id_rsa
HOME=/home/dev/.ssh sh -c 'cat ~/id_rsa'
env HOME=/home/dev/.ssh sh -c 'cat ~/id_rsa'
HOME=$X; cat ~/id_rsa
read HOME < f; cd; cat id_rsa`, `HOME=/tmp/h; cat ~/x`)
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Edit(.env)"}}).asked(`HOME=$PWD; echo x > ~/.env
export HOME=$PWD; cp x ~/.env`, `HOME=$PWD; cp x ~/y`)
}

// TestEarlierDirectories: what leads back to where a script has been, or to another directory than it says.
func TestEarlierDirectories(t *testing.T) {
	bypassed(t, []string{
		`cd .git; cd ..; echo x > ~-/config`, `cd .git && cd .. && echo x > $OLDPWD/config`, `pushd .git/hooks; popd; cp x ~-/pre-commit`, `cd .git && cd - && cd - && echo x > config`,
		`pushd -n $PWD/.git; popd; echo x > config`, `pushd -n .git; popd; echo x > config`, `pushd -n /home/dev/proj/.git; pushd; echo x > config`,
		`pushd .git; pushd ..; echo x > ~1/config`, `pushd .git; pushd ..; echo x > ~+1/config`, `pushd .git; pushd ..; echo x > "${DIRSTACK[1]}/config"`,
		`pushd .git; pushd /tmp; pushd +1; echo x > config`, `cd ..; cd -; rm -rf ~-/proj`, `cd build; cd -; rm -rf *`, `DIRSTACK[1]=/home; pushd; rm -rf dev`,
		`OLDPWD=/home; cd -; rm -rf dev`, `OLDPWD=/home/dev/proj/.git; echo x > ~-/config`, `cd /a; cd /b; cd /c; cd /d; cd /e; cd /f; cd /home/dev/proj/.git; cd -; cd -; echo x > config`,
		`CDPATH=.git; cd hooks && cp /tmp/x pre-commit`, `CDPATH=/home/dev/proj/.claude cd hooks; echo x > y`, `export CDPATH=/x:.git; cd hooks && cp /tmp/x pre-commit`,
		`CDPATH=/home; cd dev; rm -rf *`, `CDPATH=/home; cd dev && rm -rf proj`,
	}, []string{
		`cd src; cd ..; echo x > ~-/y`, `pushd build; make; popd; rm -rf out`, `cd build && cmake .. && cd - && rm -rf build/*`, `cd /tmp/x; tar xf a; cd -; echo x > y`,
		`pushd src && npm ci && popd && npm run build > out.log`, `CDPATH= cd -- "$D" && make`, `for d in a b c; do pushd $d; make; popd; done`, `cp a "$OLDPWD"/b`,
	})
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(~/.ssh/**)"}}).asked(`cd ~/.ssh; cd -; cat ~-/id_rsa
pushd -n ~/.ssh; popd; cat id_rsa
CDPATH=/home/dev; cd .ssh; cat id_rsa
OLDPWD=/home/dev/.ssh; cd -; cat id_rsa
OLDPWD=/home/dev/.ssh; cat ~-/id_rsa`, `cd build && make; cat x`)
	newWorld(t, lists{}).asked(`ls ~-/src`, `cd src && ls && cd .. && ls`)
}

// TestPrintedNames: what printf makes of its words is followed.
func TestPrintedNames(t *testing.T) {
	bypassed(t, []string{
		`printf -v d '%b' '\056git'; cp x $d/config`, `printf -v d '%b' '\0056git'; cp x $d/config`, `printf -v d '%b' '\x2egit'; cp x $d/config`, `printf -v d '%b' '\u002egit'; cp x $d/config`,
		`printf -v d '%b' '\057'; rm -rf $d`, `rm -rf "$(printf '%b' '\057')"`, `echo x > "$(printf '%b' '\056git/config')"`, `rm -rf "$(printf '%b' '/\cx')"`,
		`printf -v d '%c%s' .xx git; cp x $d/config`, `printf -v d '%.4s' .gitxx; cp x $d/config`, `printf -v d '%5s' .git; cp x $d/config`, `rm -rf "$(printf '%-1s' /)"`,
	}, []string{
		`printf -v d '%02d' 3; mkdir $d`, `printf -v d '%b' 'a\tb'; echo "$d"`, `printf '%9999999999s' x > y`, `printf -v d '%.3s' build; rm -rf $d`,
	})
}

// bypassed checks which commands need a person in bypassPermissions and which run.
func bypassed(t *testing.T, person, run []string) {
	t.Helper()
	w := newWorld(t, lists{Allow: []string{"Bash"}}, inMode(permission.BypassPermissions))
	for _, command := range person {
		if d := w.bash(command); d.Behavior != ask || !d.NeedsPerson {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	for _, command := range run {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}

// TestFloorByConstantVariable: a removal is understood where the script surely gives a variable a
// value that is not empty, and only there.
func TestFloorByConstantVariable(t *testing.T) {
	bypassed(t, []string{
		`x=a; sh -c 'rm -rf ./$x/*'`, `x=a; sh -c 'rm -rf "$x"/*'`, `x=a; sudo sh -c "rm -rf ./\$x/*"`, `for d in a b; do sh -c 'rm -rf ./$d/*'; done`,
		`y=1; false && x=build; rm -rf "$x"/*`, `x=build | cat; rm -rf "$x"/*`, `x=build & rm -rf "$x"/*`, `x=build; read x; rm -rf "$x"/*`,
		`x=build; if t; then x=$(cmd); fi; rm -rf "$x"/*`, `x=build; if t; then x=; fi; rm -rf "$x"/*`, `d=$(cmd); rm -rf "./$d"/*`, `rm -rf "$x"/*`,
		`for d in "" b; do rm -rf ./$d/*; done`, `for d in a b; do d=$(x); rm -rf "./$d"/*; done`, `: ${d:=/}; rm -rf $d`, `declare -a d='(/)'; rm -rf $d`,
	}, []string{
		`rm -rf "${x:?}"/*`, `x=build; rm -rf "./$x"/*`, `x=build; rm -rf "$x"/*`, `x=build && rm -rf "$x"/*`, `for d in a b; do rm -rf ./$d; done`,
		`for d in a b; do rm -rf ./$d/*; done`, `for d in a b; do rm -rf "$d"/*; done`, `rm -rf "${BUILD_DIR:-build}"/*`, `rm -rf ./"${BUILD_DIR:-build}"`,
	})
}

// TestFloorByDirectory: a command runs where the values lead that the script gives to the word of cd.
func TestFloorByDirectory(t *testing.T) {
	bypassed(t, []string{
		`set -- .claude; cd $1; echo x > settings.json`, `set .claude; cd $1; echo x > settings.json`, `set -- a .claude; shift; cd $1; echo x > settings.json`,
		`set -- .claude; pushd $1; echo x > settings.json`, `set -- .claude; d=$1; cd $d; echo x > settings.json`,
		`set -- .claude; for d; do cd $d; echo x > settings.json; done`, `set -- .git/hooks; cd $1 && echo x > pre-commit`,
		`set -- .git; cd $1/hooks && echo x > pre-commit`, `set -- /; cd $1 && rm -rf etc`, `set -- ..; cd $1; rm -rf proj`,
		`mapfile -t a <<< .claude; cd "${a[0]}"; echo x > settings.json`, `mapfile -t a <<< /; cd ${a[0]}; rm -rf etc`,
		`IFS= read -ra a <<< .claude; cd ${a[0]}; echo x > settings.json`, `declare -A m=([k]=.claude); cd "${m[k]}"; echo x > settings.json`,
		`cd $(find . -name .claude); echo x > settings.json`, `cd $(ls -d .claude); echo x > settings.json`, `cd $(find / -maxdepth 0); rm -rf etc`,
		`cd $(ls -d /); rm -rf etc`, `cd $(dirname .claude/settings.json); echo x > settings.json`, `cd "$(dirname /etc)"; rm -rf etc`,
		`cd $(realpath /); rm -rf etc`, `for d in .*/; do cd $d; echo x > settings.json; done`, `for d in .c*/; do cd $d; echo x > settings.json; done`,
		`for d in ./.*/; do cd $d; echo x > settings.json; done`, `for d in .[a-z]*/; do cd $d; echo x > settings.json; done`,
		`for d in .*; do cd $d; echo x > settings.json; done`, `echo .claude | xargs sh -c 'cd $0; echo x > settings.json'`,
		`f() { cd $1; echo x > settings.json; }; f .claude`, `f() { cd "$1" && rm -rf etc; }; f /`, `sh -c 'cd $1; echo x > settings.json' _ .claude`,
		`set -- .claude; env -C $1 tee settings.json`, `set -- .claude; git -C "$1" init; (cd "$1" && cp ../a settings.json)`, `set -- /; find $1 -delete`,
		`set -- /; cd $1; find . -delete`, `set -- /; cd $1; find etc -delete`, `set -- /; cd $1; mv etc /tmp`, `set -- ..; cd "$1"; git clean -fdx`,
		`a=(.claude); cd "${a[@]}"; echo x > settings.json`, `x=.claude; y=x; cd ${!y}; echo x > settings.json`,
		`while read d; do cd "$d"; echo x > settings.json; done <<< .claude`, `echo .claude > l; cd $(cat l); echo x > settings.json`,
		`echo .claude > l; while read d; do cd "$d"; echo x > settings.json; done < l`,
		`find . -name .claude -execdir sh -c 'cd $0; echo x > settings.json' {} \;`, `find . -name .claude -exec sh -c 'cd $0; echo x > settings.json' {} \;`,
		`cd "$(git rev-parse --git-dir)"; echo x > config`, `select d in .claude; do cd $d; echo x > settings.json; done`,
	}, []string{
		`for d in a b c; do cd $d; rm -rf build; cd ..; done`, `for d in */; do (cd "$d" && rm -rf node_modules); done`,
		`for d in */; do cd "$d"; npm test; cd ..; done`, `set -- a b; cd $1; rm -rf x`, `cd "$(git rev-parse --show-toplevel)" && rm -rf build`,
		`cd "$(dirname "$0")" && rm -rf out`, `tmp=$(mktemp -d); cd "$tmp"; echo x > config; rm -rf sub`,
		`cd "$(dirname "$(readlink -f run.sh)")" && echo x > log`, `cd "$HOME/src" && rm -rf build`, `cd $(go env GOPATH)/src; rm -rf x`,
		`while read -r d; do cd "$d" && rm -rf dist; done < dirs.txt`, `find . -type d -name pkg | while read d; do (cd "$d" && rm -rf dist); done`,
		`ls -d */ | while read d; do (cd "$d" && git pull && rm -rf tmp); done`, `cd "$(find . -maxdepth 1 -name build)" && rm -rf objs`,
		`cd $(npm root) && rm -rf .cache`, `for d in $(ls); do (cd $d; rm -f config); done`, `cd "$1"; shift; echo "$@" > out`,
		`a=(x y z); for d in "${a[@]}"; do cd "$d"; echo x > config; cd -; done`,
		`cd "$PROJECT" && rm -rf build && mkdir build && cd build && cmake .. && echo x > config`, `set -- /srv/app; cd "$1" && rm -rf build`,
		`set -- ../other; cd "$1" && rm -rf build`,
	})
}

// TestFloorByMove: what is moved within the project is still there; what git no longer tracks is too.
func TestFloorByMove(t *testing.T) {
	bypassed(t, []string{
		`mv * /tmp`, `mv * ../x`, `mv /* .`, `mv .git x/`, `mv ~/* x`, `git rm -rf .`, `git rm -rf '*'`, `git rm -r :/`,
	}, []string{
		`mv * sub/`, `for f in *; do mv "$f" "new-$f"; done`, `git rm --cached -r .`, `git rm -r --cached '*'`,
	})
}

// TestFloorByFilter: a filter of a listing counts where it leaves something out.
func TestFloorByFilter(t *testing.T) {
	bypassed(t, []string{
		`ls | grep . | xargs rm -rf`, `ls | grep '' | xargs rm -rf`, `ls | grep -v '^$' | xargs rm -rf`, `ls | tail -n +1 | xargs rm -rf`,
		`ls | tail -n+1 | xargs rm -rf`, `ls | head -n -0 | xargs rm -rf`, `ls | head -100000 | xargs rm -rf`, `ls | awk 1 | xargs rm -rf`,
		`ls | awk NF | xargs rm -rf`, `ls | awk '{print}' | xargs rm -rf`, `ls | awk '{print $0}' | xargs rm -rf`, `ls | awk '{print $1}' | xargs rm -rf`,
		`ls | sed -n p | xargs rm -rf`, `ls | sed s/a/b/ | xargs rm -rf`, `ls | sed 's/d$/d' | xargs rm -rf`, `ls | sort | xargs rm -rf`,
	}, []string{
		`ls | grep foo | xargs rm -rf`, `ls | grep -v keep | xargs rm -rf`, `ls | grep -E '^a' | xargs rm -rf`, `ls -t | tail -n +6 | xargs rm -rf`,
		`ls -t | head -n 5 | xargs rm -rf`, `ls | head -3 | xargs rm`, `ls -t | sed -n '6,$p' | xargs rm -rf`, `ls -t | sed '1,5d' | xargs rm -rf`,
		`ls | sed '/keep/d' | xargs rm -rf`, `ls -l | awk '$5 == 0 {print $9}' | xargs rm`, `ls | grep -n foo | xargs rm`,
	})
}
