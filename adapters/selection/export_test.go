package selection

import "io"

// Fails reports whether answerQuestion fails. It limits the memory of the process.
func Fails(in io.Reader, begin func()) bool {
	return answerQuestion(in, watchMemory(func() {}), begin).Error != nil
}
