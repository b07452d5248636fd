package doctor

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// checkNetwork finds variables for proxies and certificates that cannot be used. It does not
// show their values: the address of a proxy may contain a password.
func checkNetwork(context.Context, *Doctor) []Finding {
	return examineNetwork(os.Getenv)
}

func examineNetwork(lookup func(name string) string) []Finding {
	var findings []Finding
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"} {
		path := lookup(name)
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			findings = append(findings, Finding{
				codeNetwork, name, fmt.Sprintf("certificates cannot be read: %v", err), "correct the variable, or unset it",
			})
		}
	}
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		if proxy := lookup(name); proxy != "" && !isProxy(proxy) {
			findings = append(findings, Finding{
				codeNetwork, name, "it is not the address of a proxy", `write an address such as "http://proxy.example.com:3128", or unset it`,
			})
		}
	}
	return findings
}

// isProxy reports whether a text is the address of a proxy, with or without a scheme.
func isProxy(text string) bool {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	parsed, err := url.Parse(text)
	return err == nil && parsed.Hostname() != ""
}
