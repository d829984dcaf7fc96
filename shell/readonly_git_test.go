package shell

import "testing"

func TestReadOnly_Git(t *testing.T) {
	checkReadOnly(t, `
		git bisect log
		git
		git status --short --branch
		git status -sb "$X"
		git --no-pager log -3
		git -C "$D" status
		git -C src -P log --oneline -10
		git log --format=%H -n 1
		git log --since=1.week --author me --grep='fix'
		git log -p -S'foo bar' -- "$F"
		git log --all --graph --decorate --oneline
		git log origin/main..HEAD --stat
		git log "origin/$B" -1
		git log --since "$D"
		git log -L 1,5:main.go
		git log -U5 -M90% --follow main.go
		git log --pretty=format:'%h %s' --date=short
		git log --format='%h %an %ad 100%%G %s' --date=format:%G-W%V
		git log --pretty=fuller --grep=%G
		git for-each-ref --sort=-committerdate --format='%(refname:short) %(contents:signature)'
		git tag -l --format='%(refname)' 'v*'
		git branch -a --format='%(refname:short)' --sort=-committerdate
		git show HEAD:main.go
		git show -s --format=%B HEAD
		git show stash@{0}
		git diff --cached
		git diff HEAD~1 -- '*.go'
		git diff --no-index a b
		git diff --no-ext-diff --no-textconv -w
		git diff -Oorder
		git diff --name-o
		git diff-tree --no-commit-id --name-only -r HEAD
		git rev-list --count HEAD
		git rev-parse --show-toplevel
		git rev-parse "$X"
		git merge-base main HEAD
		git shortlog -sne HEAD
		git blame -L 1,10 main.go
		git grep -n foo
		git grep -nE 'a|b' -- '*.go'
		git grep -A3 -e foo --and -e bar
		git grep -- "$P"
		git cat-file -p HEAD
		git cat-file --batch-check
		git ls-files -o --exclude-standard $X
		git ls-tree -r HEAD
		git describe --tags --always --dirty
		git for-each-ref --sort=-committerdate --format='%(refname)' refs/heads
		git show-ref --verify refs/heads/main
		git symbolic-ref --short HEAD
		git reflog
		git reflog -5
		git reflog show HEAD@{1}
		git count-objects -vH
		git check-ignore -v x
		git stash list
		git stash show -p
		git stash show stash@{1}
		git worktree list --porcelain
		git remote
		git remote -v
		git remote show
		git remote show -n origin
		git remote get-url origin
		git remote get-url --all origin
		git version
		git hash-object x
		git notes
		git notes show HEAD
		git submodule status --recursive
		git clean -nd
		git clean --dry-run -x
	`, `
		git x
		git $SUB
		git "$SUB"
		git -c core.pager=./x log
		git -ccore.pager=./x log
		git -c alias.x='!rm' x
		git --config-env=core.pager=X log
		git --exec-path=./evil status
		git --exec-path status
		git -p log
		git --paginate log
		git --git-dir=.evil log
		git --git-dir .evil log
		git --work-tree=x status
		git --bare status
		git -C $D status
		git -C src push
		git --help log
		git help log
		git log --help
		git log --format=%G?
		git log --format='%h %s%n%+GK'
		git log --format='%%%G?'
		git log --pretty='format:%-GS'
		git log --pretty=tformat:%GG
		git log --prett=%GT
		git show --format=%GF HEAD
		git rev-list --format=%GP HEAD
		git diff-tree --pretty=%G? HEAD
		git shortlog --format=%GS HEAD
		git reflog --format=%G?
		git stash list --format=%G?
		git log --format="$F"
		git log --format="%h $F"
		git log --show-signature
		git verify-commit HEAD
		git for-each-ref --format='%(signature)'
		git for-each-ref --format '%(*signature:grade)'
		git for-each-ref --sort=-signature:key
		git for-each-ref --format="$F"
		git branch --format='%(signature:signer)'
		git tag -l --format='%(if)%(signature)%(then)x%(end)'
		git tag --sort signature
		git log --output=out
		git log --output out
		git log --outp=out
		git log --o=out
		git log -p --output=out
		git log -- x --output=out
		git log --ext-diff
		git log --ext
		git log --textconv
		git log --textc
		git log --author --output=x
		git log -S -- --output=x
		git log --stdin
		git log --frob
		git log -j
		git log $X
		git log "$X"
		git log --since=$D
		git log -n$N
		git log *
		git show "$SHA"
		git show --show-signature
		git diff --output out
		git diff --ext-diff
		git blame --output=x f
		git rev-list --output=x HEAD
		git grep -O./x foo
		git grep -nO./x foo
		git grep -nO foo
		git grep --open-files-in-pager=./x foo
		git grep --open-files=./x foo
		git grep --op foo
		git grep --textconv foo
		git grep "$P"
		git grep -e foo -O./x
		git cat-file --textconv HEAD:x
		git cat-file --filters HEAD:x
		git cat-file --filter HEAD:x
		git symbolic-ref HEAD refs/heads/x
		git symbolic-ref -d HEAD
		git reflog expire --expire=now --all
		git reflog delete HEAD@{0}
		git reflog drop
		git reflog "$X"
		git stash
		git stash pop
		git stash push
		git stash -p
		git stash show --output=x
		git stash list --output=x
		git worktree
		git worktree add ../x
		git remote add x y
		git remote update
		git remote -v update
		git remote show origin
		git remote prune origin
		git remote get-url $X
		git ls-remote
		git fetch
		git format-patch -1
		git archive HEAD
		git difftool
		git bisect log x
		git bisect start
		git bisect view
		git hash-object -w x
		git hash-object --stdin -w
		git notes add -m x
		git submodule update
		git submodule foreach rm x
		git clean -fd
		git clean -d
		git clean -ndf
		git clean -n --no-dry-run
		git commit -m x
		git add .
	`)
}

func TestReadOnly_GitListings(t *testing.T) {
	checkReadOnly(t, `
		git branch
		git branch -a
		git branch -vv
		git branch -rv --sort=-committerdate
		git branch --show-current
		git branch --list 'feat/*'
		git branch -l 'feat/*'
		git branch --contains HEAD
		git branch -a --contains abc123
		git branch --merged main
		git branch --merged
		git branch --no-merged main
		git branch --format '%(refname:short)'
		git branch --points-at HEAD 'x*'
		git tag
		git tag -l 'v1.*'
		git tag --list --sort=-v:refname
		git tag -n
		git tag -n5 'v*'
		git tag --points-at HEAD
		git config --get user.name
		git config --list
		git config -l --show-origin
		git config user.name
		git config --global user.email
		git config --get-regexp '^alias'
		git config get user.name
		git config list --global
		git config -f .gitmodules --get-all x.y
		git config --type=bool core.bare
		git config --default x --get a.b
	`, `
		git branch new
		git branch -v new
		git branch -a new
		git branch --show-current new
		git branch -d x
		git branch -D x
		git branch -ad x
		git branch -m x y
		git branch -M x
		git branch -c x y
		git branch -f x
		git branch --delete x
		git branch --del x
		git branch --list -d x
		git branch --list --no-list x
		git branch -l --no-list x
		git branch --edit-description
		git branch --edit
		git branch --set-upstream-to=origin/x
		git branch -u origin/x
		git branch -vu origin/x
		git branch --unset-upstream
		git branch --sort refname x
		git branch --color x
		git branch -- x
		git branch "$X"
		git branch $X
		git branch --list $X
		git tag v1
		git tag -a v1 -m x
		git tag -d v1
		git tag -ld v1
		git tag -f v1
		git tag -v v1
		git tag --sort=x v1
		git tag --format x v1
		git tag --delete v1
		git tag -m x v1
		git tag "$X"
		git tag -l $X
		git config user.name x
		git config user.name --get
		git config a.b -z
		git config --add user.name x
		git config --unset user.name
		git config --uns user.name
		git config --unset-all user.name
		git config --replace-all a.b c
		git config --rename-section a b
		git config --remove-section a
		git config -e
		git config --edit
		git config --global --edit
		git config --global user.name x
		git config --get --add a.b c
		git config --get --no-get a.b c
		git config set user.name x
		git config unset user.name
		git config edit
		git config "$X"
		git config user.name "$X"
		git config --global get a.b
		git config alias.x '!rm'
	`)
}
