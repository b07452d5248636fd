package safefile

// StateFolderOn is stateFolderOn for specs.
var StateFolderOn = stateFolderOn
