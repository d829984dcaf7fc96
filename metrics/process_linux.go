package metrics

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticks is how many units of time in /proc are a second, on everything that Go runs on.
const ticks = 100

// process is what the system says about this process. What it does not say is not told.
func process() []family {
	var all []family
	if s, err := readStat(); err == nil {
		all = append(all, family{
			"process_cpu_seconds_total", "Processor time that this process has used.", counts, []sample{{value: float64(s.cpu) / ticks}},
		})
		all = append(all, gauged("process_resident_memory_bytes", "Memory that this process holds.", float64(s.pages)*float64(os.Getpagesize()))...)
		if boot, err := readBoot(); err == nil {
			all = append(all, gauged("process_start_time_seconds", "When this process began, in seconds since 1970.", float64(boot)+float64(s.began)/ticks)...)
		}
	}
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		const itself = 1 // the directory was open, too
		all = append(all, gauged("process_open_fds", "Files and connections that this process has open.", float64(len(list)-itself))...)
	}
	return all
}

// stat is what /proc says about a process: times are in ticks, began counts from the start of
// the system.
type stat struct{ cpu, began, pages uint64 }

func readStat() (stat, error) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(text))
}

// parseStat reads a line as proc_pid_stat(5) describes it. The second field is the name of the
// program in parentheses, and may hold spaces and parentheses itself.
func parseStat(text string) (stat, error) {
	const first, user, system, began, resident = 3, 14, 15, 22, 24 // as the manual numbers them
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) <= resident-first {
		return stat{}, fmt.Errorf("%d fields after the name", len(fields))
	}
	var wrong []error
	field := func(number int) uint64 {
		n, err := strconv.ParseUint(fields[number-first], 10, 64)
		wrong = append(wrong, err)
		return n
	}
	s := stat{cpu: field(user) + field(system), began: field(began), pages: field(resident)}
	return s, errors.Join(wrong...)
}

// readBoot is when the system began, in seconds since 1970.
func readBoot() (uint64, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if seconds, is := bytes.CutPrefix(line, []byte("btime ")); is {
			return strconv.ParseUint(string(bytes.TrimSpace(seconds)), 10, 64)
		}
	}
	return 0, errors.New("/proc/stat does not say when the system began")
}
