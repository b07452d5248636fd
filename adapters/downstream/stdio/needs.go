package stdio

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// A need is a set of variables that some programs need to reach their network, engine, agent or cluster.
type need struct {
	variables []string
	// programs are those that get the variables, as launcher.Line names them; nil for every program.
	programs []string
	// failure matches what programs write that lack one of the variables.
	failure *regexp.Regexp
}

// needs have no variable whose value is a secret. The address of a proxy may contain one: see hasLogin.
var needs = []need{
	{
		variables: []string{
			"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
			"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
		},
		failure: regexp.MustCompile(`(?i)proxy|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|certificate|failed to fetch|dns error|could not resolve`),
	},
	{
		variables: []string{
			"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS", "DOCKER_TLS_VERIFY", "DOCKER_API_VERSION",
			"DOCKER_DEFAULT_PLATFORM", "CONTAINER_HOST", "CONTAINER_CONNECTION", "CONTAINER_SSHKEY", "CONTAINERD_ADDRESS", "CONTAINERD_NAMESPACE",
		},
		programs: []string{"docker", "podman", "nerdctl"},
		failure:  regexp.MustCompile(`(?i)docker|podman|containerd`),
	},
	{
		variables: []string{"SSH_AUTH_SOCK"},
		programs:  []string{"ssh", "docker", "podman", "git"},
		failure:   regexp.MustCompile(`(?i)publickey|ssh`),
	},
	{
		variables: []string{"KUBECONFIG", "AWS_PROFILE", "AWS_CONFIG_FILE", "CLOUDSDK_CONFIG", "AZURE_CONFIG_DIR"},
		programs:  []string{"kubectl", "oc", "helm"},
		failure:   regexp.MustCompile(`(?i)kube|localhost:8080 was refused`),
	},
}

// hasLogin reports whether a variable is the address of a proxy with a login.
func hasLogin(name, value string) bool {
	return strings.HasSuffix(strings.ToUpper(name), "_PROXY") && strings.Contains(value, "@")
}

// neededVariables returns the names of the variables that a program gets because of its needs.
func neededVariables(program domain.Program) []string {
	line := launcher.Read(program.Command, program.Args)
	names := []string{line.Program}
	if line.Wrapped != nil {
		names = append(names, domain.ProgramName(line.Wrapped[0]))
	}
	var variables []string
	for _, n := range needs {
		if n.programs == nil || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(n.programs, name) }) {
			variables = append(variables, n.variables...)
		}
	}
	return variables
}

// maxMissing is the number of variables that a message names.
const maxMissing = 4

var (
	// words match possible names of variables in a message.
	words = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{3,}`)
	// references match what replaces values that a message must not show.
	references = regexp.MustCompile(`\$\{[^}]*\}`)
)

// missingVariables returns a clause that names the variables of the workbench that a failed server did not get and may
// need: its output names them, or has the message of a program without them. It returns "" if there are none.
func (v variables) missingVariables(own, given []string, output string) string {
	named := words.FindAllString(references.ReplaceAllString(output, " "), -1)
	var missing []string
	for _, entry := range own {
		name, value, ok := strings.Cut(entry, "=")
		isGiven := func(entry string) bool { given, _, _ := strings.Cut(entry, "="); return v.same(given, name) }
		switch {
		case !ok || value == "" || v.isNever(name, value) || slices.ContainsFunc(given, isGiven):
		case v.has(named, name) && name != strings.ToLower(name), // words in lower case are seldom names
			slices.ContainsFunc(needs, func(n need) bool { return v.has(n.variables, name) && n.failure.MatchString(output) }):
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	slices.Sort(missing)
	missing = missing[:min(len(missing), maxMissing)]
	are, them := "is", "it"
	if len(missing) > 1 {
		are, them = "are", "them"
	}
	return fmt.Sprintf(`%s %s set here, but the server gets %s only with "inheritEnv": ["%s"]`,
		strings.Join(missing, ", "), are, them, strings.Join(missing, `", "`))
}
