//go:build !windows

package stdio

const separators = "/"
