//go:build !windows

package stdio

func systemVariables() variables { return unixVariables() }
