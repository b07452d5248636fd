package lockfile

// What the fuzz target drives.
var (
	Parse  = parse
	Format = format
)
