package callers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-workbench/domain"

	"github.com/go-jose/go-jose/v4"
)

const (
	// fetchTime bounds one fetch of the issuer's keys.
	fetchTime = 10 * time.Second
	// pause is the minimum time between two fetches, whatever tokens arrive.
	pause = 5 * time.Second
	// freshTime is how long keys are used before they are fetched again.
	freshTime = 10 * time.Minute
	// maxBody is the largest answer of the issuer in bytes, maxKeys the most keys in one.
	maxBody = 1 << 20
	maxKeys = 100
)

// keys holds the keys of the issuer, which are fetched when a token needs them. They are fetched
// again for a token with an unknown key, since keys change, and after a time, since keys are
// withdrawn. While the issuer cannot be reached, known keys stay in use. Safe for concurrent use.
type keys struct {
	issuer string
	client *issuerClient
	log    *slog.Logger

	mu       sync.Mutex // guards the fields below
	known    []jose.JSONWebKey
	started  time.Time     // start of the last fetch
	fetched  time.Time     // end of the last fetch that found keys
	failure  error         // of the last fetch, nil if it found keys
	fetching chan struct{} // closed at the end of the fetch that is under way, nil without one
}

// find returns the keys that may have made a signature: those with the id, or all when the
// token names none. The context bounds the wait. Failures: the issuer cannot be reached; the
// context's.
func (k *keys) find(ctx context.Context, id, algorithm string) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	found := k.fittingLocked(id, algorithm)
	if len(found) > 0 && time.Since(k.fetched) < freshTime {
		k.mu.Unlock()
		return found, nil
	}
	if k.fetching == nil && time.Since(k.started) >= pause {
		k.started = time.Now()
		k.fetching = make(chan struct{})
		go k.fetch(context.WithoutCancel(ctx))
	}
	fetching, failure := k.fetching, k.failure
	k.mu.Unlock()
	switch {
	case len(found) > 0: // known keys stay in use while they are fetched again
		return found, nil
	case fetching == nil:
		return nil, failure // the last fetch was a moment ago
	}
	select {
	case <-fetching:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.fittingLocked(id, algorithm), k.failure
}

func (k *keys) fittingLocked(id, algorithm string) []jose.JSONWebKey {
	var found []jose.JSONWebKey
	for _, key := range k.known {
		if (id == "" || key.KeyID == id) && (key.Algorithm == "" || key.Algorithm == algorithm) {
			found = append(found, key)
		}
	}
	return found
}

// fetch fetches the issuer's keys.
func (k *keys) fetch(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	found, err := k.fetchKeys(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case err != nil && k.failure == nil:
		k.log.Warn("the keys of the issuer cannot be read; tokens that need them are not accepted until they can", "issuer", k.issuer, "error", err)
	case err == nil && k.failure != nil:
		k.log.Warn("the keys of the issuer can be read again", "issuer", k.issuer)
	}
	if k.failure = err; err == nil {
		k.known, k.fetched = found, time.Now()
	}
	close(k.fetching)
	k.fetching = nil
}

func (k *keys) fetchKeys(ctx context.Context) ([]jose.JSONWebKey, error) {
	address, err := k.findAddress(ctx)
	if err != nil {
		return nil, err
	}
	body, status, err := k.get(ctx, address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the keys: %w", err)
	case status != http.StatusOK:
		return nil, fmt.Errorf("read the keys: status %d", status)
	}
	// A key of an unknown kind must not hide the others.
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, errors.New("read the keys: the document is not a set of keys (RFC 7517)")
	}
	var found []jose.JSONWebKey
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		isUsable := json.Unmarshal(text, &key) == nil && key.Valid() && key.IsPublic() && (key.Use == "" || key.Use == "sig")
		if isUsable && len(found) < maxKeys {
			found = append(found, key)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("read the keys: none of them can verify signatures")
	}
	return slices.Clip(found), nil
}

// get reads a document.
func (k *keys) get(ctx context.Context, address string) (body []byte, status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, err
	}
	return k.client.read(request, maxBody)
}

// issuerClient makes requests to the issuer. It follows no redirect.
type issuerClient struct{ http.Client }

func newIssuerClient(client *http.Client) *issuerClient {
	c := &issuerClient{*client}
	c.Timeout = fetchTime
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// read makes a request for JSON, and returns the answer if it has at most limit bytes.
func (c *issuerClient) read(request *http.Request, limit int64) (body []byte, status int, err error) {
	request.Header.Set("Accept", "application/json")
	response, err := c.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = response.Body.Close() }() // no more of it is needed
	body, err = io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err == nil && int64(len(body)) > limit {
		err = fmt.Errorf("the answer is larger than %d bytes", limit)
	}
	return body, response.StatusCode, err
}

// findAddress returns the address of the issuer's keys, from its metadata (RFC 8414,
// OpenID Connect Discovery 1.0).
func (k *keys) findAddress(ctx context.Context) (string, error) {
	issuer, err := url.Parse(k.issuer)
	if err != nil {
		return "", fmt.Errorf("read the issuer's address: %w", err)
	}
	var failure error
	for _, place := range metadataPlaces(issuer) {
		body, status, err := k.get(ctx, place)
		switch {
		case err != nil:
			return "", fmt.Errorf("read the metadata of the issuer: %w", err)
		case status != http.StatusOK:
			failure = errors.Join(failure, fmt.Errorf("%s: status %d", place, status))
			continue
		}
		return k.addressIn(body)
	}
	return "", fmt.Errorf("read the metadata of the issuer: %w", failure)
}

// addressIn returns the address of the keys that metadata names.
func (k *keys) addressIn(body []byte) (string, error) {
	var metadata struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := json.Unmarshal(body, &metadata); err != nil {
		return "", errors.New("read the metadata of the issuer: the document is not a JSON object with metadata")
	}
	if !domain.SameIssuer(metadata.Issuer, k.issuer) {
		return "", fmt.Errorf("the metadata of the issuer names another issuer, %q, not %q", metadata.Issuer, k.issuer)
	}
	address, _, _ := strings.Cut(metadata.Keys, "?")
	if !domain.IsIssuer(address) {
		return "", fmt.Errorf("the metadata of the issuer names %q as the address of its keys: want an https URL, or http for this machine", metadata.Keys)
	}
	return metadata.Keys, nil
}

// metadataPlaces returns where the metadata of an issuer may be.
func metadataPlaces(issuer *url.URL) []string {
	const oauth, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	root, path := issuer.Scheme+"://"+issuer.Host, strings.TrimSuffix(issuer.EscapedPath(), "/")
	if path == "" {
		return []string{root + oauth, root + openID}
	}
	return []string{root + oauth + path, root + openID + path, root + path + openID}
}
