package application

import "sync"

// eachOf calls do for all elements at once, and returns when that is done.
func eachOf[T any](elements []T, do func(i int, element T)) {
	var running sync.WaitGroup
	for i, element := range elements {
		running.Go(func() { do(i, element) })
	}
	running.Wait()
}
