package shell

import "strings"

// systemReaders tell about the machine, its users and its processes.
var systemReaders = optionTable{
	{"pwd", &optionSpec{loose: true, short: "LPW", long: "logical physical help version"}},
	{"printenv", &optionSpec{loose: true, short: "0", long: "null help version"}},
	{"whoami", &optionSpec{loose: true, long: "help version"}},
	{"logname", &optionSpec{loose: true, long: "help version"}},
	{"tty", &optionSpec{loose: true, short: "s", long: "silent quiet help version"}},
	{"id", &optionSpec{loose: true, short: "AaFGgnPpruZz", long: "context group groups name real user zero help version"}},
	{"groups", &optionSpec{loose: true, long: "help version"}},
	{"users", &optionSpec{loose: true, long: "help version"}},
	{"uptime", &optionSpec{loose: true, short: "hprsV", long: "pretty raw since help version"}},
	{"uname", &optionSpec{loose: true, short: "aiKmnoprsUv", long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform " +
		"operating-system help version"}},
	{"nproc", &optionSpec{loose: true, long: "all ignore= help version"}},
	{"hostid", &optionSpec{loose: true, long: "help version"}},
	{"w", &optionSpec{loose: true, short: "fhiopsuV", long: "no-header no-current short from old-style ip-addr pids terminal help version"}},
	{"free", &optionSpec{loose: true, short: "bc:ghkLlmps:tvwV", long: "bytes kilo mega giga tera peta kibi mebi gibi tebi pebi human si lohi line total " +
		"committed wide seconds= count= help version"}},
	{"vmstat", &optionSpec{loose: true, short: "adDfhmnp:S:stVwy", long: "active forks slabs one-header stats disk disk-sum partition= unit= timestamp wide " +
		"no-first help version"}},
	{"locale", &optionSpec{loose: true, short: "ackmv", long: "all-locales charmaps category-name keyword-name verbose help version usage"}},
	{"cal", &calendar},
	{"ncal", &calendar},
	{"which", &optionSpec{loose: true, short: "ainspvV", long: "all read-alias skip-alias read-functions skip-functions skip-dot skip-tilde show-dot " +
		"show-tilde tty-only help version"}},
	{"whereis", &optionSpec{loose: true, short: "BbfghlMmSsuV", long: "help version"}},
	{"pgrep", &optionSpec{
		loose: true, short: "AacDd:F:fG:g:HIijLlM:N:noO:P:qr:S:s:t:U:u:Vvwx",
		long: "delimiter= list-name list-full inverse lightweight count full parent= pgroup= group= session= terminal= euid= uid= exact newest oldest " +
			"older= ignore-case pidfile= logpidfile runstates= ns= nslist= cgroup= quiet ignore-ancestors env= help version",
	}},
	{"pidof", &optionSpec{loose: true, short: "cho:qS:svwxt", long: "help version single-shot check-root omit-pid= separator= with-workers"}},
	{"pstree", &optionSpec{loose: true, short: "AacCglhH:nN:pstTuUZVS", long: "arguments ascii color= compact-not highlight-all highlight-pid= long numeric-sort " +
		"ns-sort= ns-changes show-pgids show-pids show-parents hide-threads thread-names uid-changes unicode security-context vt100 help version"}},
	{"lscpu", &optionSpec{loose: true, short: "aBbCcehJjp::rs:Vxy", long: "all online bytes caches? offline extended? json hex parse? physical raw output-all " +
		"sysroot= annotate help version"}},
	{"lsblk", &optionSpec{loose: true, short: "AabDde:E:fHhI:iJlMmNnOo:PpQ:rSsTtVvw:x:yz", long: "all ascii bytes discard nodeps dedup= exclude= fs help " +
		"include= inverse json list merge perms nvme noheadings output-all output= pairs path raw scsi shell sort= sysroot= topology tree? version " +
		"virtio width= zoned properties-by= filter= highlight= counter= hyperlink?"}},
	{"lsusb", &optionSpec{loose: true, short: "D:d:hs:tVv", long: "verbose tree help version"}},
	{"lsmod", &optionSpec{loose: true}},
	{"findmnt", &optionSpec{
		loose: true, short: "AabCcDd:eF:fhiJklM:m:nN:O:o:PpQ:RrS:sT:t:Uuvw:xyV",
		long: "all ascii bytes nocanonicalize canonicalize df direction= evaluate tab-file= first-only invert json kernel list mountpoint= " +
			"task= options= output= output-all pairs raw real pseudo shadowed submounts source= fstab target= types= uniq mtab verbose noheadings " +
			"notruncate tree help version",
	}},
	{"lsb_release", &optionSpec{loose: true, short: "acdhirsv", long: "all codename description help id release short version"}},
	{"sw_vers", &optionSpec{loose: true, long: "productName productVersion buildVersion"}},
	{"apropos", &manSearch},
	{"whatis", &manSearch},

	// On macOS arch runs its operands.
	{"arch", &optionSpec{most: noOperands, long: "help version"}},
	{"who", &optionSpec{
		short: "abdHlmpqrsTtuw", long: "all boot dead heading ips login count process runlevel short message mesg writable time users help version",
		harm: "--lookup: asks the name server",
	}},
	{"last", &optionSpec{
		short: "0123456789aFf:hin:p:Rs:t:Vwx", long: "hostlast file= fulltimes ip limit= nohostname present= since= until= fullnames system " +
			"time-format= help version",
		harm: "-d --dns: asks the name server",
	}},
	// Other options of hostname resolve the name, an operand sets it.
	{"hostname", &optionSpec{
		most: noOperands, short: "IshV", long: "short all-ip-addresses help version",
		harm: "-F --file -b --boot: sets the name; -f -i -d -A -a -y --fqdn --long --ip-address --domain --all-fqdns --alias --yp --nis: may ask the " +
			"name server",
	}},
	{"lspci", &optionSpec{short: "bDd:kKmnPs:tvVx", long: "version help", harm: "-q -Q: asks the network; -M -H -A -O -F -p -i: goes at the hardware or at other files"}},
	{"getconf", &optionSpec{short: "a", harm: "-v: runs another getconf"}},
	{"stty", &optionSpec{most: noOperands, short: "ag", long: "all save help version", harm: "-F --file -f: opens a device"}},
	{"mount", &optionSpec{most: noOperands, short: "lhV", long: "show-labels help version"}},
	{"clear", &optionSpec{most: noOperands}},
	// Only bare env prints; with words it runs them.
	{"env", &optionSpec{
		most: noOperands, short: "0iu:", long: "null ignore-environment unset= help version",
		harm: "-S -s --split-string: runs a program; -C --chdir: changes directory for a program",
	}},
	{"dmesg", &optionSpec{
		short: "deF:f:hJkLl:Prs:STtuVWwx", long: "buffer-size= color? decode file= facility= json kernel kmsg-file= level= nopager notime " +
			"noescape raw reltime ctime since= until= show-delta syslog time-format= userspace follow follow-new force-prefix help version",
		harm: "-C --clear -c --read-clear: clears the log; -D --console-off -E --console-on -n --console-level: changes the console; -H --human: " +
			"starts a pager",
	}},
	{"journalctl", &optionSpec{
		short: "0123456789ab::c:D:eF:fg:hklmNn::o:p:qrS:t:U:u:Vx",
		long: "all boot? catalog cursor= after-cursor= show-cursor directory= dmesg disk-usage dump-catalog list-catalog facility= field= fields " +
			"file= follow " +
			"full no-full grep= case-sensitive? header identifier= exclude-identifier= invocation= list-boots list-invocations lines? merge " +
			"no-hostname no-pager no-tail output= output-fields= " +
			"pager-end priority= quiet reverse root= since= until= system user unit= user-unit= utc truncate-newline verify verify-only help version",
		harm: "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --relinquish-var --smart-relinquish-var --force: changes the journal; " +
			"--cursor-file --setup-keys --update-catalog --new-id128: writes a file; -M --machine --image --namespace: opens another system",
	}},
}

var calendar = optionSpec{
	loose: true, short: "0123456789A:B:bC:cd:ehJjMm:n:NopRrSsVwWyY",
	long: "one three sunday monday julian reform= span year twelve week? months= color? vertical iso help version",
}

var manSearch = optionSpec{
	short: "ade:hlrwVL:M:m:s:", long: "debug verbose regex exact wildcard and long sections= section= systems= manpath= " +
		"locale= help usage version",
	harm: "-C --config-file: reads a configuration",
}

// judgeOfSystem finds the judgement of a program that needs one.
func judgeOfSystem(name string) func(words []Word) Doubt {
	switch name {
	case "echo", "true", "false", "expr", "seq", "sleep", "yes", "eza", "exa":
		return anything
	case "ps":
		return doubtPs
	case "test", "[":
		return doubtTest
	case "printf":
		return doubtPrintf
	case "kill":
		return doubtKill
	case "crontab":
		return doubtCrontab
	case "gofmt":
		return doubtGofmt
	case "sysctl":
		return doubtSysctl
	case "tput":
		return doubtTput
	case "man":
		return doubtMan
	case "top":
		return doubtTop
	case "systemctl", "timedatectl", "hostnamectl", "localectl", "loginctl":
		return doubtSystemd
	case "ip", "ss", "netstat", "lsof", "ifconfig":
		return judgeOfNetwork(name)
	}
	return nil
}

// doubtCrontab: only -l shows.
func doubtCrontab(words []Word) Doubt {
	if len(words) == 2 && words[1].Text == "-l" {
		return Doubt{}
	}
	return doubtOf(words, 0, "changes the table of jobs unless -l is all it is given")
}

var sysctlOptions = optionSpec{
	short: "AabdeNnoXxqhV", long: "all deprecated names values ignore pattern= help version",
	harm: "-w --write -p -f --load --system: sets kernel values",
}

// doubtSysctl: name=value sets.
func doubtSysctl(words []Word) Doubt {
	for i := range words {
		if strings.IndexByte(words[i].Text, '=') >= 0 && !strings.HasPrefix(words[i].Text, "--pattern=") || words[i].several() {
			return doubtOf(words, i, "an assignment sets a kernel value")
		}
	}
	return sysctlOptions.check(words, 1)
}

// doubtTput: init and reset run a program that the terminal description names.
func doubtTput(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		if !words[i].Known() || strings.HasPrefix(text, "-") || text == "init" || text == "reset" {
			return doubtOf(words, i, "may run a program of the terminal description")
		}
	}
	return Doubt{}
}

var manOptions = optionSpec{
	exact: true, short: "afkw", long: "apropos whatis where path location",
	harm: "-P --pager -H --html: runs a program",
}

// doubtMan: showing a page starts a pager, which the environment names. Searching
// and asking where a page is do not.
func doubtMan(words []Word) Doubt {
	s := scanOptions(&manOptions, words, 1)
	tells := false
	for s.next() {
		tells = tells || s.option != "" && s.option != "a"
	}
	if s.doubt.Text == "" && !tells {
		return doubtOf(words, 0, "starts a pager")
	}
	return s.doubt
}

var topOptions = optionSpec{most: noOperands, short: "1bcd:eEHin:o:p:Su:U:w"}

// doubtTop: without -b it takes commands from the keyboard.
func doubtTop(words []Word) Doubt {
	s := scanOptions(&topOptions, words, 1)
	batch := false
	for s.next() {
		if batch = batch || s.option == "b"; s.option == "" {
			s.stop("takes no operand")
		}
	}
	if s.doubt.Text == "" && !batch {
		return doubtOf(words, 0, "takes commands from the keyboard")
	}
	return s.doubt
}
