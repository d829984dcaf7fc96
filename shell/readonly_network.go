package shell

import "strings"

// judgeOfNetwork finds the judgement of a program that shows the network. None may
// resolve names: a name that is asked for leaves the machine.
func judgeOfNetwork(name string) func(words []Word) Doubt {
	switch name {
	case "ip":
		return doubtIP
	case "ss":
		return doubtSS
	case "netstat":
		return doubtNetstat
	case "lsof":
		return doubtLsof
	}
	return doubtIfconfig
}

const (
	ipOptions = "4 6 0 s stats statistics d details h human human-readable iec j json p pretty br brief o oneline t timestamp " +
		"ts tshort N Numeric c color V Version f= family="
	ipObjects = "a addr address l link r route ro rule n neigh neighbor neighbour maddr maddress mroute tunnel tuntap nexthop netconf " +
		"ntable tcp_metrics tcpmetrics vrf netns"
)

// doubtIP: ip [options] object [show …]. Options may be abbreviated, and so may
// commands, where "s" is show for one object and set for another: only words that
// are written out are taken.
func doubtIP(words []Word) Doubt {
	i := 1
	for ; i < len(words) && strings.HasPrefix(words[i].Text, "-"); i++ {
		option, _, _ := strings.Cut(strings.TrimLeft(words[i].Text, "-"), "=")
		switch longArity(ipOptions, option) {
		case notListed:
			return doubtOf(words, i, "the option "+words[i].Text+" is not known to only read")
		case takesValue:
			i++
		case takesNothing, mayTakeValue:
		}
	}
	if i >= len(words) {
		return Doubt{}
	}
	if longArity(ipObjects, words[i].Text) == notListed {
		return doubtOf(words, i, words[i].Text+" is not known to only read")
	}
	if i++; i >= len(words) {
		return Doubt{}
	}
	switch words[i].Text {
	case "show", "sh", "list", "lst", "ls":
		return Doubt{}
	}
	return doubtOf(words, i, "the command "+words[i].Text+" is not known to only read")
}

var ssOptions = optionSpec{
	short: "046abdEef:HhilMmnOopSsTtuVwxZzA:",
	long: "help version numeric all listening options extended memory processes threads info tipcinfo summary tos cgroup bpf events context contexts " +
		"ipv4 ipv6 packet tcp mptcp sctp udp dccp raw unix tipc vsock xdp family= no-header oneline inet-sockopt query= socket= no-queues",
	harm: "-K --kill: closes connections; -D --diag: writes a file; -r --resolve: asks the name server; -F --filter: reads a filter from a file; -N " +
		"--net: enters another network",
}

// doubtSS: a host name in the filter is looked up.
func doubtSS(words []Word) Doubt {
	s := scanOptions(&ssOptions, words, 1)
	for s.next() {
		if s.option == "" && !isPortFilter(s.value.Text) {
			s.stop("the filter may ask the name server")
		}
	}
	return s.doubt
}

func isPortFilter(text string) bool {
	switch text {
	case "state", "exclude", "established", "syn-sent", "syn-recv", "fin-wait-1", "fin-wait-2", "time-wait", "closed", "close-wait", "last-ack",
		"listening", "closing", "all", "connected", "synchronized", "bucket", "big", "sport", "dport",
		"=", "==", "!=", ">", "<", ">=", "<=", "eq", "ne", "gt", "lt", "ge", "le", "(", ")", "and", "or", "not", "!", "&", "&&", "|", "||":
		return true
	}
	return isNumber(strings.TrimPrefix(text, ":"))
}

var netstatOptions = optionSpec{
	short: "46aceFgilMnoprstuvWwx",
	long:  "route interfaces groups statistics masquerade verbose wide numeric numeric-hosts extend programs listening all timers tcp udp raw unix continuous",
}

// doubtNetstat: without -n addresses are looked up.
func doubtNetstat(words []Word) Doubt {
	s := scanOptions(&netstatOptions, words, 1)
	numeric := false
	for s.next() {
		if numeric = numeric || s.option == "n" || s.option == "numeric"; s.option == "" {
			s.stop("takes no operand")
		}
	}
	if s.doubt.Text == "" && !numeric {
		return doubtOf(words, 0, "asks the name server unless -n is given")
	}
	return s.doubt
}

var lsofOptions = optionSpec{short: "abCc:d:F::hi::lNnOPp:Rs::tUu:Vvw"}

// doubtLsof: without -n addresses are looked up, and so is a host behind "@".
func doubtLsof(words []Word) Doubt {
	s := scanOptions(&lsofOptions, words, 1)
	numeric := false
	for s.next() {
		numeric = numeric || s.option == "n"
		text := s.value.Text
		switch {
		case s.option == "" && strings.HasPrefix(text, "+"):
			s.stop("the option " + text + " is not known")
		case s.option == "" || s.option == "i":
			// What follows -i, glued or not, may be protocol@host:port.
			if strings.IndexByte(text, '@') >= 0 || !s.value.Known() {
				s.stop("a host may be looked up")
			}
		}
	}
	if s.doubt.Text == "" && !numeric {
		return doubtOf(words, 0, "asks the name server unless -n is given")
	}
	return s.doubt
}

// doubtIfconfig: with more than the name of an interface it configures.
func doubtIfconfig(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		switch text := words[i].Text; {
		case text == "-a" || text == "-s" || text == "-v":
		case i < len(words)-1 || strings.HasPrefix(text, "-") || !words[i].Known():
			return doubtOf(words, i, "configures an interface")
		}
	}
	return Doubt{}
}
