package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// probeTime is the longest time a server may take to show that it speaks 2026-07-28. An older server may not
// answer at all, and a slow server of 2026-07-28 is recognized later, when it refuses initialize.
const probeTime = 3 * time.Second

// probe asks a server whether it speaks 2026-07-28. Older servers may answer with anything, so only a
// clear yes counts: then ok is true. Otherwise the caller tries initialize, whose failure is the one to report.
// Probe fails only if the server requires authentication, since initialize would get no further.
func probe(ctx context.Context, link Link, client clientInfo) (agreed handshake, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	result, err := askDiscover(ctx, link, client)
	if namesModern(err) {
		result, err = askDiscover(ctx, link, client)
	}
	if isAboutLogin(err) {
		return handshake{}, false, err
	}
	if err != nil || !hasModern(result.Supported) {
		return handshake{}, false, nil
	}
	link.Agree(mcp.LATEST_PROTOCOL_VERSION)
	return result.handshake(mcp.LATEST_PROTOCOL_VERSION), true, nil
}

// isAboutLogin reports whether a server wants to know who asks, whatever the version.
func isAboutLogin(refusal error) bool {
	_, isDenied := errors.AsType[*DeniedError](refusal)
	return isDenied || errors.Is(refusal, domain.ErrLoginRequired)
}

// namesModern reports whether a server refused the version and yet named 2026-07-28 among those that it
// supports. Such a server is asked again.
func namesModern(refusal error) bool {
	failure, ok := errors.AsType[*RequestError](refusal)
	if !ok || failure.Code != mcp.UNSUPPORTED_PROTOCOL_VERSION {
		return false
	}
	return hasModern(rawjson.Member(failure.Data, "supported"))
}

// hasModern reports whether a raw list of versions contains 2026-07-28.
func hasModern(versions json.RawMessage) bool {
	var names []string
	return json.Unmarshal(versions, &names) == nil && slices.Contains(names, mcp.LATEST_PROTOCOL_VERSION)
}
