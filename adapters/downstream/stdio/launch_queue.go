package stdio

import (
	"context"
	"errors"
	"sync"
)

// maxLaunchers is the number of launchers that can download at the same time.
const maxLaunchers = 8

// A launchQueue starts the launchers of one package one after the other until one server
// is up, since launchers that download the same package at the same time block each other
// or break the cache. Once the package is in the cache, servers start without waiting. Safe
// for concurrent use.
type launchQueue struct {
	slots chan struct{} // has one element for each download in progress

	mu    sync.Mutex
	warm  map[string]bool
	turns map[string]chan struct{} // each has one element while the turn is free
}

func newLaunchQueue() *launchQueue {
	return &launchQueue{
		slots: make(chan struct{}, maxLaunchers), warm: map[string]bool{}, turns: map[string]chan struct{}{},
	}
}

var errQueued = errors.New("another server that downloads the same package was still starting")

// enter waits until a server that downloads the named package can start. The package is ""
// for a server that downloads nothing. When the start is over, the caller calls leave with
// whether the server is up. If the context ends first, enter returns errQueued.
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
	if q.turn(download) == nil { // a server of this package came up during the wait
		turn <- struct{}{}
		return func(bool) {}, nil
	}
	select {
	case q.slots <- struct{}{}:
	case <-ctx.Done():
		turn <- struct{}{}
		return nil, errQueued
	}
	return func(up bool) {
		<-q.slots
		q.mu.Lock()
		q.warm[download] = q.warm[download] || up
		q.mu.Unlock()
		turn <- struct{}{}
	}, nil
}

// turn returns the channel with the package's turn, or nil if no turn is needed.
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
