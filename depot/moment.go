package depot

import "time"

// moment is a point in time by all clocks of this machine: the one that only runs forward stands
// still on some systems while the machine is asleep, and the one on the wall may be set back.
type moment struct {
	at time.Time // by both of them
	// up is how long the machine has been there, asleep or not; always zero where it does not say.
	up time.Duration
}

func thisMoment() moment { return moment{at: time.Now(), up: uptime()} }

// ago is how long a moment has passed at another one: as long as any of the clocks says.
func (m moment) ago(now moment) time.Duration {
	return max(now.at.Sub(m.at), now.at.Round(0).Sub(m.at.Round(0)), now.up-m.up)
}
