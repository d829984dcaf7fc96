package main

import "context"

// contender is a policy engine that was given the policy.
type contender interface {
	// prepare puts questions into the contender's own form, before the clock starts.
	// What it returns answers the question of that number.
	prepare(questions []question) (func(i int) verdict, error)
}

// loader makes a contender of a policy that is written in its language. It gives up
// when the context ends.
type loader func(ctx context.Context) (contender, error)

// entrant is a contender before it has loaded anything.
type entrant struct {
	name string
	// write puts the policy into the entrant's language, before the clock starts.
	write func(policy []statement) loader
}

// entrants are those that are compared, assent first.
var entrants = []entrant{
	{"assent", writeAssent},
	{"cedar-go", writeCedar},
	{"OPA", writeOPA},
	{"casbin", writeCasbin},
}
