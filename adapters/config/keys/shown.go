package keys

import (
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// Shown returns a text that is the value of the key, or an element of its list behind another one, for display, with its secrets
// masked. Traits and the look of the text decide, so that no name or value can hide what runs: a variable that decides which
// code runs is shown but for the secrets in its addresses.
func (k Key) Shown(text, before string) string {
	switch {
	case k.Is(Variables) && domain.CodeVariable(k.Name) != "":
		return masking.ShownWords(text)
	case k.Is(Secret | Hidden | Data):
		return masking.Masked(text)
	case k.Is(Code):
		return masking.ShownArgument(before, text)
	}
	return masking.ShownAddress(text)
}
