package callers

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	josejson "github.com/go-jose/go-jose/v4/json"
	"github.com/go-jose/go-jose/v4/jwt"

	"mcp-workbench/domain"
)

const (
	// maxToken is the maximum length of a token, in bytes.
	maxToken = 16 << 10
	// leeway is the maximum difference between clocks.
	leeway = 30 * time.Second
)

// algorithms are those of signatures with a key pair. Algorithms with a shared secret and "none"
// are left out.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// accessTokenKinds are the types in headers of access  RFC 9068 has at+jwt; many issuers
// write JWT or nothing.
var accessTokenKinds = []string{"", "jwt", "at+jwt", "application/at+jwt"}

// claims are the registered claims of a token, and others that are checked.
type claims struct {
	jwt.Claims
	// Scope is a string of scopes (RFC 9068); some issuers have "scp", a string or a list.
	Scope scopes `json:"scope"`
	SCP   scopes `json:"scp"`
	// Confirmation is the key that a token is bound to (RFC 7800).
	Confirmation any `json:"cnf"`
}

// scopes is a list, or a string in which spaces separate the scopes.
type scopes []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *scopes) UnmarshalJSON(text []byte) error {
	var list string
	if json.Unmarshal(text, &list) == nil {
		*s = strings.Fields(list)
		return nil
	}
	return json.Unmarshal(text, (*[]string)(s))
}

func refusal(reason string) error { return &RefusedError{Reason: reason} }

// Verify implements Verifier. The access ends when the token expires. Two tokens of the same
// subject have the same identity.
func (s *Resource) Verify(ctx context.Context, text, source string) (Access, error) {
	if len(text) > maxToken {
		return Access{}, refusal("the token is too long")
	}
	token, err := jwt.ParseSigned(text, algorithms)
	isJWT := err == nil && len(token.Headers) == 1
	switch {
	case !isJWT && s.introspector != nil:
		return s.introspector.verify(ctx, text, source)
	case !isJWT:
		return Access{}, refusal("the token is not known, and is not a JWT with an accepted signature")
	}
	if !isAccessToken(token.Headers[0]) {
		return Access{}, refusal("the token is not an access token")
	}
	var claimed claims
	if err := s.checkSignature(ctx, token, &claimed); err != nil {
		return Access{}, err
	}
	return s.checkClaims(&claimed)
}

// checkClaims returns the access that the claims of a genuine token give. Failures:
// *RefusedError.
func (s *Resource) checkClaims(claimed *claims) (Access, error) {
	issuer := s.settings.Issuer
	if domain.SameIssuer(claimed.Issuer, issuer) {
		issuer = claimed.Issuer
	}
	expected := jwt.Expected{Issuer: issuer, AnyAudience: jwt.Audience{s.settings.Resource}, Time: time.Now()}
	switch err := claimed.ValidateWithLeeway(expected, leeway); {
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return Access{}, refusal("the token is from another issuer")
	case errors.Is(err, jwt.ErrInvalidAudience):
		return Access{}, refusal("the token is not for this resource")
	case errors.Is(err, jwt.ErrExpired):
		return Access{}, refusal("the token has expired")
	case err != nil:
		return Access{}, refusal("the token is not valid yet")
	case claimed.Expiry == nil:
		return Access{}, refusal("the token has no expiry")
	case claimed.Subject == "":
		return Access{}, refusal("the token has no subject")
	case claimed.Confirmation != nil:
		return Access{}, refusal("the token is bound to a key, so it is not a bearer token")
	}
	granted := slices.Concat(claimed.Scope, claimed.SCP)
	for _, scope := range s.settings.Scopes {
		if !slices.Contains(granted, scope) {
			return Access{}, &RefusedError{NeedsScope: true, Reason: "the token lacks a required scope"}
		}
	}
	// The subject is quoted, so that it is one piece wherever it is shown.
	identity := "subject " + strconv.QuoteToASCII(claimed.Subject) + " of " + s.settings.Issuer
	return Access{Identity: identity, Until: claimed.Expiry.Time().Add(leeway)}, nil
}

// isAccessToken reports whether the header of a token allows it to be an access token.
func isAccessToken(header jose.Header) bool {
	kind, given := header.ExtraHeaders[jose.HeaderType]
	text, isText := kind.(string)
	return !given || isText && slices.Contains(accessTokenKinds, strings.ToLower(text))
}

// checkSignature reads the claims of a token that the issuer signed.
func (s *Resource) checkSignature(ctx context.Context, token *jwt.JSONWebToken, claimed *claims) error {
	header := token.Headers[0]
	candidates, err := s.keys.find(ctx, header.KeyID, header.Algorithm)
	if err != nil {
		return err
	}
	for _, key := range candidates {
		var payload json.RawMessage
		if token.Claims(key.Key, &payload) != nil {
			continue
		}
		// The decoder of go-jose matches names exactly, and refuses an object with a repeated name.
		if josejson.Unmarshal(payload, claimed) != nil {
			return refusal("the claims of the token do not conform to RFC 9068")
		}
		return nil
	}
	return refusal("the signature of the token is not by a key of the issuer")
}
