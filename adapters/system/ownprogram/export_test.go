package ownprogram

// PathAmong is Path for other places of the program.
func PathAmong(paths ...string) string { return pathAmong(paths...) }
