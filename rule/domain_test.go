package rule

import "testing"

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
