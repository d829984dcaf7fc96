package shell

import "strings"

// judged is a row of the table: programs and the detector they are shown to.
type judged struct {
	names  string
	floor  bool // it can find what is on the danger floor
	detect detector
}

// judgedPrograms is the table from programs to what they are judged by. A program
// that is not in it is harmless by its name; what it writes is judged all the same.
// It is a function because detectors that find code in code look into it again.
func judgedPrograms() []judged {
	return []judged{
		{"rm grm unlink srm gio " + treeRemovers, true, removes},
		{"find gfind", true, finds},
		{"fd fdfind", true, fds},
		{"parallel", true, parallels},
		{"mv gmv", true, moves},
		{"rsync", true, mirrors},
		{"tar gtar bsdtar zip rsync 7z 7za 7zr rar", true, packs},
		{"shred", true, shreds},
		{"git", false, gits},
		{"git", true, cleansAway},
		{"git", true, removesListed},
		{"assent", true, answersForPerson},

		{"shutdown reboot halt poweroff init telinit", false, stopsMachine},
		{"systemctl loginctl", false, servesSystem},
		{"kill pkill killall killall5 skill", false, killsAll},
		{"userdel groupdel deluser delgroup passwd chpasswd dscl", false, accounts},
		{"crontab", false, cron},
		{"iptables ip6tables ebtables nft ufw pfctl setenforce", false, firewall},
		{"history", false, forgets},
		{"mkfs mke2fs mkswap newfs mkdosfs mkntfs", true, formats},
		{"blkdiscard wipe nwipe wipefs diskutil hdparm nvme cryptsetup badblocks mdadm zpool zfs btrfs lvm dmsetup asr flashrom sg_format", true, wipes},
		{"fdisk parted sgdisk gdisk sfdisk cfdisk cgdisk", true, partitions},
		{"lvremove vgremove pvremove lvreduce", false, volumes},
		{"dd gdd dcfldd", true, copiesOnto},
		{"chmod chown chgrp gchmod gchown chattr chflags", false, permits},
		{"ansible", true, runsWords},
		{"apt apt-get aptitude dpkg yum dnf microdnf zypper pacman yay paru apk rpm pkg brew emerge xbps-remove nix-env", false, packages},

		{"aws", false, amazon},
		{"curl wget http https xh httpie curlie gh glab", false, requests},
		{"psql mysql mariadb sqlite sqlite3 sqlcmd sqlplus clickhouse-client clickhouse cockroach bq duckdb cqlsh snowsql usql pgcli mycli " +
			"redis-cli valkey-cli keydb-cli influx hive beeline trino presto isql osql mssql-cli wrangler turso", false, queries},
		{"mongosh mongo", false, documents},

		{"sh bash dash zsh ksh mksh ash rbash fish csh tcsh yash pwsh powershell at batch sudo doas su", true, shells},
		{"eval source . trap", false, evaluates},
		{"python pypy ipython perl ruby irb lua luajit osascript Rscript R julia elixir groovy scala guile swift node nodejs bun deno ts-node tsx " +
			"php tclsh awk gawk mawk nawk original-awk goawk frawk", true, interpreters},
		{"deno bun node npx bunx pnpx go uvx pipx python sh bash R Rscript osascript", false, runsAddress},
		{"sed gsed", true, edits},
		{"ssh", false, sshRuns},
		{"curl wget aria2c axel fetch http https xh lynx ftp sftp scp aws gsutil rclone s3cmd gh", false, downloads},
		{"nc ncat netcat telnet", false, connects},
		{"socat openssl", false, relays},
		{"curl wget nc ncat netcat telnet socat scp rsync sftp ftp lftp aws gsutil rclone s3cmd azcopy gh http https xh ssh mail mailx sendmail mutt " +
			"dig nslookup host ping openssl croc wormhole", false, sends},
	}
}

func (d detectors) with(row judged) detectors {
	d.all = append(d.all, row.detect)
	if row.floor {
		d.floor = append(d.floor, row.detect)
	}
	return d
}

// dangersOf are the detectors for a program.
func dangersOf(program string) detectors {
	if d := dangersNamed(program); len(d.all) > 0 {
		return d
	}
	if isFormatter(program) {
		return dangersNamed("mkfs")
	}
	if strings.HasPrefix(program, "assent-") {
		return dangersNamed("assent")
	}
	return dangersNamed(unversioned(program))
}

func dangersNamed(program string) detectors {
	var d detectors
	for _, row := range judgedPrograms() {
		if listed(row.names, program) {
			d = d.with(row)
		}
	}
	if len(toolRules(program)) > 0 {
		d = d.with(judged{detect: destroys})
	}
	return d
}

// isFormatter: one mkfs for each kind of file system.
func isFormatter(name string) bool {
	return strings.HasPrefix(name, "mkfs.") || strings.HasPrefix(name, "newfs_")
}
