package inbox

import "github.com/assent-dev/assent/policy"

// legibleLabels are what a worker must have to go on with a session, as JSON can hold it; nil when
// any worker can.
func legibleLabels(labels []string) (all []string) {
	for _, label := range labels {
		all = append(all, policy.WellFormed(label))
	}
	return all
}
