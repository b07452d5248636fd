package web

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
)

// DialWith lets the endpoint get its connections from a function.
func (e *Endpoint) DialWith(dial func() (net.Conn, error)) {
	e.client.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) { return dial() }
}

// ProxyBy lets the endpoint reach its server by a proxy.
func (e *Endpoint) ProxyBy(proxy string) {
	e.client.Transport.(*http.Transport).Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }
}

// Trust lets the endpoint trust a certificate, nil for none.
func (e *Endpoint) Trust(certificate *x509.Certificate) {
	if certificate == nil {
		return
	}
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	e.client.Transport.(*http.Transport).TLSClientConfig.RootCAs = pool
}
