package setup

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// PlainSecret is a value in a configuration that looks like a secret. No other value uses its Variable.
type PlainSecret struct {
	Server domain.ServerID
	Secret
}

// PlainSecrets returns the secrets of servers that can be replaced by references to variables, in the order
// of the file, and the servers with secrets in their arguments or addresses, which only the user can
// replace. Lookup returns variables of the environment.
func (c Configuration) PlainSecrets(lookup func(string) (string, bool)) (secrets []PlainSecret, inline []domain.ServerID) {
	values := map[string]string{}
	isOther := func(variable, value string) bool {
		known, isTaken := values[variable]
		if !isTaken {
			known, isTaken = lookup(variable)
		}
		return isTaken && known != value || slices.Contains(c.Elsewhere, variable)
	}
	for _, configured := range c.Servers {
		server := Server{Name: string(configured.ID.Server), Settings: configured.Settings}
		for _, secret := range c.Keys.SecretsOf(server) {
			secret.Variable = freeVariable(server.Name, secret, isOther)
			values[secret.Variable] = secret.Value
			secrets = append(secrets, PlainSecret{Server: configured.ID, Secret: secret})
		}
		if c.Keys.HasInlineSecrets(configured.Settings) {
			inline = append(inline, configured.ID)
		}
	}
	return secrets, inline
}

// freeVariable returns the name of a variable for a secret of a server that is not used for another value.
func freeVariable(server string, secret Secret, isOther func(variable, value string) bool) string {
	name := secret.Variable
	if own := masking.VariableName(server); isOther(name, secret.Value) && !strings.HasPrefix(name, own+"_") {
		name = own + "_" + name
	}
	free := name
	for i := 2; isOther(free, secret.Value); i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	return free
}
