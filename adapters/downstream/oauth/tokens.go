package oauth

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// ServerError is an error response of an authorization server (RFC 6749 sections 4.1.2.1 and 5.2,
// RFC 7591 section 3.2.2).
type ServerError struct {
	// Code is such as "access_denied".
	Code string
	// Description is the server's own words, without control characters, "" for none.
	Description string
}

// Error returns the server's words, and the key that may help.
func (e *ServerError) Error() string {
	text := e.Code
	if e.Description != "" {
		text += ": " + e.Description
	}
	if help, ok := keysThatHelp[e.Code]; ok {
		return text + help
	}
	return text + keysThatHelp[e.Description] // Amazon Cognito says "invalid_request" and describes it as "invalid_scope"
}

// keysThatHelp name the key of the configuration that changes what an authorization server refused,
// by the code of its error.
var keysThatHelp = map[string]string{
	"invalid_scope":        ` ("oauth.scopes" in the configuration sets what is asked for)`,
	"invalid_target":       ` ("oauth.resource" in the configuration sets it, and false leaves it out)`,
	"invalid_redirect_uri": ` ("oauth.redirectUri" in the configuration sets it, such as "http://localhost:8765/callback")`,
}

// Quote implements mcpclient.QuotingError.
func (e *ServerError) Quote() (quote, without string) { return e.Error(), "an error" }

// maxDescription is the number of bytes of a server's own words that are shown.
const maxDescription = 300

// serverError returns an error of an authorization server. Secrets are removed before its words
// are cut, since a part of one would not be recognized.
func (c *Client) serverError(code, description string) *ServerError {
	return &ServerError{Code: shown(c.Redact(code)), Description: shown(c.Redact(description))}
}

// shown returns a server's words as one short line.
func shown(text string) string {
	return domain.CutBytes(strings.Join(strings.Fields(domain.ShownText(text)), " "), maxDescription)
}

// failure returns the error in an answer that has nothing else.
func (c *Client) failure(a answer) error {
	var refusal struct {
		Code        json.RawMessage `json:"error"`
		Description string          `json:"error_description"`
	}
	// An answer that is not an object has no code.
	_ = json.Unmarshal(a.body, &refusal)
	var code string
	if json.Unmarshal(refusal.Code, &code) == nil && code != "" {
		return c.serverError(code, refusal.Description)
	}
	if a.isObject() {
		return errors.New("its answer has nothing of what was asked for")
	}
	return errors.New("it answered with " + a.words())
}

// tokens reads the answer of a token endpoint. It may have any status 2xx, and so may an error.
func (c *Client) tokens(a answer) (logins.Tokens, error) {
	var got struct {
		AccessToken  string          `json:"access_token"`
		RefreshToken string          `json:"refresh_token"`
		Type         string          `json:"token_type"`
		ExpiresIn    json.RawMessage `json:"expires_in"`
		Scope        *string         `json:"scope"`
	}
	a.body = formAsObject(a)
	if !a.isObject() {
		return logins.Tokens{}, c.failure(a)
	}
	if err := json.Unmarshal(a.body, &got); err != nil || got.AccessToken == "" {
		return logins.Tokens{}, c.failure(a)
	}
	c.hide(got.AccessToken)
	c.hide(got.RefreshToken)
	tokens := logins.Tokens{AccessToken: got.AccessToken, RefreshToken: got.RefreshToken, Expiry: expiry(string(got.ExpiresIn))}
	if got.Scope != nil {
		tokens.Granted = scopesOf(*got.Scope)
	}
	return tokens, checkTokens(tokens, got.Type)
}

// formAsObject returns the body of an answer, and that of a form, in which some servers answer although they were asked
// for JSON, as an object.
func formAsObject(a answer) []byte {
	form, err := url.ParseQuery(string(a.body))
	if err != nil || a.kind != "application/x-www-form-urlencoded" && a.kind != "text/plain" || !form.Has("access_token") && !form.Has("error") {
		return a.body
	}
	object := rawjson.Object{}
	for name := range form {
		object = object.Text(name, form.Get(name))
	}
	return object.JSON()
}

// checkTokens refuses tokens that cannot be sent in a header of type Bearer.
func checkTokens(tokens logins.Tokens, kind string) error {
	switch {
	case kind != "" && !strings.EqualFold(kind, "bearer"):
		return fmt.Errorf("it gave a token of an unknown type (%s)", shown(kind))
	case !isSendable(tokens.AccessToken) || !isSendable(tokens.RefreshToken):
		return errors.New("it gave a token that cannot be sent in a header")
	case max(len(tokens.AccessToken), len(tokens.RefreshToken)) > maxSecret:
		return fmt.Errorf("it gave a token of more than %d bytes", maxSecret)
	}
	return nil
}

// expiry reads "expires_in". If it is missing or not a positive number, the expiry is not known.
func expiry(raw string) time.Time {
	seconds, err := strconv.ParseFloat(strings.Trim(raw, `"`), 64)
	if err != nil || !(seconds > 0) {
		return time.Time{}
	}
	return time.Now().UTC().Add(time.Duration(min(seconds, math.MaxInt32)) * time.Second)
}
