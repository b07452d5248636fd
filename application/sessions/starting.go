package sessions

import (
	"context"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/reasons"
	"mcp-workbench/ports"
)

// Starting is a server that is being connected to, or the outcome of that. Safe for
// concurrent use.
type Starting struct {
	id      domain.ServerID
	attempt *attempt
}

// Start begins to connect to the server unless it is connected to already, or about
// to be, and does not wait. Failures: those of Connect but the context's.
func (s *Sessions) Start(ctx context.Context, server domain.Server) (*Starting, error) {
	current, err := s.attempt(ctx, server)
	if err != nil {
		return nil, err
	}
	return &Starting{id: server.ID, attempt: current}, nil
}

// Since returns when the attempt began.
func (s *Starting) Since() time.Time { return s.attempt.begun }

// Ended returns what is closed when the attempt has succeeded or failed.
func (s *Starting) Ended() <-chan struct{} { return s.attempt.finished }

// Outcome returns what came of the attempt. It must have ended.
func (s *Starting) Outcome() (*Connection, error) {
	if s.attempt.replaced.Load() {
		return nil, &domain.ServerUnavailableError{ID: s.id, Reason: reasons.ReplacedMeanwhile}
	}
	return s.attempt.connection, s.attempt.err
}

// MayDownload reports whether the server may still be downloaded.
func (s *Starting) MayDownload() bool { return s.attempt.progress.current().MayDownload }

// Overdue returns the failure of an attempt that nobody waits for any longer, after
// it took that long. It says what the server wrote to its standard error meanwhile.
func (s *Starting) Overdue(waited time.Duration) error {
	start, stderr := s.attempt.progress.current(), ""
	if start.Installing != "" {
		return &domain.ServerUnavailableError{ID: s.id, Reason: reasons.StillInstalling(waited, start.Installing)}
	}
	if start.Stderr != nil {
		stderr = start.Stderr()
	}
	return &domain.ServerUnavailableError{ID: s.id, Reason: reasons.StillStarting(waited, stderr)}
}

// startProgress is what the transport said last of a start. Safe for concurrent use.
type startProgress struct {
	mu    sync.Mutex // guards start
	start ports.Start
}

// Starting implements ports.StartWatcher.
func (p *startProgress) Starting(start ports.Start) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start = start
}

// connected notes that the server runs: whatever takes long now, it is no download.
func (p *startProgress) connected() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start.MayDownload, p.start.Installing = false, ""
}

func (p *startProgress) current() ports.Start {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.start
}
