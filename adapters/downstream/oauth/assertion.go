package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	// assertionTime is the time for which an assertion is valid.
	assertionTime = time.Minute
	// maxKey is the maximum size of the file with a key, in bytes.
	maxKey = 64 << 10
)

// signAssertion returns an assertion that authenticates a client (RFC 7523 section 3). The key is
// PEM text or the name of a PEM file. The audience is the issuer (MCP extension for client
// credentials).
func signAssertion(privateKey, clientID, issuer string, offered []string) (string, error) {
	key, err := readKey(privateKey)
	if err != nil {
		return "", err
	}
	algorithm := algorithmOf(key)
	switch {
	case algorithm == "":
		return "", errors.New(`"oauth.privateKey" is not of a known kind (RSA, P-256, P-384, Ed25519)`)
	case len(offered) > 0 && !slices.Contains(offered, string(algorithm)):
		return "", fmt.Errorf("the key signs with %s, and the server accepts only %s", algorithm, shown(strings.Join(offered, ", ")))
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", errors.New("the key cannot sign")
	}
	now := time.Now()
	assertion, err := jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: clientID, Subject: clientID, Audience: jwt.Audience{issuer}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(assertionTime)),
	}).Serialize()
	if err != nil {
		return "", errors.New("the key cannot sign")
	}
	return assertion, nil
}

// readKey reads a private key. The errors do not show any part of it.
func readKey(text string) (crypto.PrivateKey, error) {
	if !strings.Contains(text, "-----BEGIN") {
		var err error
		if text, err = readSmallFile(text, maxKey); err != nil {
			return nil, fmt.Errorf(`read the key that "oauth.privateKey" names: %w`, err)
		}
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New(`"oauth.privateKey" is not a key in PEM`)
	}
	if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	return nil, errors.New(`"oauth.privateKey" is not a private key in a known format (PKCS 8, PKCS 1, SEC 1)`)
}

// algorithmOf returns the algorithm with which a key signs (RFC 7518 section 3.1, RFC 8037), "" for a kind of key
// that is not known.
func algorithmOf(key crypto.PrivateKey) jose.SignatureAlgorithm {
	switch key := key.(type) {
	case *rsa.PrivateKey:
		return jose.RS256
	case ed25519.PrivateKey:
		return jose.EdDSA
	case *ecdsa.PrivateKey:
		switch key.Curve {
		case elliptic.P256():
			return jose.ES256
		case elliptic.P384():
			return jose.ES384
		}
	}
	return ""
}
