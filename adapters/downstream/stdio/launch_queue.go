package stdio

import (
	"context"
	"errors"
	"sync"
)

// mostLaunchers is how many launchers may download at once.
const mostLaunchers = 8

// launchQueue lets the launchers of one package start one after the other until one
// of them is up: at once they only wait for each other, or break the cache. What is
// in the cache then, is started by all who come, at once. Safe for concurrent use.
type launchQueue struct {
	places chan struct{}

	mu    sync.Mutex
	warm  map[string]bool
	turns map[string]chan struct{} // holds one thing while a turn is to be had
}

func newLaunchQueue() *launchQueue {
	return &launchQueue{
		places: make(chan struct{}, mostLaunchers), warm: map[string]bool{}, turns: map[string]chan struct{}{},
	}
}

var errQueued = errors.New("another server that downloads the same package was still starting")

// enter waits until a start may begin that downloads what is named, "" for nothing.
// Leave ends the turn and says whether the server is up. The context bounds the
// wait.
func (q *launchQueue) enter(ctx context.Context, download string) (leave func(up bool), err error) {
	turn := q.turn(download)
	if turn == nil {
		return func(bool) {}, nil
	}
	select {
	case <-turn:
	case <-ctx.Done():
		return nil, errQueued
	}
	if q.turn(download) == nil { // up meanwhile: the others need not wait any longer
		turn <- struct{}{}
		return func(bool) {}, nil
	}
	select {
	case q.places <- struct{}{}:
	case <-ctx.Done():
		turn <- struct{}{}
		return nil, errQueued
	}
	return func(up bool) {
		<-q.places
		q.mu.Lock()
		q.warm[download] = q.warm[download] || up
		q.mu.Unlock()
		turn <- struct{}{}
	}, nil
}

// turn returns where a turn is to be had, nil when none is needed.
func (q *launchQueue) turn(download string) chan struct{} {
	if download == "" {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.warm[download] {
		return nil
	}
	if q.turns[download] == nil {
		q.turns[download] = make(chan struct{}, 1)
		q.turns[download] <- struct{}{}
	}
	return q.turns[download]
}
