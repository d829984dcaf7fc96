package secret

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// blankGiven writes over a variable where the kernel keeps what this process was
// started with: the processes of the same user, those that an agent starts among them, may read
// that in /proc. What cannot be done is left: then they may.
func blankGiven(name string) {
	memory, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer memory.Close()
	start, size := givenAt()
	block := make([]byte, size)
	if _, err := memory.ReadAt(block, start); err != nil {
		return
	}
	for at := 0; at < len(block); {
		end := bytes.IndexByte(block[at:], 0)
		if end < 0 {
			return
		}
		one := block[at : at+end]
		if bytes.HasPrefix(one, []byte(name+"=")) {
			_, _ = memory.WriteAt(bytes.Repeat([]byte{'x'}, len(one)), start+int64(at))
		}
		at += end + 1
	}
}

// givenAt is where in memory the environment stands that the process was started with.
func givenAt() (start, size int64) {
	const most = 8 << 20
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, 0
	}
	// The name comes in parentheses, and may hold anything; it is the second field.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	const first, last = 50 - 3, 51 - 3
	if len(fields) <= last {
		return 0, 0
	}
	start, errStart := strconv.ParseInt(fields[first], 10, 64)
	end, errEnd := strconv.ParseInt(fields[last], 10, 64)
	if errStart != nil || errEnd != nil || end <= start || end-start > most {
		return 0, 0
	}
	return start, end - start
}
