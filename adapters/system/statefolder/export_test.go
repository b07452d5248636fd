package statefolder

// PathOn is pathOn for specs.
var PathOn = pathOn
