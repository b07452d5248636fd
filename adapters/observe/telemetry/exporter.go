package telemetry

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/adapters/system/atomicfile"
)

const (
	// maxAttempts is the maximum number of times that a request is sent. The timeout applies to each attempt.
	maxAttempts = 4
	// maxPause is the longest pause between attempts, even if the collector asks for a longer one.
	maxPause = 30 * time.Second
	// maxAnswer is the number of bytes of an answer that are read.
	maxAnswer = 64 << 10
)

// exporter sends data of one kind to a collector.
type exporter struct {
	endpoint *Endpoint
	client   *http.Client
}

// newExporter returns the exporter for an endpoint. The transport is nil for the network.
//
// Failures: certificates that cannot be read.
func newExporter(endpoint *Endpoint, transport http.RoundTripper) (*exporter, error) {
	if transport == nil {
		configured, err := endpoint.tls()
		if err != nil {
			return nil, err
		}
		transport = &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: configured, ForceAttemptHTTP2: true, MaxIdleConns: 1, IdleConnTimeout: 2 * time.Minute,
		}
	}
	return &exporter{endpoint: endpoint, client: &http.Client{
		Transport: transport,
		// The headers may have secrets, which are sent only to the configured address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func (e *Endpoint) tls() (*tls.Config, error) {
	roots, err := certificates.Roots()
	if err != nil {
		return nil, err
	}
	configured := &tls.Config{RootCAs: roots}
	if e.authorities != "" {
		text, err := atomicfile.ReadFile(e.authorities)
		if err != nil {
			return nil, err
		}
		if configured.RootCAs = x509.NewCertPool(); !configured.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("read the certificates in %s: the file has none", e.authorities)
		}
	}
	if e.certificate != "" {
		certificate, err := certificates.Client{File: e.certificate, KeyFile: e.key}.Load()
		if err != nil {
			return nil, err
		}
		configured.Certificates = []tls.Certificate{*certificate}
	}
	return configured, nil
}

// export sends a request, and sends it again while the failure may be temporary. The context bounds all attempts.
func (e *exporter) export(ctx context.Context, request message) error {
	body := request.protobuf(nil)
	if e.endpoint.json {
		body = request.json(nil)
	}
	pause := time.Second
	for attempt := 1; ; attempt++ {
		wait, err := e.send(ctx, body)
		if err == nil || wait < 0 || attempt == maxAttempts {
			return err
		}
		select {
		case <-time.After(min(max(wait, pause), maxPause)):
		case <-ctx.Done():
			return err
		}
		pause *= 2
	}
}

// send makes one attempt. If it fails, it returns how long the collector asks to wait before the next attempt, a
// negative value if there must be none.
func (e *exporter) send(ctx context.Context, body []byte) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.endpoint.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.endpoint.url, bytes.NewReader(body))
	if err != nil {
		return -1, errors.New("the address cannot be used")
	}
	for name, value := range e.endpoint.headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	if e.endpoint.json {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := e.client.Do(request)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // leaves out the address, which may have a secret
		}
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()                         // it was only read
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer)) // so that the connection can be used again
	switch code := answer.StatusCode; code {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 also for a date
		return time.Duration(min(max(0, seconds), int(maxPause.Seconds()))) * time.Second, refusedError(code)
	default:
		if code < 200 || code > 299 {
			return -1, refusedError(code)
		}
	}
	return 0, nil
}

func refusedError(code int) error { return fmt.Errorf("the collector answered with %d", code) }

// close closes idle connections.
func (e *exporter) close() { e.client.CloseIdleConnections() }
