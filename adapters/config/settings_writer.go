package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// settingsWriter writes values of the file as standard JSON: as configured, and
// expanded.
type settingsWriter struct {
	*reader
	server *domain.Server
	// inherited is a member that the root adds, "" for none. consequence says what a variable without a value leads to.
	inherited, consequence string
	configured, expanded   []byte
	// keys are those of the settings.
	keys keys.Set
	// key is that of the setting being written.
	key                     keys.Key
	fromVariables, fromData domain.Secrets
}

// settings writes the settings and those that the server inherits.
func (w *settingsWriter) settings(members tree.Object) {
	w.punctuation("{")
	for i, m := range members {
		w.key, _ = w.keys.Get(m.Name)
		w.member(i, m, w.key)
	}
	if w.inherited != "" && len(members) > 0 {
		w.punctuation(",")
	}
	w.punctuation(w.inherited + "}")
	w.server.Configured, w.server.Settings = w.configured, w.expanded
	w.server.Secrets = withoutDuplicates(append(w.fromVariables, w.fromData...))
}

func (w *settingsWriter) punctuation(text string) {
	w.configured = append(w.configured, text...)
	w.expanded = append(w.expanded, text...)
}

func (w *settingsWriter) member(i int, m tree.Member, key keys.Key) {
	if i > 0 {
		w.punctuation(",")
	}
	w.punctuation(string(m.Literal) + ":")
	w.value(m.Node, key)
}

// value writes a value that a key describes.
func (w *settingsWriter) value(n tree.Node, key keys.Key) {
	switch value := n.Value.Value.(type) {
	case *hujson.Object:
		rule := tree.SettingKeys
		if key.Is(keys.Data) {
			rule = tree.DataKeys
		}
		members, _ := w.Object(n, rule, "")
		w.punctuation("{")
		for i, m := range members {
			w.member(i, m, key.Member(m.Name))
		}
		w.punctuation("}")
	case *hujson.Array:
		w.punctuation("[")
		for i := range value.Elements {
			if i > 0 {
				w.punctuation(",")
			}
			w.value(tree.Node{Value: &value.Elements[i], Path: n.Path.Element(i)}, key)
		}
		w.punctuation("]")
	case hujson.Literal:
		w.configured = append(w.configured, value...)
		w.expanded = append(w.expanded, w.expandLiteral(n, value, key)...)
	}
}

// missing warns of variables without a value, each once. The first one of the server is why it cannot be used.
func (w *settingsWriter) missing(n tree.Node, unset []domain.UnsetVariableError) {
	for _, variable := range unset {
		if slices.ContainsFunc(w.server.UnsetVariables(), func(u domain.UnsetVariableError) bool { return u.Variable == variable.Variable }) {
			continue
		}
		if w.server.Unset == nil {
			w.server.Unset = &variable
		} else {
			w.server.AlsoUnset = append(w.server.AlsoUnset, variable)
		}
		w.WarnUnset(n, &variable, w.consequence)
	}
}

// expandLiteral returns the literal that a key describes with its variables expanded.
func (w *settingsWriter) expandLiteral(n tree.Node, literal hujson.Literal, key keys.Key) hujson.Literal {
	text, ok := n.Text()
	if !ok || !key.Is(keys.Expanded) {
		return literal
	}
	result, unset, ok := w.reader.valueOf(n, key, w.key.Kind == keys.Object, text)
	w.fromVariables = append(w.fromVariables, result.secrets...)
	w.environment.require(result.required)
	w.missing(n, unset)
	if !ok {
		return literal
	}
	w.server.SecretCommands = domain.WithCommands(w.server.SecretCommands, result.commands)
	if key.Is(keys.File) {
		if result.text, ok = w.file(n, key, result.text); !ok {
			return literal
		}
	}
	isPublic := n.IsElsewhere() && key.Is(keys.Variables) // of a plugin, whose variables are no secrets
	if key.Is(keys.Data|keys.Secret|keys.Hidden) && !isPublic {
		w.fromData = append(w.fromData, domain.Secret{Value: result.text, Shown: "***"})
		w.fromData = append(w.fromData, domain.HeaderSecrets(n.Path.Key, result.text)...)
	}
	if key.Is(keys.Address) {
		w.fromData = append(w.fromData, domain.URLSecrets(result.text)...)
	}
	if result.text == text {
		return literal
	}
	return hujson.String(result.text)
}

// file returns the path of a file, from the folder of the configuration if the key is Relative, unless a link leads it out of
// that folder. The text of a file in PEM, and a path that the transport refuses, are returned as they are.
func (w *settingsWriter) file(n tree.Node, key keys.Key, text string) (path string, ok bool) {
	path = text
	switch {
	case key.Is(keys.Relative) && (text == "" || text[0] == '~'), !key.Is(keys.Relative) && strings.Contains(text, "-----BEGIN"):
		return text, true
	case key.Is(keys.Relative) && !filepath.IsAbs(text):
		text = filepath.Join(w.folder(), text)
		path = text
	case !key.Is(keys.Relative):
		absolute, err := filepath.Abs(text)
		if err != nil {
			return "", false
		}
		path = absolute
	}
	return text, !w.isLedOut(n, path)
}

// withoutDuplicates returns the secrets without repeated and empty values.
func withoutDuplicates(secrets domain.Secrets) domain.Secrets {
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(secrets, func(s domain.Secret) bool {
		isDuplicate := seen[s.Value]
		seen[s.Value] = true
		return isDuplicate
	})
}
