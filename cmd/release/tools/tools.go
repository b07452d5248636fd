// Package tools imports the dependency of release that is not a tool: the certificates in the image.
package tools

import _ "golang.org/x/crypto/x509roots/fallback/bundle" // the certificates of Mozilla
