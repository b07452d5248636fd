package main

import "slices"

// The rows that take part in an experiment.
var (
	// The host can do the same itself; a relay has no part in it.
	withoutRelay = []row{direct, workbench, again}
	// What a process between host and server needs.
	between = []row{relay, workbench}
	// Sizes of messages do not vary.
	fixed = []row{direct, workbench}
)

// experiments lists everything in the order of the table.
func experiments() []experiment {
	return slices.Concat(
		startExperiments(),
		callExperiments(),
		loadExperiments(),
		memoryExperiments(),
		endExperiments(),
		httpExperiments(),
		activityExperiments(),
		sharingExperiments(),
		scaleExperiments(),
	)
}
