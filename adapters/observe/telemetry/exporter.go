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

// exporter sends data of one kind to a collector. It is used by one goroutine. The address and the headers may contain
// secrets.
type exporter struct {
	kind      string // "spans" or "metrics"
	address   string
	headers   []attribute
	client    *http.Client
	hasFailed bool // whether the last export failed, which was logged
}

// newTransport returns a transport for the network. The arguments are the paths of the certificates of authorities,
// "" for the system's, and of the workbench's certificate and its key.
//
// Failures: certificates that cannot be read.
func newTransport(authorities, certificate, key string) (http.RoundTripper, error) {
	roots, err := certificates.Roots()
	configured := &tls.Config{RootCAs: roots}
	if err == nil && authorities != "" {
		var text []byte
		configured.RootCAs = x509.NewCertPool()
		if text, err = safefile.ReadFile(authorities); err == nil && !configured.RootCAs.AppendCertsFromPEM(text) {
			err = fmt.Errorf("read the certificates in %s: the file has none", authorities)
		}
	}
	if err == nil && certificate != "" {
		own := certificates.Client{File: certificate, KeyFile: key}
		_, err = own.Load()
		own.Show(configured)
	}
	return &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: configured, ForceAttemptHTTP2: true, MaxIdleConns: 1, IdleConnTimeout: 2 * time.Minute}, err
}

// export sends a request, and sends it again while the failure may be temporary. The context bounds all attempts. A
// failure is logged unless the previous export failed too.
func (e *exporter) export(ctx context.Context, request object, log *slog.Logger) {
	body, _ := json.Marshal(request) // all of its types can be encoded
	wait, err := e.send(ctx, body)
	for attempt := 1; err != nil && wait >= 0 && attempt < maxAttempts && ctx.Err() == nil; attempt++ {
		select {
		case <-time.After(min(max(wait, time.Second<<(attempt-1)), maxPause)):
			wait, err = e.send(ctx, body)
		case <-ctx.Done():
		}
	}
	if err != nil && !e.hasFailed {
		log.Warn("could not export "+e.kind, "error", err)
	}
	e.hasFailed = err != nil
}

// send makes one attempt. If it fails, it returns how long the collector asks to wait before the next attempt, a
// negative value if there must be none.
func (e *exporter) send(ctx context.Context, body []byte) (wait time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
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
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer)) // so that the connection can be used again
	_ = answer.Body.Close()                                            // it was only read
	if answer.StatusCode >= 200 && answer.StatusCode <= 299 {
		return 0, nil
	}
	err = fmt.Errorf("the collector answered with %d", answer.StatusCode)
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 also for a date
		return time.Duration(min(max(0, seconds), int(maxPause.Seconds()))) * time.Second, err
	}
	return -1, err
}
