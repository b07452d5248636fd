package callers_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
)

const (
	issuerURL   = "https://idp.test/realm"
	resourceURL = "https://mcp.test/mcp"
)

// Keys take long to make, so all specs share them.
var rsaKey, otherKey = sync.OnceValue(newRSAKey), sync.OnceValue(newRSAKey)

func newRSAKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}

func newECKey() *ecdsa.PrivateKey {
	GinkgoHelper()
	return spec.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
}

// fakeIssuer answers for the issuer, without a network.
type fakeIssuer struct {
	mu       sync.Mutex // guards the fields below
	keys     []any      // each becomes JSON
	metadata map[string]any
	places   []string // where metadata is
	down     bool
	asked    []string
}

func newFakeIssuer(keys ...any) *fakeIssuer {
	return &fakeIssuer{
		keys: keys, metadata: map[string]any{"issuer": issuerURL, "jwks_uri": "https://keys.test/jwks"},
		places: []string{"https://idp.test/.well-known/oauth-authorization-server/realm"},
	}
}

func (i *fakeIssuer) client() *http.Client { return &http.Client{Transport: i} }

// set changes the issuer under its lock.
func (i *fakeIssuer) set(change func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change()
}

// fetches returns how often the keys were asked for.
func (i *fakeIssuer) fetches() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	count := 0
	for _, address := range i.asked {
		if strings.HasSuffix(address, "/jwks") {
			count++
		}
	}
	return count
}

func (i *fakeIssuer) RoundTrip(request *http.Request) (*http.Response, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	address := request.URL.String()
	i.asked = append(i.asked, address)
	if request.Header.Get("Authorization") != "" {
		return nil, errors.New("a token left the workbench")
	}
	if i.down {
		return nil, errors.New("no route")
	}
	var document any
	for _, place := range i.places {
		if address == place {
			document = i.metadata
		}
	}
	if address == i.metadata["jwks_uri"] {
		document = map[string]any{"keys": i.keys}
	}
	if document == nil {
		return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: request}, nil
	}
	body, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(body))), Request: request}, nil
}

// public returns the public half of a key as a JWK.
func public(key any, id, algorithm string) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key, KeyID: id, Algorithm: algorithm, Use: "sig"}
}

// claims are those of a good token, with changes; nil takes one away.
func claims(changes map[string]any) map[string]any {
	claims := map[string]any{
		"iss": issuerURL, "aud": resourceURL, "sub": "alice", "scope": "openid mcp:use",
		"exp": time.Now().Add(time.Minute).Unix(), "iat": time.Now().Unix(),
	}
	for name, value := range changes {
		if value == nil {
			delete(claims, name)
		} else {
			claims[name] = value
		}
	}
	return claims
}

// signedToken returns a token.
func signedToken(key any, algorithm jose.SignatureAlgorithm, id string, claims any) string {
	GinkgoHelper()
	options := (&jose.SignerOptions{}).WithType("at+jwt")
	if id != "" {
		options = options.WithHeader(jose.HeaderKey("kid"), id)
	}
	return signedWith(key, algorithm, options, claims)
}

func signedWith(key any, algorithm jose.SignatureAlgorithm, options *jose.SignerOptions, claims any) string {
	GinkgoHelper()
	signer := spec.Must(jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options))
	return spec.Must(jwt.Signed(signer).Claims(claims).Serialize())
}
