package permission_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// mostMemory bounds what the judgement of one text allocates in all: nothing can stop a process
// that runs out of memory from ending.
const mostMemory = 256 << 20

// allocated is how much a function allocates in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Texts made of others do not grow without end, in whatever language they are.
func TestHostileTextTakesLittleMemory(t *testing.T) {
	doubled := func(format string) string { // 17 steps fill half a megabyte, twice that many the machine
		var b strings.Builder
		for i := range 18 {
			fmt.Fprintf(&b, format, i+1, i)
		}
		return b.String()
	}
	big := func(text string, size int) string { return strings.Repeat(text, size/len(text)) }
	x, long := big("x", 20000), big("d", 20000)
	for name, text := range map[string]string{
		"awk":                   `awk 'BEGIN{a0="xxxx";` + doubled("a%d=a%d a%[2]d;") + `getline y < a18}' f`,
		"awk, brackets":         `awk 'BEGIN{a0="xxxx";` + doubled("a%d=(a%d) (a%[2]d);") + `print > a18}' f`,
		"awk, environment":      "a0=" + x + ` awk 'BEGIN{print > ` + big(`ENVIRON["a0"]`, 30000) + `}' f`,
		"awk, operands":         `awk '{print > ` + big("FILENAME ", 20000) + `}' ` + big("/x", 20000),
		"replaced twice over":   "a0=xxxxxxxx;" + doubled("a%d=${a%d//x/xxxx};") + "rm $a18",
		"replaced by long text": "x=" + x + "; rm ${x//x/" + long + "}",
		"formats that repeat":   "rm $(printf '" + x + "%s' " + big("a ", 30000) + ")",
		"echoed twice over":     "a0=xxxx;" + doubled("a%d=$(echo $a%d$a%[2]d);") + "rm $a18",
		"items put in":          "parallel 'rm " + big("{}", 30000) + "' ::: " + x,
		"starts put in":         "find " + x + " -exec rm " + big("{}", 30000) + " \\;",
		"braces":                "rm " + x + strings.Repeat("{a,b}", 8),
		"files in a directory":  "mv -t " + long + " " + big("a ", 40000),
		"files of a repository": "git -C " + long + " checkout -- " + big("b ", 40000),
		"directories in a row":  "git " + strings.Repeat("-C x/x/x/x/x/x/x/ ", 3000) + "status",
		"replaced here":         "alias a0='echo xxxx';" + doubled("alias a%d='a%d a%[2]d';") + "a18",
		"functions":             "f0() { rm $1$1; };" + doubled("f%d() { f%d $1$1; };") + "f18 x",
	} {
		for rules, w := range map[string]*world{
			"no rules": newWorld(t, lists{}),
			"rules":    newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)", "Bash(*push*--force*)", "Read(**/.env)", "Edit(/a/**/b)"}}),
		} {
			if used := allocated(func() { w.bash(text[:min(len(text), shell.MaxSize)]) }); used > mostMemory {
				t.Errorf("%s, %s: %d MB, want at most %d", name, rules, used>>20, mostMemory>>20)
			}
		}
	}
}

// FuzzMemory: no command makes the judgement take much memory.
func FuzzMemory(f *testing.F) {
	for _, seed := range []string{`awk 'BEGIN{a="x";b=a a;c=b b;getline y < c}' f`, "a=x;b=${a//x/xx};rm $b", "rm {a,b}{a,b}{a,b}", "echo x | xargs -I{} rm {}{}", "printf '%s%s' a b | sh"} {
		f.Add(seed)
	}
	w := newWorld(f, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)", "Read(**/.env)"}})
	f.Fuzz(func(t *testing.T, command string) {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			return
		}
		used := allocated(func() {
			if call, err := w.engine.Validate(w.ctx, permission.Request{Tool: "Bash", Input: input}); err == nil {
				w.engine.Decide(w.ctx, call)
			}
		})
		if used > mostMemory {
			t.Errorf("%q: %d MB", command, used>>20)
		}
	})
}
