package notify

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/secret"
	"github.com/assent-dev/assent/permission"
)

const (
	soundWebhook = `{"name": "ops", "type": "webhook", "url": "https://hooks.example.com/a", "secret": {"env": "OPS"}}`
	soundEmail   = `{"name": "mail", "type": "email", "server": "mail.example.com:587", "from": "a@example.com", "to": ["b@example.com"]}`
)

func TestParse_Sound(t *testing.T) {
	targets, problems := Parse([]byte("[" + strings.Join([]string{
		soundWebhook,
		`{"name": "old", "type": "webhook", "url": "https://h.example.com/", "secret": [{"env": "A"}, {"file": "/run/secrets/b"}], "only": ["high", "waits:low", "unknown"], "input": true}`,
		`{"name": "chat", "type": "slack", "secret": {"env": "SLACK"}}`,
		`{"name": "phone", "type": "ntfy", "url": "https://ntfy.sh", "topic": "calls"}`,
		`{"name": "home", "type": "ntfy", "url": "http://10.0.0.7:8080/", "topic": "calls", "private": true, "secret": {"env": "T"}}`,
		soundEmail,
		`{"name": "mail2", "type": "email", "server": "[2606:4700::1]:465", "from": "A B <a@example.com>", "to": ["b@example.com"], "user": "u", "secret": {"env": "P"}}`,
		`{"name": "mail3", "type": "email", "server": "127.0.0.1:25", "tls": "none", "private": true, "from": "a@example.com", "to": ["b@example.com"]}`,
	}, ",\n") + "]"))
	if runtime.GOOS == "windows" { // where a path begins with a drive
		problems = slices.DeleteFunc(problems, func(p Problem) bool { return p.Path == "notifications[1].secret" })
	} else if len(targets) != 8 {
		t.Errorf("%d targets", len(targets))
	}
	if len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	for _, target := range targets {
		if target.Name == "mail2" && target.mail.security != implicitTLS || target.Name == "mail" && target.mail.security != startTLS {
			t.Errorf("%s: %s", target.Name, target.mail.security)
		}
	}
	if targets, problems := Parse([]byte("[]")); len(targets) != 0 || len(problems) != 0 {
		t.Errorf("%v %v", targets, problems)
	}
}

func TestParse_Problems(t *testing.T) {
	with := func(sound, key, value string) string { // another value, or another key
		before, _, found := strings.Cut(sound, fmt.Sprintf("%q: ", key))
		if !found {
			return strings.TrimSuffix(sound, "}") + fmt.Sprintf(", %q: %s}", key, value)
		}
		rest := sound[len(before):]
		end := strings.Index(rest, `, "`)
		if end < 0 {
			end = len(rest) - 1
		}
		return before + fmt.Sprintf("%q: %s", key, value) + rest[end:]
	}
	for _, c := range []struct{ text, path, says string }{
		{`{"name": "a"`, "notifications", ""},
		{`7`, "notifications[0]", "object"},
		{with(soundWebhook, "nmae", `"x"`), "notifications[0].nmae", "no such key"},
		{with(soundWebhook, "Private", `true`), "notifications[0].Private", "no such key"},
		{with(soundWebhook, "topic", `"x"`), "notifications[0].topic", "type webhook has no such key"},
		{with(soundWebhook, "type", `"pager"`), "notifications[0].type", "no such type"},
		{with(soundWebhook, "type", `7`), "notifications[0].type", "write a text"},
		{with(soundWebhook, "name", `""`), "notifications[0].name", "needs a name"},
		{with(soundWebhook, "name", `"a b"`), "notifications[0].name", "needs a name"},
		{with(soundWebhook, "url", `"http://hooks.example.com/"`), "notifications[0].url", "https://"},
		{with(soundWebhook, "url", `"https://u:geheim@hooks.example.com/"`), "notifications[0].url", "user"},
		{with(soundWebhook, "url", `"https://hooks.example.com/#geheim"`), "notifications[0].url", "#"},
		{with(soundWebhook, "url", `"https:///geheim"`), "notifications[0].url", "host"},
		{with(soundWebhook, "url", `"https:geheim"`), "notifications[0].url", "no address"},
		{with(soundWebhook, "url", `"https://10.0.0.1/"`), "notifications[0].url", "private"},
		{with(soundWebhook, "url", `"https://hooks.example.com:99999/geheim"`), "notifications[0].url", "up to 65535"},
		{with(soundWebhook, "url", `"https://hooks.example.com:0/geheim"`), "notifications[0].url", "up to 65535"},
		{with(soundWebhook, "url", `"https://[2001:4860:4860::8888]:65536/geheim"`), "notifications[0].url", "up to 65535"},
		{with(soundWebhook, "url", `"https://hooks.example.com:18446744073709551617/geheim"`), "notifications[0].url", "up to 65535"},
		{with(soundWebhook, "url", `["geheim"]`), "notifications[0].url", "write a text"},
		{with(soundWebhook, "secret", `"geheim"`), "notifications[0].secret", "never the secret"},
		{with(soundWebhook, "secret", `{}`), "notifications[0].secret", "env"},
		{with(soundWebhook, "secret", `[]`), "notifications[0].secret", "signed"},
		{with(soundWebhook, "secret", `{"value": "geheim"}`), "notifications[0].secret", "never the secret"},
		{with(soundWebhook, "secret", `{"file": "geheim.txt"}`), "notifications[0].secret", "top of the disk"},
		{with(soundWebhook, "only", `["hihg"]`), "notifications[0].only", "neither"},
		{with(soundWebhook, "only", `["high:waits"]`), "notifications[0].only", "no kind"},
		{with(soundWebhook, "only", `["waits:"]`), "notifications[0].only", "neither"},
		{with(soundWebhook, "only", `[]`), "notifications[0].only", "nothing"},
		{with(soundWebhook, "input", `"yes"`), "notifications[0].input", "true or false"},
		{with(soundWebhook, "private", `1`), "notifications[0].private", "true or false"},
		{soundWebhook + "," + soundWebhook, "notifications[1].name", "another"},
		{`{"name": "s", "type": "slack", "url": "https://hooks.slack.com/geheim", "secret": {"env": "A"}}`, "notifications[0].url", "secret"},
		{`{"name": "s", "type": "slack"}`, "notifications[0].secret", "secret"},
		{`{"name": "n", "type": "ntfy", "url": "https://ntfy.sh/calls", "topic": "calls"}`, "notifications[0].url", "server alone"},
		{`{"name": "n", "type": "ntfy", "url": "https://ntfy.sh:70000", "topic": "calls"}`, "notifications[0].url", "up to 65535"},
		{`{"name": "n", "type": "ntfy", "url": "http://10.0.0.7:0", "topic": "calls", "private": true}`, "notifications[0].url", "up to 65535"},
		{`{"name": "n", "type": "ntfy", "url": "https://ntfy.sh", "topic": "a/b"}`, "notifications[0].topic", "64"},
		{with(soundEmail, "server", `"mail.example.com"`), "notifications[0].server", "port"},
		{with(soundEmail, "server", `"mail.example.com:99999"`), "notifications[0].server", "65535"},
		{with(soundEmail, "server", `"192.168.0.1:25"`), "notifications[0].server", "private"},
		{with(soundEmail, "tls", `"maybe"`), "notifications[0].tls", "starttls"},
		{with(soundEmail, "tls", `"none"`), "notifications[0].tls", "this machine"},
		{with(soundEmail, "user", `"u"`), "notifications[0].secret", "password"},
		{with(soundEmail, "secret", `{"env": "P"}`), "notifications[0].secret", "user"},
		{with(soundEmail, "from", `"a"`), "notifications[0].from", "mailbox"},
		{with(soundEmail, "from", `"\"a\r\nBcc: c\"@example.com"`), "notifications[0].from", ""},
		{with(soundEmail, "from", `"\"a b\"@example.com"`), "notifications[0].from", "plain letters"},
		{with(soundEmail, "to", `["b@example.com>\r\nRCPT TO:<c@example.com"]`), "notifications[0].to", ""},
		{with(soundEmail, "to", `[]`), "notifications[0].to", "who is told"},
		{`{"name": "m", "type": "email", "server": "127.0.0.1:25", "tls": "none", "private": true, "user": "u", "secret": {"env": "P"}, "from": "a@example.com", "to": ["b@example.com"]}`, "notifications[0].user", "encryption"},
	} {
		_, problems := Parse([]byte("[" + c.text + "]"))
		if len(problems) != 1 || problems[0].Path != c.path || !strings.Contains(problems[0].Message, c.says) {
			t.Errorf("%s: %q, want one at %s with %q", c.text, problems, c.path, c.says)
		}
		for _, p := range problems {
			if strings.Contains(p.Error(), "geheim") || strings.ContainsAny(p.Error(), "\r\n") {
				t.Errorf("%q", p.Error())
			}
		}
	}
}

// Every problem is told at once, with its line; what is sound beside it stays.
func TestParse_EveryProblem(t *testing.T) {
	targets, problems := Parse([]byte("[\n" + soundWebhook + ",\n{\n\"name\": \"\",\n\"type\": \"webhook\",\n\"url\": \"http://a/\"},\n{\"x\": 1,\n\"y\": 2}]"))
	var places []string
	for _, p := range problems {
		places = append(places, fmt.Sprintf("%d %s", p.Line, p.Path))
	}
	want := []string{"4 notifications[1].name", "3 notifications[1].secret", "6 notifications[1].url", "7 notifications[2].x", "8 notifications[2].y"}
	if !slices.Equal(places, want) || len(targets) != 1 {
		t.Errorf("got %q, want %q; %d targets", places, want, len(targets))
	}
	if _, problems := Parse([]byte(`{"a": 1}`)); len(problems) != 1 || !strings.Contains(problems[0].Message, "list") {
		t.Errorf("%v", problems)
	}
}

func TestTarget_Takes(t *testing.T) {
	for _, c := range []struct {
		only string
		kind Kind
		risk permission.Risk
		want bool
	}{
		{"", Waits, permission.LowRisk, true},
		{`"high"`, Waits, permission.HighRisk, true},
		{`"high"`, Waits, permission.MediumRisk, false},
		{`"high"`, Waits, 0, true}, // nobody has thought about it
		{`"high", "unknown"`, Unknown, permission.LowRisk, true},
		{`"high", "unknown"`, Expired, permission.LowRisk, false},
		{`"waits:high"`, Waits, permission.HighRisk, true},
		{`"waits:high"`, Answered, permission.HighRisk, false},
		{`"waits:high"`, Waits, permission.LowRisk, false},
		{`"waits", "reminds"`, Reminds, permission.LowRisk, true},
	} {
		text := soundWebhook
		if c.only != "" {
			text = strings.TrimSuffix(text, "}") + `, "only": [` + c.only + `]}`
		}
		if got := parsed(t, text).Takes(Message{Kind: c.kind, Risk: c.risk}); got != c.want {
			t.Errorf("%s takes %s with %s: %v", c.only, c.kind, c.risk, got)
		}
	}
}

func TestSecret_Places(t *testing.T) {
	file := func(perm os.FileMode, text string) string {
		path := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(path, []byte(text), perm); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("NOTIFY_SECRET", testSecret)
	t.Setenv("NOTIFY_EMPTY", "")
	for _, c := range []struct {
		name  string
		place secret.Place
		says  string // empty when it is there
	}{
		{"environment", secret.Place{Env: "NOTIFY_SECRET"}, ""},
		{"nothing there", secret.Place{Env: "NOTIFY_NONE"}, `"NOTIFY_NONE" is empty`},
		{"empty", secret.Place{Env: "NOTIFY_EMPTY"}, "is empty"},
		{"file", secret.Place{File: file(0o600, testSecret+"\n")}, ""},
		{"readable by the group", secret.Place{File: file(0o640, testSecret)}, "others can read it"},
		{"readable by others", secret.Place{File: file(0o604, testSecret)}, "others can read it"},
		{"no file", secret.Place{File: filepath.Join(t.TempDir(), "none")}, "cannot be opened"},
		{"a directory", secret.Place{File: t.TempDir()}, "not a regular file"},
		{"too large", secret.Place{File: file(0o600, strings.Repeat("geheim", 16<<10))}, "too large"},
		{"several lines", secret.Place{File: file(0o600, "geheim\ngeheim")}, "several lines"},
		{"too short a key", secret.Place{File: file(0o600, "whsec_Z2VoZWlt")}, "24 bytes"},
		{"no base64", secret.Place{File: file(0o600, "geheim!")}, "24 bytes"},
	} {
		if runtime.GOOS == "windows" && strings.HasPrefix(c.name, "readable") {
			continue // rights are no bits there
		}
		target := parsed(t, soundWebhook)
		target.secrets = []secret.Place{c.place}
		err := target.Ready()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
		got := Sender{resolver: resolver(t, []string{"127.0.0.1"})}.Send(t.Context(), target, message())
		if got.Verdict != Never || strings.Contains(got.Text, "geheim") || !strings.Contains(got.Text, c.says) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// Whatever settings say, a target of them has an address that it may have, and a problem has
// a place.
func FuzzParse(f *testing.F) {
	f.Add("[" + soundWebhook + "," + soundEmail + "]")
	f.Add(`[{"name": "n", "type": "ntfy", "url": "http://[::1]:80", "topic": "a", "private": true}]`)
	f.Add(`[{"name": "s", "type": "slack", "secret": [{"env": "A"}], "only": ["waits:high"]}, 7, {}]`)
	f.Fuzz(func(t *testing.T, text string) {
		targets, problems := Parse([]byte(text))
		for _, p := range problems {
			if !strings.HasPrefix(p.Path, "notifications") || p.Line < 1 || p.Message == "" {
				t.Errorf("%+v", p)
			}
		}
		for _, target := range targets {
			if !isName(target.Name) || !slices.Contains(Types, target.Type) {
				t.Errorf("%+v", target)
			}
			if target.url != nil && (target.url.User != nil || target.url.Scheme != "https" && !target.private || target.checkHost(target.url.Hostname()) != nil) {
				t.Errorf("%s", target.url)
			}
			if target.Type == Email && strings.ContainsAny(string(target.mail.from.Address), "\r\n<> ") {
				t.Errorf("%q", target.mail.from)
			}
		}
	})
}
