package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
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
	signer, err := newSigner(key)
	if err != nil {
		return "", err
	}
	if len(offered) > 0 && !slices.Contains(offered, signer.algorithm) {
		return "", fmt.Errorf("the key signs with %s, and the server accepts only %s", signer.algorithm, shown(strings.Join(offered, ", ")))
	}
	now := time.Now()
	header, err := json.Marshal(map[string]string{"alg": signer.algorithm, "typ": "JWT"})
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{
		"iss": clientID, "sub": clientID, "aud": issuer, "jti": rand.Text(),
		"iat": now.Unix(), "exp": now.Add(assertionTime).Unix(),
	})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode(header) + "." + encode(claims)
	signature, err := signer.sign([]byte(signed))
	if err != nil {
		return "", errors.New("the key cannot sign")
	}
	return signed + "." + encode(signature), nil
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

// signer signs with one key (RFC 7518 section 3.1, RFC 8037).
type signer struct {
	algorithm string
	sign      func(text []byte) ([]byte, error)
}

func newSigner(key crypto.PrivateKey) (signer, error) {
	switch key := key.(type) {
	case *rsa.PrivateKey:
		return signer{"RS256", func(text []byte) ([]byte, error) {
			digest := sha256.Sum256(text)
			return rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])
		}}, nil
	case ed25519.PrivateKey:
		return signer{"EdDSA", func(text []byte) ([]byte, error) { return ed25519.Sign(key, text), nil }}, nil
	case *ecdsa.PrivateKey:
		switch key.Curve {
		case elliptic.P256():
			return signer{"ES256", func(text []byte) ([]byte, error) { digest := sha256.Sum256(text); return signECDSA(key, digest[:]) }}, nil
		case elliptic.P384():
			return signer{"ES384", func(text []byte) ([]byte, error) { digest := sha512.Sum384(text); return signECDSA(key, digest[:]) }}, nil
		}
	}
	return signer{}, errors.New(`"oauth.privateKey" is not of a known kind (RSA, P-256, P-384, Ed25519)`)
}

// signECDSA returns the two numbers of a signature, each padded to the size of the curve (RFC 7518
// section 3.4).
func signECDSA(key *ecdsa.PrivateKey, digest []byte) ([]byte, error) {
	r, s, err := ecdsa.Sign(rand.Reader, key, digest)
	if err != nil {
		return nil, err
	}
	size := (key.Curve.Params().BitSize + 7) / 8
	signature := make([]byte, 2*size)
	r.FillBytes(signature[:size])
	s.FillBytes(signature[size:])
	return signature, nil
}
