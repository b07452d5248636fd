package ownprocess

// OnSignal is OnInterrupt for another signal, until an end.
var OnSignal = onSignal
