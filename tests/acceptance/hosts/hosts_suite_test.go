// Package hosts_test holds the features about hosts: their configurations, their servers, and what each
// host can do.
package hosts_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestHosts(t *testing.T) { spec.Run(t, "The workbench in the files of hosts") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)

// keepingPass is a program that stores the input of "insert" in files, and fails for names with BROKEN.
const keepingPass = `#!/bin/sh
case "$1 $2$3" in
insert*BROKEN) echo "no $(cat)" >&2; exit 3;;
insert*) mkdir -p "$PASSWORD_STORE_DIR/mcp-workbench"; cat > "$PASSWORD_STORE_DIR/$3";;
show*) exec cat "$PASSWORD_STORE_DIR/$2";;
esac
`
