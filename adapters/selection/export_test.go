package selection

import "io"

// AnswerQuestion is answerQuestion. It limits the memory of the process.
func AnswerQuestion(in io.Reader, begin func()) error {
	_, err := answerQuestion(in, watchMemory(func() {}), begin)
	return err
}
