package shell

import "strings"

// diskWriters change the disk that they are given. They are known so that they are found
// behind a program that runs its arguments as well.
var diskWriters = wordSet{list: "ddrescue dc3dd qemu-img qemu-nbd pvremove pvcreate vgcreate sg_format sg_write_buffer sg_sanitize tune2fs resize2fs e2label " +
	"zpool flash_erase flash_eraseall flashcp nandwrite ubiformat mtd_debug docker podman nerdctl e2image debugfs xfs_repair xfs_admin fatlabel ntfsresize partclone.restore"}

// diskReaders are in no table of programs that only read, but leave a disk as it is or do
// what has its own detector.
var diskReaders = wordSet{list: "mount umount swapon swapoff smartctl blkid lsblk eject udisksctl udevadm findmnt blockdev sync fuser lsof dumpe2fs xfs_info"}

// ontoDisk judges programs that no detector knows: what is given a disk may write it.
func (s *inspection) ontoDisk(i int) *Finding {
	c := &s.Commands[i]
	if len(c.Words) < 2 {
		return nil
	}
	if c.Opaque == OpaqueCode && c.Link != Guess && !s.codeReads(i) {
		for _, literal := range s.Literals(i) {
			if rest, ok := strings.CutPrefix(literal, "/dev/"); ok && isDisk(rest) {
				return onFloor(s.at(kindSystem, i, 0, "may write a disk"))
			}
		}
	}
	if diskAt(c.Words, true) == 0 {
		return nil
	}
	k, name := c.knowledge(), c.Program()
	known := diskWriters.has(name) || strings.HasPrefix(name, "qemu-system")
	at := diskAt(c.Words, known)
	if at == 0 {
		return nil
	}
	if !known && (c.Link == Guess || k.spec.operands != mayRead || k.wrapper != nil || len(k.danger.floor) > 0 || diskReaders.has(name)) {
		return nil
	}
	if c.onlyAsks() || c.doubt().Text == "" {
		return nil
	}
	return onFloor(s.at(kindSystem, i, at, "may write a disk"))
}

// diskAt is the index of a word that names a disk, 0 if there is none. Of a program that writes disks
// a part of the word will do (of=/dev/sda), of others the value of an option.
func diskAt(words []Word, part bool) int {
	for at := 1; at < len(words); at++ {
		if before, rest, ok := strings.Cut(words[at].Text, "/dev/"); ok && (before == "" || before[0] == '-' || part) && isDisk(rest) {
			return at
		}
	}
	return 0
}

// isDisk judges a name below /dev.
func isDisk(name string) bool {
	for _, prefix := range [...]string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "mtd", "ubi", "zd", "nbd", "zvol/"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
