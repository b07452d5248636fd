package ownprocess

// OnSignal is OnInterrupt for another signal, until an end.
var OnSignal = onSignal

// SessionOf is the session of the first process. Each has its parent, its session and its terminal.
func SessionOf(processes ...[3]int) string {
	var found []ancestor
	for _, process := range processes {
		found = append(found, ancestor{parent: process[0], session: process[1], terminal: uint64(process[2])})
	}
	return sessionOf(found)
}
