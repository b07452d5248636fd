package application

import "sync"

// eachOf calls do for all elements concurrently, and returns when all calls have returned.
func eachOf[T any](elements []T, do func(i int, element T)) {
	var running sync.WaitGroup
	for i, element := range elements {
		running.Go(func() { do(i, element) })
	}
	running.Wait()
}
