package stdio

import "os"

// OutputPipe returns a pipe as a server's output is.
func OutputPipe() (read, write *os.File, err error) { return outputPipe() }

// CloseOutput closes the reading end of such a pipe.
func CloseOutput(read *os.File) error { return closeOutput(read) }
