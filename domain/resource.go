package domain

import (
	"encoding/json"
	"strings"
)

// ResourceKind is the kind of entries in a list of resources.
type ResourceKind int

// The kinds.
const (
	Resources ResourceKind = iota
	ResourceTemplates
	// Skills are entries of skills, with the URI of their first file.
	Skills
)

// Resource is a resource or a template as its server lists it.
type Resource struct {
	Server ServerID
	// URI is the URI of the resource, or the URI template, "" for none.
	URI string
	// Definition is the whole JSON object, in the server's bytes.
	Definition json.RawMessage
}

// ResourceContains reports whether a resource is another one, or contains it: a subscription to a resource includes its
// sub-resources (2025-11-25, server/resources). Both are URIs.
func ResourceContains(resource, other string) bool {
	return other == resource || strings.HasPrefix(other, strings.TrimSuffix(resource, "/")+"/")
}

// MayExpandTo reports whether the URI can be an expansion of a URI template (RFC 6570): whether it
// contains the texts between the expressions, in order. An expression matches any text.
func MayExpandTo(template, uri string) bool {
	literal, rest, hasExpression := strings.Cut(template, "{")
	if !hasExpression {
		return template == uri
	}
	uri, found := strings.CutPrefix(uri, literal)
	for found {
		_, after, isClosed := strings.Cut(rest, "}")
		if !isClosed {
			return false
		}
		literal, rest, hasExpression = strings.Cut(after, "{")
		if !hasExpression {
			return strings.HasSuffix(uri, literal)
		}
		_, uri, found = strings.Cut(uri, literal)
	}
	return false
}
