package telemetry

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/adapters/system/safefile"
)

const (
	// maxAttempts is the maximum number of times that a request is sent. The timeout applies to each attempt.
	maxAttempts = 4
	// maxPause is the longest pause between attempts, even if the collector asks for a longer one.
	maxPause = 30 * time.Second
	// maxAnswer is the number of bytes of an answer that are read.
	maxAnswer = 64 << 10
)

// exporter sends data of one kind to a collector. It is used by one goroutine.
type exporter struct {
	*Endpoint

	client    *http.Client
	log       *slog.Logger
	hasFailed bool // whether the last export failed, which was logged
}

// newExporter returns the exporter for an endpoint. The transport is nil for the network.
//
// Failures: certificates that cannot be read.
func newExporter(endpoint *Endpoint, transport http.RoundTripper, log *slog.Logger) (*exporter, error) {
	if transport == nil {
		configured, err := endpoint.tls()
		if err != nil {
			return nil, err
		}
		transport = &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: configured, ForceAttemptHTTP2: true, MaxIdleConns: 1, IdleConnTimeout: 2 * time.Minute,
		}
	}
	// The headers may have secrets, which are sent only to the configured address.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &exporter{Endpoint: endpoint, log: log, client: &http.Client{Transport: transport, CheckRedirect: stay}}, nil
}

func (e *Endpoint) tls() (*tls.Config, error) {
	roots, err := certificates.Roots()
	configured := &tls.Config{RootCAs: roots}
	if err == nil && e.authorities != "" {
		var text []byte
		configured.RootCAs = x509.NewCertPool()
		if text, err = safefile.ReadFile(e.authorities); err == nil && !configured.RootCAs.AppendCertsFromPEM(text) {
			err = fmt.Errorf("read the certificates in %s: the file has none", e.authorities)
		}
	}
	if err == nil && e.own.File != "" {
		_, err = e.own.Load()
		e.own.Show(configured)
	}
	return configured, err
}

// export sends a request, and sends it again while the failure may be temporary. The context bounds all attempts. A
// failure is logged unless the previous export failed too.
func (e *exporter) export(ctx context.Context, request object) {
	body, err := json.Marshal(request)
	for attempt, wait := 1, time.Duration(0); err == nil && wait >= 0; attempt++ {
		if wait, err = e.send(ctx, body); err == nil {
			e.hasFailed = false
			return
		}
		if attempt == maxAttempts || wait < 0 {
			break
		}
		select {
		case <-time.After(min(max(wait, time.Second<<(attempt-1)), maxPause)):
			err = nil
		case <-ctx.Done():
		}
	}
	if !e.hasFailed {
		e.log.Warn("could not export "+e.kind, "error", err)
	}
	e.hasFailed = true
}

// send makes one attempt. If it fails, it returns how long the collector asks to wait before the next attempt, a
// negative value if there must be none.
func (e *exporter) send(ctx context.Context, body []byte) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return -1, errors.New("the address cannot be used")
	}
	for _, header := range e.headers {
		request.Header.Set(header.key, header.value)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := e.client.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return 0, failed.Err // leaves out the address, which may have a secret
	} else if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()                         // it was only read
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer)) // so that the connection can be used again
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 also for a date
		wait = time.Duration(min(max(0, seconds), int(maxPause.Seconds()))) * time.Second
	default:
		if answer.StatusCode >= 200 && answer.StatusCode <= 299 {
			return 0, nil
		}
		wait = -1
	}
	return wait, fmt.Errorf("the collector answered with %d", answer.StatusCode)
}
