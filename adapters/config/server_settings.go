package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

const (
	// oauthKey is the setting about logins.
	oauthKey = "oauth"
	// tlsKey is the setting whose members are paths, relative to the folder of the file.
	tlsKey = "tls"
)

// writeSettings writes the settings of a server's transport, as configured and
// expanded, and collects the secrets and the first unset variable. A server without
// inheritEnv gets that of the root.
func (r *reader) writeSettings(server *domain.Server, members object, legal keys) {
	w := settingsWriter{reader: r, server: server, keys: legal, consequence: "this server cannot be started"}
	if _, inherits := legal.get(inheritEnvKey); inherits && r.root.inheritEnv != nil && !members.has(inheritEnvKey) {
		w.inherited = `"` + inheritEnvKey + `":` + string(r.root.inheritEnv)
	}
	w.settings(members)
}

// settings writes the settings and those that the server inherits.
func (w *settingsWriter) settings(members object) {
	w.punctuation("{")
	for i, m := range members {
		w.key, _ = w.keys.get(m.name)
		w.member(i, m)
	}
	if w.inherited != "" && len(members) > 0 {
		w.punctuation(",")
	}
	w.punctuation(w.inherited + "}")
	w.server.Configured, w.server.Settings = w.configured, w.expanded
	w.server.Secrets = withoutDuplicates(append(w.fromVariables, w.fromData...))
}

// settingsWriter writes values of the file as standard JSON: as configured, and
// expanded.
type settingsWriter struct {
	*reader
	server *domain.Server
	// inherited is a member that the root adds, "" for none. consequence says what a variable without a value leads to.
	inherited, consequence string
	configured, expanded   []byte
	// keys are those of the settings.
	keys keys
	// key is that of the setting being written.
	key                     key
	fromVariables, fromData domain.Secrets
}

func (w *settingsWriter) punctuation(text string) {
	w.configured = append(w.configured, text...)
	w.expanded = append(w.expanded, text...)
}

func (w *settingsWriter) member(i int, m member) {
	if i > 0 {
		w.punctuation(",")
	}
	w.punctuation(string(m.literal) + ":")
	w.value(m.node)
}

func (w *settingsWriter) value(n node) {
	switch value := n.value.Value.(type) {
	case *hujson.Object:
		rule := settingKeys
		if w.key.has("data") {
			rule = dataKeys
		}
		members, _ := w.object(n, rule, "")
		w.punctuation("{")
		for i, m := range members {
			w.member(i, m)
		}
		w.punctuation("}")
	case *hujson.Array:
		w.punctuation("[")
		for i := range value.Elements {
			if i > 0 {
				w.punctuation(",")
			}
			w.value(node{value: &value.Elements[i], path: n.path.element(i)})
		}
		w.punctuation("]")
	case hujson.Literal:
		w.configured = append(w.configured, value...)
		w.expanded = append(w.expanded, w.expandLiteral(n, value)...)
	}
}

// expandLiteral returns the literal with its variables expanded.
func (w *settingsWriter) expandLiteral(n node, literal hujson.Literal) hujson.Literal {
	text, ok := n.text()
	if !ok || !w.key.has("expanded") {
		return literal
	}
	result, unset, ok := w.reader.expanded(n, w.key.name, text)
	w.fromVariables = append(w.fromVariables, result.secrets...)
	w.environment.require(result.required)
	if unset != nil && w.server.Unset == nil { // the first one counts
		w.server.Unset = unset
		w.warnUnset(n, unset, w.consequence)
	}
	if !ok {
		return literal
	}
	w.server.SecretCommands = domain.WithCommands(w.server.SecretCommands, result.commands)
	member, _ := w.key.below()(n.path.key)
	if w.key.name == oauthKey && member.has("file") && !strings.Contains(result.text, "-----BEGIN") {
		if path, err := filepath.Abs(result.text); err != nil || w.isLedOut(n, path) {
			return literal
		}
	}
	if w.key.name == tlsKey && result.text != "" && result.text[0] != '~' {
		if !filepath.IsAbs(result.text) {
			result.text = filepath.Join(w.folder(), result.text)
		}
		if w.isLedOut(n, result.text) {
			return literal
		}
	}
	if w.key.has("data") || member.has("secret") || member.has("hidden") {
		w.fromData = append(w.fromData, domain.Secret{Value: result.text, Shown: "***"})
		w.fromData = append(w.fromData, domain.HeaderSecrets(n.path.key, result.text)...)
	}
	if w.key.name == "url" {
		w.fromData = append(w.fromData, domain.URLSecrets(result.text)...)
	}
	if result.text == text {
		return literal
	}
	return hujson.String(result.text)
}

// standardised returns a value of the file as standard JSON.
func standardised(n node) []byte {
	value := n.value.Clone()
	value.Minimize()
	return value.Pack()
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
