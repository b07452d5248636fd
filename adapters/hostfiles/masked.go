package hostfiles

import (
	"bytes"
	"slices"

	"mcp-workbench/domain/serverconfig"
	"mcp-workbench/domain/textedit"
)

// Masked returns the text of a host's file for showing it: without the values of
// variables and headers, without what looks like a secret in arguments and addresses,
// and without any value that is not about servers. What a reader has to know of a value stays:
// which variables it takes, and what a variable says that decides about code
// (domain.CodeVariable). It is nil for a text that cannot be parsed, and empty for an empty
// one.
func Masked(file File, text []byte) []byte {
	switch {
	case len(text) == 0:
		return text
	case file.isTOML():
		return maskedTOML(file, text)
	}
	if _, err := Parse(file, text); err != nil {
		return nil
	}
	return serverconfig.MaskedComments(textedit.MaskJSON(text, func(value textedit.Value) string {
		depth := len(file.member) + 1
		if len(value.Path) <= depth || !slices.Equal(value.Path[:depth-1], file.member) {
			return serverconfig.Mask
		}
		return serverconfig.ShownValue(value.Path[depth:], value.Text, value.Before)
	}))
}

// maskedTOML is Masked for TOML. Arrays and tables on one line are one value there.
func maskedTOML(file File, text []byte) []byte {
	names := slices.Clone(serverconfig.ValueKeys)
	for depth := range file.member {
		members, err := file.read(text, file.member[:depth])
		if err != nil {
			return nil
		}
		for _, member := range members {
			if member.Name != file.member[depth] && !slices.Contains(file.form.keys(), member.Name) {
				names = append(names, member.Name)
			}
		}
	}
	servers, err := Parse(file, text)
	if err != nil {
		return nil
	}
	text = textedit.MaskTOML(text, slices.Compact(names), serverconfig.Mask)
	for _, server := range servers {
		for _, secret := range server.Settings.InlineSecrets() {
			text = bytes.ReplaceAll(text, []byte(secret), []byte(serverconfig.Mask))
		}
	}
	return serverconfig.MaskedComments(text)
}
