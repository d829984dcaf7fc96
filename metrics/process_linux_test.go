package metrics

import (
	"os"
	"testing"
	"time"
)

// The name of a program may look like fields.
func TestParseStat(t *testing.T) {
	const rest = " S 1 2 3 4 5 6 7 8 9 10 250 50 13 14 15 16 17 18 4200 20 77 22"
	for _, c := range []struct {
		name, text string
		want       stat
		wrong      bool
	}{
		{"usual", "9 (assent)" + rest, stat{300, 4200, 77}, false},
		{"parentheses", "9 (a) S 1 (b) c)" + rest, stat{300, 4200, 77}, false},
		{"short", "9 (assent) S 1 2", stat{}, true},
		{"empty", "", stat{}, true},
		{"no number", "9 (assent) S 1 2 3 4 5 6 7 8 9 10 x 50 13 14 15 16 17 18 4200 20 77", stat{50, 4200, 77}, true},
	} {
		if got, err := parseStat(c.text); got != c.want || (err != nil) != c.wrong {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

// The figures are those of this process.
func TestTheProcess(t *testing.T) {
	read := func() map[string]float64 {
		all := map[string]float64{}
		for _, f := range process() {
			all[f.name] = f.samples[0].value
		}
		return all
	}
	before := read()
	const files, others = 40, 10 // what tests before this one have left open may close meanwhile
	for range files {
		file, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
	}
	after := read()
	if opened := after["process_open_fds"] - before["process_open_fds"]; opened < files-others || opened > files+others {
		t.Errorf("%v files were opened", opened)
	}
	if age := float64(time.Now().Unix()) - after["process_start_time_seconds"]; age < -2 || age > 3600 {
		t.Errorf("it is %v seconds old", age)
	}
	if held := after["process_resident_memory_bytes"]; held < 1<<20 || held > 1<<34 {
		t.Errorf("it holds %v bytes", held)
	}
	if cpu, told := after["process_cpu_seconds_total"]; !told || cpu < before["process_cpu_seconds_total"] || cpu > 3600 {
		t.Errorf("it has used %v seconds, %v", cpu, told)
	}
}
