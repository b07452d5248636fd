package logins

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

// refreshLimit bounds a request to a token endpoint, during which others wait for the lock.
const refreshLimit = 30 * time.Second

// Refresh gets new tokens for a login, once for all processes that need them. It acquires the login's
// lock, reads the login again, and calls needed to find out whether it must still be refreshed. If so,
// it calls send with the refresh token and writes the outcome. It returns the login as it is then, also
// with an error.
//
// The context of send has its own limit and does not end with ctx: once a token was sent, the answer is
// written even if Refresh has returned. Send's errors say what became of the token: see ErrRefused and
// ErrUnanswered.
//
// Failures: *EndedError; ErrNoRefreshToken; ErrLocked; those of send, after which the login is
// unchanged; those of Read; those of writing; the context's.
func (s *Store) Refresh(
	ctx context.Context, key Key,
	needed func(Record) bool, send func(context.Context, Record) (Tokens, error),
) (Record, error) {
	type outcome struct {
		record Record
		err    error
	}
	done := make(chan outcome, 1)
	s.begin()
	go func() {
		defer s.end()
		record, err := s.refresh(ctx, key, needed, send)
		done <- outcome{record, err}
	}()
	select {
	case result := <-done:
		return result.record, result.err
	case <-ctx.Done():
		record, err := s.Read(key)
		return record, errors.Join(fmt.Errorf("refresh the login: %w", context.Cause(ctx)), err)
	}
}

// Wait waits until no refresh of this process is in progress, or the context ends. A program that ends
// during a refresh may lose the login.
func (s *Store) Wait(ctx context.Context) {
	defer s.writeAllKept(ctx)
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	if idle == nil {
		return
	}
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

func (s *Store) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refreshes++; s.refreshes == 1 {
		s.idle = make(chan struct{})
	}
}

func (s *Store) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refreshes--; s.refreshes == 0 {
		close(s.idle)
		s.idle = nil
	}
}

func (s *Store) refresh(
	ctx context.Context, key Key,
	needed func(Record) bool, send func(context.Context, Record) (Tokens, error),
) (Record, error) {
	path, release, err := s.hold(ctx, key)
	if err != nil {
		record, _ := s.Read(key) // only the failure to lock is reported
		return record, err
	}
	defer release()
	record, err := s.readToChange(path, key)
	switch {
	case err != nil:
		return record, err
	case !needed(record):
		return record, nil
	case record.Ended != "":
		return record, &EndedError{Why: record.Ended}
	case record.RefreshToken == "":
		return record, ErrNoRefreshToken
	}
	return s.send(context.WithoutCancel(ctx), path, record, send)
}

// send sends the refresh token of a login, unless it was already sent twice. The caller holds the lock.
func (s *Store) send(
	ctx context.Context, path string, record Record, send func(context.Context, Record) (Tokens, error),
) (Record, error) {
	note := Refreshing{Digest: digest(record.RefreshToken), Time: time.Now().UTC()}
	if before := record.Refreshing; before != nil && before.Digest == note.Digest {
		if before.Again {
			return s.endLogin(path, record, "a refresh was interrupted twice, and its token may be used up")
		}
		note.Again = true
	}
	noted := record
	noted.Refreshing = &note
	replace, release, err := s.takeRoom(path)
	if err != nil {
		return record, fmt.Errorf("take room for the answer to a refresh: %w", err)
	}
	defer release()
	if err := s.write(path, record.Key, noted, safefile.Replace); err != nil {
		return record, fmt.Errorf("write the login before its refresh: %w", err)
	}
	sending, cancel := context.WithTimeout(ctx, refreshLimit)
	tokens, err := send(sending, record)
	timedOut := sending.Err() != nil
	cancel()
	switch {
	case err == nil:
		return s.accept(path, record, tokens, replace), nil
	case errors.Is(err, ErrRefused):
		why := ErrRefused.Error()
		if note.Again {
			why += ", which was sent before by a process that was interrupted"
		}
		return s.endLogin(path, record, why)
	case errors.Is(err, ErrUnanswered) && note.Again:
		// A server that is down must not end every login. No process was killed, so the next caller
		// may send the token once more.
		return s.withdraw(path, record, &Refreshing{Digest: note.Digest, Time: note.Time}, err)
	case errors.Is(err, ErrUnanswered) && timedOut:
		return noted, err // the next caller sends it once more
	case errors.Is(err, ErrUnanswered):
		s.log.Debug("the connection was lost during a refresh, which is sent once more", "server", record.Key.Server, "error", err)
		release()
		return s.send(ctx, path, noted, send)
	}
	// The token was not used up, so what was noted before counts.
	return s.withdraw(path, record, record.Refreshing, err)
}

// withdraw replaces the note of a failed attempt.
func (s *Store) withdraw(path string, record Record, note *Refreshing, failure error) (Record, error) {
	record.Refreshing = note
	if err := s.write(path, record.Key, record, safefile.Replace); err != nil {
		return record, errors.Join(failure, err)
	}
	return record, failure
}

// accept writes the tokens that a refresh returned, unless the login has changed meanwhile. The old token may be used
// up, so tokens that cannot be written are kept in memory.
func (s *Store) accept(path string, before Record, tokens Tokens, replace replacement) Record {
	if now, err := s.stillHolds(path, before); now != nil && err == nil {
		return *now
	}
	record := before
	record.Accept(tokens)
	if err := s.write(path, record.Key, record, replace); err != nil {
		s.keep(path, record, err)
	}
	return record
}

// endLogin writes that a login's refresh token must not be sent again, and logs why.
func (s *Store) endLogin(path string, before Record, why string) (Record, error) {
	now, err := s.stillHolds(path, before)
	if now != nil {
		return *now, err
	}
	record := before
	record.Ended, record.Refreshing = why, nil
	s.log.Warn("a login has ended", "server", record.Key.Server, "why", why)
	if err := s.write(path, record.Key, record, safefile.Replace); err != nil {
		return record, errors.Join(&EndedError{Why: why}, fmt.Errorf("write that the login ended: %w", err))
	}
	return record, &EndedError{Why: why}
}

// stillHolds returns nil if a login's file still has the refresh token that was sent. Otherwise, because
// another program wrote the file or the file system has no locks, it returns the login in the file.
func (s *Store) stillHolds(path string, sent Record) (*Record, error) {
	now, err := s.load(path)
	now.Key = sent.Key
	if err == nil && now.RefreshToken == sent.RefreshToken {
		return nil, nil
	}
	return &now, err
}

// digest returns the SHA-256 of a token in hexadecimal.
func digest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
