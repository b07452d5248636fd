package logs

// Limited returns the log with another maximum size in bytes.
func Limited(file *File, size int64) *File {
	file.max = size
	return file
}
