package keys

import (
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// Shown returns a text that is the value of the key for display, with its secrets masked; words of a command line are shown by
// masking.Line. Traits and the look of the text decide, so that no name or value can hide what runs: a variable that decides which
// code runs is shown but for the secrets in its addresses. A key that is not known may have a secret, which its name tells.
func (k Key) Shown(text string) string {
	switch {
	case k.Is(Variables) && domain.CodeVariable(k.Name) != "":
		return masking.ShownWords(text)
	case k.Is(Secret | Hidden | Data), k.Type == nil && masking.IsSecretName(k.Name),
		k.Kind == Own && k.Is(Expanded) && masking.LooksSecret(k.Name, text): // an argument that the user fixed
		return masking.Masked(text)
	}
	return masking.ShownAddress(text)
}
