package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// parkingTerms reads assent.parking: how long a parked call waits for an answer, and what
// holds when nobody has given one.
func (r *reader) parkingTerms(m member) parkingSetting {
	const hint = `write {"lasts": "72h", "outcome": "deny"}`
	var p parkingSetting
	if m.value.Kind != '{' {
		r.fail(m.value, "parking says nothing about time", hint)
		return p
	}
	p.line = m.line
	for _, m := range r.object(m.value, "parking", []string{"lasts", "outcome"}) {
		if m.value.Kind != '"' {
			r.fail(m.value, "parking has "+visible(m.name)+", which is no text", hint)
			return p
		}
		text := m.value.Text()
		switch m.name {
		case "lasts":
			lasts, err := time.ParseDuration(text)
			if err != nil || lasts <= 0 {
				r.fail(m.value, visible(text)+" is no time to wait", "write it like 90m or 72h")
			}
			p.lasts = lasts
		case "outcome":
			if text != "deny" && text != "allow" {
				r.fail(m.value, visible(text)+" is no outcome", "write deny or allow")
			}
			p.outcome = text
		default:
			r.fail(m.value, "parking has "+visible(m.name)+", which nobody knows", hint)
		}
	}
	return p
}

// parkingSetting is what one file says.
type parkingSetting struct {
	line    int // 0 when it says nothing
	lasts   time.Duration
	outcome string
}

// Parking is how long a parked call waits, and what holds then: "deny", or "allow". The
// zero value means for ever.
type Parking struct {
	Lasts   time.Duration
	Outcome string
}

// Parking is what the nearest file says that may say it; the administrator's comes first.
// A workspace that nobody has trusted cannot make a call run by letting time pass.
func (s *Settings) Parking() Parking {
	for i := range s.Files {
		f := &s.Files[i]
		if !f.Trusted {
			continue
		}
		for _, t := range s.texts {
			if t.source == f.Source && t.path == f.Path && t.said != nil && t.said.parking.line > 0 {
				p := Parking{Lasts: t.said.parking.lasts, Outcome: t.said.parking.outcome}
				if p.Outcome == "" {
					p.Outcome = "deny"
				}
				return p
			}
		}
	}
	return Parking{}
}

// Version stands for everything that the settings say: it changes when they do.
func (s *Settings) Version() string {
	sum := sha256.New()
	for _, t := range s.texts {
		for _, part := range []string{t.path, t.data} {
			sum.Write([]byte(part))
			sum.Write([]byte{0})
		}
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
