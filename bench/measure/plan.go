// Package measure runs the benchmark's phases against one server at a time.
package measure

import "time"

// Plan says how much is measured in a round.
type Plan struct {
	Rounds int
	Sizes  []int // numbers of tools that servers are started with

	Starts int // of each size
	Lists  int // later ones, of each size
	Warm   int // calls before the first that counts
	Calls  int
	Paced  int
	Big    int
	Bad    int

	Flood    time.Duration // how long calls are kept in flight, about
	MaxFlood int           // calls at most, since they are built beforehand

	Generates int // runs of the generator, each from empty and again
	Builds    int
}

// Full is the plan of a run that decides.
var Full = Plan{
	Rounds: 5, Sizes: []int{10, 100, 1000},
	Starts: 4, Lists: 5, Warm: 1000, Calls: 2000, Paced: 300, Big: 60, Bad: 1000,
	Flood: time.Second, MaxFlood: 100_000,
	Generates: 5, Builds: 3,
}

// Quick is the plan of a run that takes under two minutes.
var Quick = Plan{
	Rounds: 2, Sizes: []int{10, 1000},
	Starts: 2, Lists: 2, Warm: 300, Calls: 600, Paced: 60, Big: 15, Bad: 200,
	Flood: 300 * time.Millisecond, MaxFlood: 40_000,
	Generates: 2, Builds: 1,
}

const (
	callTools = 10 // tools of the server that calls are measured on
	inFlight  = 64
	pace      = 2 * time.Millisecond
	// patience is how long a phase may take; a dropped answer shows by it.
	patience = 60 * time.Second
)
