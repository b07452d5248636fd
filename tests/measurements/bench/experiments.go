package main

import "slices"

// The rows that take part in an experiment.
var (
	// The host can do the same itself, without a relay.
	withoutRelay = []row{direct, workbench, again}
	// The needs of a process between host and server.
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
