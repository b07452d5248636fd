// Package tools names what packaging needs beside its tools: the certificates in the image.
package tools

import _ "golang.org/x/crypto/x509roots/fallback/bundle" // the certificates of Mozilla
