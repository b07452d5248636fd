package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

const (
	// maxAnswer is the largest answer in bytes, and maxCursor the longest cursor.
	maxAnswer = 8 << 20
	maxCursor = 4 << 10
	// maxEntry is the largest entry of a list in bytes, and maxCommas the most commas in one: others are left out. An
	// empty package takes two bytes and a comma in an answer, and a hundred times that in memory.
	maxEntry  = 64 << 10
	maxCommas = 4096
	// maxQuoted is the most that an error quotes of an answer, in characters.
	maxQuoted = 60
)

// Error says why a registry gave no answer that can be used.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }

// NotFoundError says that a registry does not have a server, or not a version of it.
type NotFoundError struct {
	Name, Version string
	// Versions are those that exist, at most ten.
	Versions []string
}

func (e *NotFoundError) Error() string {
	if len(e.Versions) == 0 {
		return fmt.Sprintf("the registry has no server %q; 'mcp-workbench search' finds names", e.Name)
	}
	return fmt.Sprintf("the registry has no version %q of %s; it has %s", e.Version, e.Name, strings.Join(e.Versions, ", "))
}

// Client asks one registry. Safe for concurrent use.
type Client struct {
	endpoint *web.Endpoint
	base     *url.URL
	limit    time.Duration
}

// New returns a client for a registry with the settings of a server behind a URL, whose variables are expanded. Agent is
// the User-Agent of each request, and limit the time for an answer.
func New(settings domain.Server, agent string, limit time.Duration) (*Client, error) {
	if settings.Unset != nil {
		return nil, fmt.Errorf("the registry cannot be asked: %s", settings.Unset.Problem())
	}
	endpoint, err := web.NewEndpoint(settings, agent, nil, func() {})
	if err != nil {
		return nil, fmt.Errorf("the registry cannot be asked: %w", err)
	}
	var configured struct {
		URL string `json:"url"`
	}
	_ = json.Unmarshal(settings.Settings, &configured) // NewEndpoint read it
	base, err := url.Parse(strings.TrimSpace(configured.URL))
	if err != nil {
		return nil, errors.New("the registry cannot be asked: its address is not a URL")
	}
	base.RawQuery, base.Fragment = "", ""
	// Decision: an address that ends with the version of the API is the same as one without it.
	base.Path = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), "/v0.1")
	base.RawPath = ""
	return &Client{endpoint: endpoint, base: base, limit: limit}, nil
}

// Origin returns scheme, host and port of the registry.
func (c *Client) Origin() string { return c.endpoint.Origin() }

// Close closes idle connections.
func (c *Client) Close() { c.endpoint.Close() }

// Version returns a version of a server, the newest for "".
//
// Failures: *NotFoundError; *Error.
func (c *Client) Version(ctx context.Context, name, version string) (Server, error) {
	wanted := version
	if wanted == "" {
		wanted = "latest"
	}
	var answer Response
	err := c.get(ctx, "/servers/"+url.PathEscape(name)+"/versions/"+url.PathEscape(wanted), nil, &answer)
	if errors.Is(err, errNotFound) {
		return Server{}, c.notFound(ctx, name, version)
	}
	if err != nil {
		return Server{}, err
	}
	server := answer.Server
	server.Status = answer.Meta.Official
	switch {
	case server.Name != name:
		err = fmt.Errorf("answered with the server %s in place of %s", shortened(server.Name), name)
	case version != "" && server.Version != version:
		err = fmt.Errorf("answered with the version %s of %s in place of %s", shortened(server.Version), name, version)
	default:
		err = server.Check()
	}
	if err != nil {
		return Server{}, c.wrong("%w", err)
	}
	return server, nil
}

// notFound returns the failure to find a server or a version, with the versions that exist.
func (c *Client) notFound(ctx context.Context, name, version string) error {
	none := &NotFoundError{Name: name, Version: version}
	if version == "" {
		return none
	}
	const most = 10
	servers, _, err := c.page(ctx, "/servers/"+url.PathEscape(name)+"/versions", nil)
	if err != nil && !errors.Is(err, errNotFound) {
		return err
	}
	for _, server := range servers {
		if server.Name == name && len(none.Versions) < most {
			none.Versions = append(none.Versions, server.Version)
		}
	}
	return none
}

// page returns the servers of one page of a list, of its first pageSize entries, without those that cannot be read, and
// the cursor of the next page.
func (c *Client) page(ctx context.Context, path string, query url.Values) (servers []Server, next string, err error) {
	var answer struct {
		Servers  []json.RawMessage `json:"servers"`
		Metadata struct {
			NextCursor string `json:"nextCursor"`
		} `json:"metadata"`
	}
	if err := c.get(ctx, path, query, &answer); err != nil {
		return nil, "", err
	}
	if answer.Servers == nil {
		return nil, "", c.wrong(`answered with JSON that has no list "servers"`)
	}
	for _, text := range answer.Servers[:min(len(answer.Servers), pageSize)] {
		var entry Response
		if len(text) > maxEntry || bytes.Count(text, []byte(",")) > maxCommas || json.Unmarshal(text, &entry) != nil || entry.Server.Check() != nil {
			continue
		}
		entry.Server.Status = entry.Meta.Official
		servers = append(servers, entry.Server)
	}
	if next = answer.Metadata.NextCursor; len(next) > maxCursor {
		next = ""
	}
	return servers, next, nil
}

var errNotFound = errors.New("not found")

// get reads the answer to a request. It fails with errNotFound, as an *Error, if the registry does not know the path.
func (c *Client) get(ctx context.Context, path string, query url.Values, into any) error {
	slow := fmt.Errorf("did not answer within %s (limits.registry)", c.limit)
	ctx, cancel := context.WithTimeoutCause(ctx, c.limit, slow)
	defer cancel()
	address := strings.TrimSuffix(c.base.String(), "/") + "/v0.1" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	endpoint, err := c.endpoint.Resolve(address)
	if err != nil {
		return &Error{err}
	}
	header := endpoint.Header()
	header.Set("Accept", "application/json")
	response, err := endpoint.Do(ctx, http.MethodGet, header, nil)
	if err == nil {
		defer func() { _ = response.Body.Close() }()
		err = c.read(endpoint, response, into)
	}
	if err != nil && ctx.Err() != nil {
		err = c.wrong("%w", context.Cause(ctx))
	}
	if _, isOwn := errors.AsType[*Error](err); err != nil && !isOwn {
		err = &Error{fmt.Errorf("ask the registry: %w", err)}
	}
	return err
}

// read reads a response.
func (c *Client) read(endpoint *web.Endpoint, response *http.Response, into any) error {
	status := strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode)))
	switch code := response.StatusCode; {
	case code == http.StatusNotFound:
		return &Error{errNotFound}
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return c.wrong(`wants a login (%s): write "headers" into "registry" ('mcp-workbench help configuration')`, status)
	case code != http.StatusOK:
		quote, _ := endpoint.Refused(response).Quote()
		return c.wrong("failed (%s)%s", status, quote)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return err
	case len(body) > maxAnswer:
		return c.wrong("answered with more than 8 MiB")
	case web.MediaType(response) == "text/html":
		return c.wrong("answered with a web page instead of JSON; is its address right?")
	case !json.Valid(body):
		return c.wrong("answered with something other than JSON: %s", shortened(string(body)))
	}
	err = json.Unmarshal(body, into)
	if ambiguous, ok := errors.AsType[*rawjson.AmbiguousError](err); ok {
		return c.wrong("answered with an entry that can be read in two ways: %w", ambiguous)
	}
	if err != nil {
		return c.wrong("answered with JSON of another form: %s", shortened(string(body)))
	}
	return nil
}

// wrong returns a failure of the registry.
func (c *Client) wrong(format string, args ...any) error {
	return &Error{fmt.Errorf("the registry at "+c.Origin()+" "+format, args...)}
}

// shortened returns the beginning of a text of a registry on one line.
func shortened(text string) string {
	return domain.CutCharacters(domain.ReviewLine(domain.OneLine(text)), maxQuoted)
}
