package shell

import "testing"

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
		arch
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
		crontab -l
		bc -l
		yes
	`, `
		arch -x86_64 ls
		arch ls
		arch $X
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
		ifconfig eth0 -a
		ifconfig "$X"
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
		crontab -r
		crontab f
		crontab -l -r
		dc f
		getent hosts x
		less f
		more f
	`)
}
