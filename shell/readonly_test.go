package shell

import (
	"strings"
	"testing"
)

// doubtAbout judges the one simple command of a text, by its words alone.
func doubtAbout(t testing.TB, text string) Doubt {
	t.Helper()
	s := Parse(text)
	if s.Problem != nil || len(s.Commands) == 0 {
		t.Fatalf("%s: %+v", text, s.Problem)
	}
	return s.Commands[0].doubt()
}

// checkReadOnly: each line of reads only reads, each line of doubtful does not.
func checkReadOnly(t *testing.T, reads, doubtful string) {
	t.Helper()
	for command := range strings.Lines(reads) {
		if command = strings.TrimSpace(command); command == "" {
			continue
		}
		if doubt := doubtAbout(t, command); doubt.Text != "" {
			t.Errorf("%s: should only read, but: %s", command, doubt.Text)
		}
	}
	for command := range strings.Lines(doubtful) {
		if command = strings.TrimSpace(command); command == "" {
			continue
		}
		if doubt := doubtAbout(t, command); doubt.Text == "" {
			t.Errorf("%s: should raise a doubt", command)
		}
	}
}

func TestReadOnly_Programs(t *testing.T) {
	checkReadOnly(t, `
		ls
		/bin/ls -la
		/usr/bin/env
		\ls
		'ls' "-la"
	`, `
		./ls
		/opt/evil/ls
		/usr/local/bin/ls
		/usr/bin/../../tmp/ls
		/usrls
		/binls
		/usr/ls
		$X
		"$X"
		l$X
		rm x
		bash x
		LS
		''
		ls* x
	`)
}

func TestReadOnly_Text(t *testing.T) {
	checkReadOnly(t, `
		cat -n main.go
		cat "$F" $G *.txt
		cat -- -n
		head -20 f
		head -n -5 f
		head -n5 -c 3 f
		head -$N f
		tail -n +5 f
		tail +5 f
		tail -20f f
		tail -F --pid=$P f
		wc -l *.go
		wc --files0-from=- --total=never
		cut -d: -f1,3 --output-delimiter=, f
		tr -d '\n' < f
		tr -cd '[:alnum:]-_'
		tr - _
		nl -ba f
		sort -k2,2n -t, -u f
		sort -rn
		sort -t o f
		sort -k "$K" f
		sort -- -f.txt
		sort ./*.txt
		sort src/*.txt ~/x $HOME/y
		sort --rev --field-sep=: f
		sort --key 2 f
		uniq -c
		uniq -c f
		uniq -f 1 f
		uniq -3 f
		uniq --count --skip-f=1 f
		diff -ru --exclude=.git a b
		diff --color=always -y -W 120 a b
		jq -r .version package.json
		jq --arg x 1 '.a[$x]' "$F"
		jq -rc "$Q"
		yq -r .a f.yaml
		yq -o=json . f.yaml
		yq eval '.a.b' f.yaml
		base64 -d f
		base64 -w0 f
		od -An -tx1 f
		strings -n 8 f
		column -t -s, f
		comm -12 a b
		paste -sd, f
		shuf -n 1 f
		iconv -f latin1 -t utf8 f
	`, `
		sort -o out in
		sort -oout in
		sort -uo in in
		sort in -o out
		sort --output=out in
		sort --output out in
		sort --o=out in
		sort --outp out in
		sort --compress-program=./x f
		sort --comp=./x f
		sort --comp ./x f
		sort -S1 --comp=./x f
		sort -T . f
		sort -k 1 -o out f
		sort -k -o out f
		sort -t -- -o out f
		sort --key -o f
		sort -k"$X" -- -o f
		sort -k"$X" f
		sort $F
		sort "$F"
		sort *.txt
		sort src/$F
		sort -$X f
		sort --$X f
		sort --key=$X f
		sort --frob f
		sort -j f
		uniq in out
		uniq -c in out
		uniq in -c out
		uniq in - 
		uniq -f 1 in out
		uniq -- in out
		uniq $F
		uniq *
		uniq ./*
		uniq "$F"
		base64 -o out f
		base64 -do out f
		base64 --output=out f
		base64 --out=out f
		base64 -ob64.txt
		yq -i .a=1 f
		yq -yi .a=1 f
		yq --in-place .a=1 f
		yq --inpl .a=1 f
		yq -s .a f
		yq e -i .a f
		yq "$X" f
		shuf -o out f
		shuf --out=f f
		iconv -o out f
		cat --frob
		cat -Z f
		tee f
		split f
		csplit f 1
		dd if=a
	`)
}

func TestReadOnly_Files(t *testing.T) {
	checkReadOnly(t, `
		ls -lhS --color=never "$D" *.go
		ls --sort time --group-directories-first
		stat -c %s "$F"
		du -sh -- *
		df -h .
		readlink -f "$0"
		realpath --relative-to=. src
		basename "$0" .sh
		file main.go
		file -b --mime-type main.go
		file -- "$F"
		sha256sum -c sums
		nm -C a.out
		readelf -d "$F"
		tree -L 2 -a -I 'node_modules|dist' src
		tree --dirsfirst --noreport -P '*.go'
		xxd f
		xxd -l 16 -s 4 f
		xxd -c16 -p f
		xxd -r f
		xxd -
		date
		date +%s
		date -u '+%Y-%m-%d %H:%M'
		date -d '-1 day' +%F
		date --date="$D" +%F
		date "+$F"
		date -r f
		date -j -f %Y 2020 +%s
		tar tf x.tar
		tar -tzf x.tar.gz
		tar -tv -f x.tar
		tar --list --file=x.tar
		unzip -l x.zip
		unzip -p x.zip a.txt
		zcat f.gz
	`, `
		file -C
		file -bC f
		file --compile
		file --comp
		file "$F"
		file *
		nm --plugin=./x.so f
		nm --plug ./x.so f
		nm @args
		objdump --plugin ./x f
		tree -o out
		tree -ao out
		tree -Lo 2 out
		tree -L 2 -o out
		tree -R -L 1
		tree -- -o out
		tree --output=x
		tree "$X"
		tree *
		xxd in out
		xxd in -p
		xxd -p in out
		xxd -l 16 in out
		xxd -r in out
		xxd "$F"
		xxd *
		xxd -cols16 in
		date -s 2020-01-01
		date --set=2020-01-01
		date --se 2020-01-01
		date -us 2020-01-01
		date -s2020-01-01
		date 010100002020
		date -u 010100002020
		date "$X"
		date $X
		date +%s 0101
		date -f %Y 2020
		tar xf x.tar
		tar -xf x.tar
		tar cf x.tar .
		tar -tf x.tar --to-command=./x
		tar -tf x.tar --checkpoint=1 --checkpoint-action=exec=./x
		tar -tf host:x.tar
		tar -tIf ./x x.tar
		tar -tf x.tar -I ./x
		tar -tf x.tar --use-compress=./x
		tar tfx x.tar
		tar -f x.tar
		tar $X
		unzip x.zip
		unzip x.zip -d out
		unzip -l x.zip -d out
		unzip -o x.zip
		zcat -k f
		zstdcat -o out f
		gzip f
	`)
}

func TestReadOnly_Search(t *testing.T) {
	checkReadOnly(t, `
		grep -rn "foo|bar" src
		grep -E "$P" $F *.go
		grep -A3 -B 3 --include='*.go' -e foo .
		grep -5 foo f
		egrep -o x f
		rg -n foo src
		rg --files
		rg -g'*.py' foo
		rg -e "$P" src
		rg -t go -C3 -- "$P" "$D"
		rg -uuu --hidden -l foo
		rg --type=go --no-heading foo ./*
		rg -e --pre-foo
		fd -e go main
		fd -t f -H . src
		fdfind --extension go
		ag foo src
		ag -G '\.go$' --nopager foo
		find .
		find . -name '*.go' -type f
		find . -name *.go
		find src lib -path ./vendor -prune -o -name '*.go' -print
		find . \( -name a -o -name b \) ! -path '*/x/*' -print0
		find . -mtime -7 -size +10k -newermt 2020-01-01
		find . -name "$X"
		find "./$X" -name x
		find src/* -maxdepth 1
		find $HOME -maxdepth 1
		find ~ -maxdepth 1 -printf '%p\n'
		find -L . -perm -u+x
		find -O3 . -regextype posix-extended -regex '.*x'
		find --help
	`, `
		rg --pre=./x foo
		rg --pre ./x foo
		rg --pre-glob '*.pdf' --pre ./x foo
		rg --hostname-bin=./x foo
		rg -z foo
		rg -nz foo
		rg --search-zip foo
		rg --pr=./x foo
		rg -e foo --pre ./x
		rg -e --pre x
		rg "$P"
		rg foo $D
		rg foo *
		rg --frob foo
		fd -x rm
		fd -Hx rm
		fd -X rm
		fd --exec rm
		fd --exec=rm
		fd --exec-batch rm
		fd --exec-b rm
		fd . -x rm
		fd "$X"
		ag --pager=./x foo
		ag --pager ./x foo
		ag --pag=./x foo
		ag -A --pager=./x foo
		ag "$X"
		find . -delete
		find . -name x -exec rm {} \;
		find . -execdir rm {} +
		find . -ok rm {} \;
		find . -okdir rm {} \;
		find . -fprint out
		find . -fprint0 out
		find . -fprintf out %p
		find . -fls out
		find . -delet[e]
		find . -d*
		find . *
		find . "$X"
		find . $X
		find "$X"
		find . -name $X
		find . -name -delete
		find . -exe"$X" rm {} +
		find . -frob
		find . -{delete,print}
		find . ${x:--delete}
	`)
}

func TestReadOnly_System(t *testing.T) {
	checkReadOnly(t, `
		ps aux
		ps -ef
		uname -a
		hostname
		hostname -s
		id -u
		whoami
		env
		env -0
		printenv PATH
		which -a go
		pgrep -fl node
		free -h
		uptime
		lsblk -f
		who
		getconf PAGE_SIZE
		sysctl -a
		sysctl -n kern.ostype
		dmesg -T
		dmesg --level=err,warn
		journalctl -u nginx -n 50 --no-pager
		journalctl -b -1 -p err
		journalctl --since "1 hour ago"
		systemctl status nginx
		systemctl --user list-units --type=service
		systemctl is-active nginx
		timedatectl
		ip addr
		ip -br a
		ip -4 addr show dev eth0
		ip route show
		ip link show "$DEV"
		ss -tlnp
		ss -tn state established '(' sport = :443 ')'
		netstat -tlnp
		netstat -rn
		lsof -nP -iTCP -sTCP:LISTEN
		lsof -n -i :3000
		lsof -n -p "$PID"
		ifconfig
		ifconfig eth0
		mount
		mount -l
		tput cols
		tput setaf 1
		man -k printf
		man -w ls
		top -bn1
		sleep 1
		seq -5 5
		expr "$a" + 1
		locale -a
		last -n 5
		nproc --all
	`, `
		hostname evil
		hostname -F f
		hostname "$X"
		hostname -f
		env ls
		env X=1
		env -S 'rm x'
		env --split=rm
		env -u X rm x
		who --lookup
		who --look
		getconf -v ../../x PAGE_SIZE
		sysctl -w a.b=1
		sysctl a.b=1
		sysctl -p
		sysctl --system
		sysctl "$X"
		dmesg -C
		dmesg -c
		dmesg -Tc
		dmesg --clear
		dmesg --read-c
		dmesg -n 1
		dmesg -H
		journalctl --vacuum-size=1M
		journalctl --vac=1M
		journalctl -u x --rotate
		journalctl --cursor-file=f
		journalctl --flush
		systemctl restart nginx
		systemctl -H host status
		systemctl --host=h status
		systemctl --now status
		systemctl edit x
		hostnamectl hostname x
		timedatectl set-time 1
		ip netns exec foo sh
		ip -batch f
		ip -b f
		ip -n x addr
		ip link set eth0 down
		ip l s eth0 down
		ip addr add 1.2.3.4 dev eth0
		ip addr flush dev eth0
		ip vrf exec x sh
		ip $X
		ip addr "$X"
		ss -K dst 1.2.3.4
		ss -tK
		ss --kill
		ss -D out
		ss --diag=out
		ss -tr
		ss dst evil.example
		netstat -tlp
		netstat
		lsof -i :3000
		lsof -n -i @evil.example
		lsof -n -iTCP@evil.example
		lsof -n +m f
		lsof -nD b
		ifconfig eth0 down
		mount /dev/sda1 /mnt
		mount -a
		tput init
		tput reset
		tput -T x cols
		tput -S
		tput "$X"
		man ls
		man -P ./x ls
		man --pager=./x ls
		man -kP ./x ls
		top
		last -d
		last --dns
		kill 1
		kill -9 1
		ldd x
		getent hosts x
		less f
		more f
	`)
}

func TestReadOnly_Versions(t *testing.T) {
	checkReadOnly(t, `
		node --version
		node -v
		python3 -V
		python3.12 --version
		go version
		go env
		go env GOPATH GOROOT
		go env -json
		cargo --version
		java -version
		npm --help
		git --version
		docker --version
	`, `
		node --version x.js
		node x.js
		python3 -v
		python3 -c 1
		python3.x --version
		npm version
		npm install --version
		go version -m x
		go env -w X=1
		go env -u X
		go build
		docker version
		yarn --version
		node $X
		node "$X"
		bash --help x
	`)
}
