package programs

// PathAmong is OwnPath for other places of the program.
func PathAmong(paths ...string) string { return pathAmong(paths...) }
