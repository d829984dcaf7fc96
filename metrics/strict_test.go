package metrics

import (
	"bufio"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// told is a family as it was read.
type told struct {
	help, kind string
	samples    []line
}

// line is a sample as it was read.
type line struct {
	name   string
	labels []label
	value  float64
}

var (
	helpLine   = regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\]|\\\\|\\n)*)$`)
	typeLine   = regexp.MustCompile(`^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$`)
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.+)\})? ([-+0-9.eInfNa]+)$`)
	labelPart  = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\\\|\\n|\\")*)"(,|$)`)
	unescape   = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`)
)

// readFamilies reads the text format, version 0.0.4, and takes only what everybody reads in the
// same way: each family once, its help and its kind before its samples, no sample twice.
func readFamilies(text string) (map[string]*told, error) {
	if !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("the last line does not end")
	}
	families, name, helped := map[string]*told{}, "", ""
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		this := lines.Text()
		if found := helpLine.FindStringSubmatch(this); found != nil {
			name, helped = found[1], found[1]
			if families[name] != nil {
				return nil, fmt.Errorf("%s is told twice", name)
			}
			families[name] = &told{help: unescape.Replace(found[2])}
			continue
		}
		if found := typeLine.FindStringSubmatch(this); found != nil {
			if found[1] != helped || families[name].kind != "" {
				return nil, fmt.Errorf("no kind was awaited: %s", this)
			}
			families[name].kind = found[2]
			continue
		}
		one, err := readSample(this)
		if err != nil {
			return nil, err
		}
		f := families[name]
		if f == nil || f.kind == "" {
			return nil, fmt.Errorf("no sample was awaited: %s", this)
		}
		suffix, belongs := strings.CutPrefix(one.name, name)
		inHistogram := suffix == "_bucket" || suffix == "_sum" || suffix == "_count"
		if !belongs || suffix != "" && f.kind != "histogram" || !inHistogram && f.kind == "histogram" {
			return nil, fmt.Errorf("it does not belong to %s: %s", name, this)
		}
		for _, other := range f.samples {
			if other.name == one.name && fmt.Sprint(other.labels) == fmt.Sprint(one.labels) {
				return nil, fmt.Errorf("it is told twice: %s", this)
			}
		}
		f.samples = append(f.samples, one)
	}
	for name, f := range families {
		if len(f.samples) == 0 {
			return nil, fmt.Errorf("%s has no samples", name)
		}
		if err := f.adds(name); err != nil {
			return nil, err
		}
	}
	return families, lines.Err()
}

// readSample reads a line that is no comment.
func readSample(text string) (line, error) {
	found := sampleLine.FindStringSubmatch(text)
	if found == nil {
		return line{}, fmt.Errorf("no line of the format: %s", text)
	}
	one := line{name: found[1]}
	for rest := found[2]; rest != ""; {
		part := labelPart.FindStringSubmatch(rest)
		if part == nil {
			return line{}, fmt.Errorf("no labels: %s", text)
		}
		one.labels = append(one.labels, label{part[1], unescape.Replace(part[2])})
		rest = rest[len(part[0]):]
		if rest == "" && part[3] != "" {
			return line{}, fmt.Errorf("a label is missing: %s", text)
		}
	}
	var err error
	one.value, err = strconv.ParseFloat(found[3], 64)
	return one, err
}

// adds says what does not add up in a histogram: its limits and its counts rise, and the last
// limit, which is infinite, has them all.
func (f *told) adds(name string) error {
	if f.kind != "histogram" {
		return nil
	}
	limit, n := math.Inf(-1), 0.0
	for i, one := range f.samples {
		switch rest := len(f.samples) - i; {
		case rest == 2 && one.name == name+"_sum" && len(one.labels) == 0 && math.IsInf(limit, 1):
		case rest == 1 && one.name == name+"_count" && len(one.labels) == 0 && one.value == n:
		case rest > 2 && one.name == name+"_bucket" && len(one.labels) == 1 && one.labels[0].name == "le":
			next, err := strconv.ParseFloat(one.labels[0].value, 64)
			if err != nil || next <= limit || one.value < n {
				return fmt.Errorf("%s does not rise: %v, %v", name, one, err)
			}
			limit, n = next, one.value
		default:
			return fmt.Errorf("%s: %v has no place here", name, one)
		}
	}
	return nil
}

// The reader of the other tests refuses what is not in the format.
func TestOnlyTheFormatIsRead(t *testing.T) {
	const good = "# HELP a x\n# TYPE a counter\na{b=\"c\"} 1\na{b=\"d\"} 2e+06\n"
	const histogram = "# HELP h x\n# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_sum 3\nh_count 2\n"
	if _, err := readFamilies(good + histogram); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to string }{
		{"# HELP a x\n", ""},
		{"# TYPE a counter\n", ""},
		{"# TYPE a counter", "# TYPE b counter"},
		{"counter", "count"},
		{"a{b=\"d\"}", "a{b=\"c\"}"},
		{"a{b=\"d\"}", "e"},
		{"a{b=\"d\"}", "a_sum"},
		{"\"c\"", "c"},
		{"\"c\"", "\"c\"\""},
		{"\"c\"", "\"\\c\""},
		{"\"c\"", "\"c\","},
		{"b=", "1="},
		{" 1\n", " one\n"},
		{" 1\n", "\n"},
		{"# HELP h x", "# HELP a x"},
		{"le=\"1\"", "le=\"+Inf\""},
		{"le=\"+Inf\"", "le=\"5\""},
		{"le=\"+Inf\"} 2", "le=\"+Inf\"} 0"},
		{"h_sum 3\n", ""},
		{"h_count 2", "h_count 3"},
		{"h_count 2\n", "h_count 2"},
		{"h_count 2\n", "h_count 2\n# HELP g x\n# TYPE g gauge\n"},
	} {
		text := strings.Replace(good+histogram, c.from, c.to, 1)
		if _, err := readFamilies(text); err == nil || text == good+histogram {
			t.Errorf("%q for %q is read", c.to, c.from)
		}
	}
}
