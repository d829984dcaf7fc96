package shell

import "strings"

// formats judges mkfs and its kind: on a device it is the end of what was there.
func formats(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() || len(c.Words) < 2 {
		return nil
	}
	name := c.Program()
	last := len(c.Words) - 1
	for at := 1; at <= last; at++ {
		if text := c.Words[at].Text; onDevice(text) {
			return onFloor(s.at(kindSystem, i, at, "formats a disk"))
		} else if text == "-V" || text == "-n" && name == "mkfs.ext4" && last == 1 {
			return nil
		}
	}
	if name == "mkswap" && c.Words[last].Known() {
		return nil // a swap file
	}
	return s.at(kindSystem, i, last, "formats a file system")
}

// onDevice: a path below /dev, also one that is not known to its end.
func onDevice(path string) bool {
	name, below := strings.CutPrefix(path, "/dev/")
	return below && !harmlessDevice(firstName(name)) || path == unknownMark
}

func firstName(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

// wipes judges programs that erase a device when told to: by a word or an option.
func wipes(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() || len(c.Words) < 2 {
		return nil
	}
	switch c.Program() {
	case "blkdiscard", "wipe", "nwipe":
		return onFloor(s.at(kindSystem, i, len(c.Words)-1, "erases a disk"))
	case "wipefs":
		if !c.has(&wipeOptions, 'n', "no-act") && (c.has(&wipeOptions, 'a', "all") || c.has(&wipeOptions, 'o', "offset")) {
			return onFloor(s.at(kindSystem, i, len(c.Words)-1, "erases the signatures of a disk"))
		}
		return nil
	}
	if at := c.erasing(); at > 0 {
		return onFloor(s.at(kindSystem, i, at, "erases a disk"))
	}
	return nil
}

var wipeOptions = grammar{values: "o t offset types"}

// erasing is the index of the word that makes the program erase something.
func (c *Command) erasing() int {
	words := erasingWords(c.Program())
	for at := 1; at < len(c.Words); at++ {
		text := strings.ToLower(c.Words[at].Text)
		for word := range strings.FieldsSeq(words) {
			if prefix, ok := strings.CutSuffix(word, "*"); ok && strings.HasPrefix(text, prefix) || text == word {
				return at
			}
		}
	}
	return 0
}

// erasingWords are, in lower case, the verbs and options that erase; "*" stands for
// any ending.
func erasingWords(program string) string {
	switch program {
	case "diskutil":
		return "erase* partitiondisk zerodisk randomdisk secureerase reformat delete* eraseoptical"
	case "hdparm":
		return "--security-erase* --trim-sector-ranges --make-bad-sector --sanitize*"
	case "nvme":
		return "format sanitize delete-ns write-zeroes"
	case "cryptsetup":
		return "luksformat erase lukserase reencrypt"
	case "badblocks":
		return "-w* -sw* -vw* -wsv"
	case "mdadm":
		return "--stop -s --zero-superblock --create -c --remove --fail"
	case "zpool":
		return "destroy labelclear"
	case "zfs":
		return "destroy rollback"
	case "btrfs":
		return "delete"
	case "lvm":
		return "lvremove vgremove pvremove"
	case "dmsetup":
		return "remove remove_all wipe_table"
	case "asr":
		return "--erase"
	case "flashrom":
		return "-w -e --write --erase"
	case "sg_format":
		return "--format -f"
	}
	return ""
}

// partitions judges programs that change the partition table unless they only
// print it.
func partitions(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() || len(c.Words) < 2 {
		return nil
	}
	var prints, device bool
	for at := 1; at < len(c.Words); at++ {
		switch text := c.Words[at].Text; text {
		case "-l", "--list", "-p", "--print", "-i", "--info", "-s", "-d", "--dump", "-V", "-v", "--verify", "print", "unit", "-F", "-x", "-lu", "-h":
			prints = true
		default:
			device = device || onDevice(text)
		}
	}
	switch c.Program() {
	case "parted":
		prints = c.Words[len(c.Words)-1].Text == "print" || c.hasWord("-l") || c.hasWord("--list")
	case "sgdisk":
		prints = prints && !c.hasWord("-Z") && !c.hasWord("-o") && !c.hasWord("--zap-all") && !c.hasWord("-d")
	}
	if prints || !device {
		return nil
	}
	return onFloor(s.at(kindSystem, i, 0, "changes the partitions of a disk"))
}

// volumes judges lvremove and its kind.
func volumes(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() || len(c.Words) < 2 || c.has(&plainGrammar, 't', "test") {
		return nil
	}
	return s.at(kindSystem, i, 0, "removes a volume")
}

// copiesOnto judges dd with a device for its output.
func copiesOnto(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	for at, word := range c.Words {
		if path, ok := strings.CutPrefix(word.Text, "of="); ok && onDevice(path) {
			return onFloor(s.at(kindSystem, i, at, "overwrites a disk"))
		}
	}
	return nil
}

// shreds judges shred: what it overwrites cannot be recovered.
func shreds(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() || len(c.Words) < 2 {
		return nil
	}
	for at := 1; at < len(c.Words); at++ {
		if onDevice(c.Words[at].Text) {
			return onFloor(s.at(kindSystem, i, at, "overwrites a disk"))
		}
	}
	return worse(removes(s, i), s.at(kindRemove, i, 0, "destroys a file beyond recovery"))
}
