// Package masking knows what looks like a secret, by its name, its form or its place in a text, and how a text with secrets is
// shown. It knows no key of a configuration: their traits are in adapters/config/keys.
package masking
