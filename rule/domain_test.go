package rule

import (
	"strings"
	"testing"
)

func TestP16_WebFetchDomains(t *testing.T) {
	for _, c := range []struct {
		content string
		yes, no []string
	}{
		{"domain:example.com", []string{"example.com", "EXAMPLE.com", "example.com."}, []string{"www.example.com", "example.co", "example.com.evil.org", "anexample.com", ""}},
		{"domain:Example.COM.", []string{"example.com"}, []string{"com"}},
		{"domain: example.com", []string{"example.com"}, nil},
		{"domain:*.example.com", []string{"www.example.com", "a.b.example.com", "WWW.example.com."}, []string{"example.com", "anexample.com", ".example.com", "www.example.org"}},
		{"domain:*", []string{"example.com", "localhost", "::1"}, nil},
		{"domain:localhost", []string{"localhost"}, []string{"x.localhost"}},
		{"domain:::1", []string{"::1"}, []string{"::2"}},
		{"domain:10.0.0.1", []string{"10.0.0.1"}, []string{"10.0.0.10"}},
		{"domain:münchen.de", []string{"münchen.de", "MÜNCHEN.de"}, nil},
	} {
		s := compile(t, "deny WebFetch("+c.content+")", "allow WebFetch("+c.content+")")
		for _, host := range c.yes {
			if got := s.Domain(host); got.Deny == nil || got.Allow == nil || got.DenyMatch != Yes {
				t.Errorf("%s does not match %q", c.content, host)
			}
		}
		for _, host := range c.no {
			if got := s.Domain(host); got != (Hits{}) {
				t.Errorf("%s matches %q", c.content, host)
			}
		}
	}
}

// A rule and a call name a host in the same way, however each was written.
func TestP16_HostsHaveOneSpelling(t *testing.T) {
	for content, host := range map[string]string{
		"domain:bücher.de":               "xn--bcher-kva.de",
		"domain:BÜCHER.de.":              "xn--bcher-kva.de",
		"domain:*.bücher.de":             "www.xn--bcher-kva.de",
		"domain:xn--bcher-kva.de":        "bücher.de",
		"domain:0:0:0:0:0:0:0:1":         "::1",
		"domain:::ffff:127.0.0.1":        "127.0.0.1",
		"domain:::FFFF:7f00:1":           "127.0.0.1",
		"domain:fe80::1%lo":              "fe80::1",
		"domain:2001:DB8:0:0:0:0:0:1":    "2001:db8::1",
		"domain:пример.рф":               "xn--e1afmkfd.xn--p1ai",
		"domain:例え.jp":                   "xn--r8jz45g.jp",
		"domain:under_score.example.com": "under_score.example.com",
	} {
		if got := compile(t, "deny WebFetch("+content+")").Domain(host); got.Deny == nil || got.Deny.Behavior != Deny {
			t.Errorf("%s does not deny %s", content, host)
		}
	}
}

// What no call is ever compared with would be a rule that nobody misses.
func TestP16_HostsThatCannotBeMeant(t *testing.T) {
	for _, host := range []string{
		"127.1", "0x7f.1", "2130706433", "0x7f000001", "10.0.0.256", "a&.good.com", "a!b.com", "a;b", "a,b.com", "a b.com", "a%41.com", "a..b", ".a", "[::1]",
		"straße.de", "ﬁ.com", "ａ.com", "bu\u0308cher.de", "a。b.com", "*.10.0.0.1", "*.::1", "a.*.com", "-\u200d.com", "https://example.com", "example.com:80", "",
	} {
		_, ok, err := Read("WebFetch(domain:"+host+")", Allow, Origin{})
		if ok || err == nil || err.Hint == "" {
			t.Errorf("%q was taken as a host", host)
		}
		r, _, err := Read("WebFetch(domain:"+host+")", Deny, Origin{})
		if err == nil || !r.Quarantined {
			t.Errorf("%q: the deny rule does not ask", host)
		}
	}
}

// The examples of RFC 3492, section 7.1, that are in one letter case.
func TestPunycode(t *testing.T) {
	for label, want := range map[string]string{
		"ليهمابتكلموشعربي؟":            "egbpdaj6bu4bxfgehfvwxn",
		"他们为什么不说中文":                    "ihqwcrb4cv8a8dqg056pqjye",
		"他們爲什麽不說中文":                    "ihqwctvzc91f659drss3x8bo0yb",
		"למההםפשוטלאמדבריםעברית":       "4dbcagdahymbxekheh6e0a7fei0b",
		"почемужеонинеговорятпорусски": "b1abfaaepdrnnbgefbadotcwatmq2g4l",
		"なぜみんな日本語を話してくれないのか":           "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa",
		"3年b組金八先生":                     "3b-ww4c5e180e575a65lsy2b",
		"ひとつ屋根の下2":                     "2-u9tlzr9756bt3uc0v",
		"パフィーdeルンバ":                    "de-jg4avhby1noc0d",
		"そのスピードで":                      "d9juau41awczczp",
		"ü":                            "tda",
	} {
		if got := punycode([]rune(label)); got != want {
			t.Errorf("%s: %s, want %s", label, got, want)
		}
	}
	if got, problem := CanonicalHost(strings.Repeat("ü", 300)); problem != "" || !strings.HasPrefix(got, "xn--") {
		t.Errorf("a long label: %s, %s", got, problem)
	}
}
