package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"
)

// examineNetwork finds variables for proxies and certificates that lead nowhere.
// Values are not shown: the address of a proxy may hold a password.
func examineNetwork(lookup func(name string) string) []finding {
	var findings []finding
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"} {
		path := lookup(name)
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			findings = append(findings, finding{
				codeNetwork, name, fmt.Sprintf("certificates cannot be read: %v", err), "correct the variable, or unset it",
			})
		}
	}
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		proxy := lookup(name)
		if proxy == "" || isProxy(proxy) {
			continue
		}
		findings = append(findings, finding{
			codeNetwork, name, "it is not the address of a proxy", `write an address such as "http://proxy.example.com:3128", or unset it`,
		})
	}
	return findings
}

// isProxy reports whether a text is the address of a proxy, with a scheme or without
// one.
func isProxy(text string) bool {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	parsed, err := url.Parse(text)
	return err == nil && parsed.Hostname() != ""
}
