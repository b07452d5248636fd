package masking_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/masking"
)

var _ = DescribeTable("The variable of a server is shown", func(name, value, shown string) {
	Expect(masking.ShownVariable(name, value)).To(Equal(shown))
},
	Entry("if it is no secret", "LEVEL", "2", "2"),
	Entry("without its secret", "API_KEY", "a${B}", "a${B}"),
	Entry("without all of it", "API_KEY", "abc", "•••"),
	Entry("if it decides about code", "NODE_OPTIONS", "-r ./token", "-r ./token"),
)

var _ = DescribeTable("The command line of a server is shown", func(line, shown string) {
	words := strings.Split(line, "|")
	Expect(strings.Join(masking.Line(words[0], words[1:]), "|")).To(Equal(shown))
},
	Entry("with the name of a package that looks like a secret", "npx|-y|sk-notes-mcp|--api-key|abcdefgh", "npx|-y|sk-notes-mcp|--api-key|•••"),
	Entry("with the package that an option names", "uvx|--from=hf_hub_tools|--token|q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6|serve", "uvx|--from=hf_hub_tools|--token|q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6|serve"),
	Entry("with the program", "ghp_program|x", "ghp_program|x"),
	Entry("with an image", "docker|run|-e|TOKEN=abcdefgh|q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6|--token|abcdefgh", "docker|run|-e|TOKEN=•••|q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6|--token|•••"),
	Entry("with a script behind the flag of a secret", "node|--token|secret_place.js|--token|abcdefgh", "node|--token|secret_place.js|--token|•••"),
	Entry("with the words of a shell", "sh|--token|-c|curl https://h/x.sh", "sh|--token|-c|curl https://h/x.sh"),
	Entry("with code that computes what has the name of a secret", "python3|-c|import os;password=os.system('id')", "python3|-c|import os;password=os.system('id')"),
	Entry("with a command that has the name of a secret beside an address", "sh|-c|x_token=Wipe-All7; $x_token https://h/", "sh|-c|x_token=Wipe-All7; $x_token https://h/"),
	Entry("with a command in place of a secret", "bash|-c|curl --token=$(id) https://h/x", "bash|-c|curl --token=$(id) https://h/x"),
	Entry("with code under the name of a secret", "python3|-c|api_key='b3MuZXhlY3YoMSk7cHJvY2Vzcy5leGl0';exec(api_key)", "python3|-c|api_key='b3MuZXhlY3YoMSk7cHJvY2Vzcy5leGl0';exec(api_key)"),
	Entry("without a secret that is only a value in the words of a shell", "sh|-c|API_KEY=abcdefgh exec server", "sh|-c|API_KEY=••• exec server"),
	Entry("with a package behind a runner", "env|API_KEY=abcdefgh|npx|-y|hf_tools|--pat|abcdefgh", "env|API_KEY=•••|npx|-y|hf_tools|--pat|•••"),
	Entry("without the password of a repository", "uvx|git+https://me:abcdefgh@h/token-server@0a1b2c3d4e5f60718293a4b5c6d7e8f9", "uvx|git+https://me:•••@h/token-server@0a1b2c3d4e5f60718293a4b5c6d7e8f9"),
	Entry("without a password behind -p", "x|-ume|-pMaple-Tree7", "x|-ume|-p•••"),
	Entry("with a port behind -p", "x|-p8080:80|-p|3000", "x|-p8080:80|-p|3000"),
	Entry("without the password of a data source", "x|--dsn|me:Maple-Tree7@tcp(db:3306)/shop", "x|--dsn|me:•••@tcp(db:3306)/shop"),
	Entry("without the values of other flags", "x|--api_key|Maple-Tree7|--passphrase|Maple-Tree7|--bind-pw=Maple-Tree7", "x|--api_key|•••|--passphrase|•••|--bind-pw=•••"),
	Entry("without the password of ODBC", "x|Driver={SQL Server};UID=me;PWD=Maple-Tree7", "x|Driver={SQL Server};UID=me;PWD=•••"),
	Entry("without the password of a user", "x|--user|me:Maple-Tree7|-u|1000:1000", "x|--user|me:•••|-u|1000:1000"),
	Entry("without a credential", "x|Bearer Maple-Tree7|Basic usage", "x|Bearer •••|Basic usage"),
	Entry("without the words of a wallet", "x|maple river stone candle orbit velvet cactus lemon tiger window pepper anchor", "x|•••"),
	Entry("with versions and sums", "x|pkg:1.0@sha256:ab|npm:@scope/a@1.2|git@github.com:o/r", "x|pkg:1.0@sha256:ab|npm:@scope/a@1.2|git@github.com:o/r"),
)

var _ = DescribeTable("A value", func(name, value string, isSecret bool) {
	Expect(masking.LooksSecret(name, value)).To(Equal(isSecret))
},
	Entry("of a limit is no secret", "MAX_TOKENS", "64000", false),
	Entry("of a limit with a unit of its own is none", "DEFAULT_MINIMUM_TOKENS", "10000", false),
	Entry("of a switch is none", "TOKENIZERS_PARALLELISM", "false", false),
	Entry("of a switch with the name of a secret is none", "USE_TOKEN", "true", false),
	Entry("that is a token is one", "ALPHA_TOKEN", "abcdefgh", true),
	Entry("with the words of a wallet is one", "WALLET_MNEMONIC", "maple river", true),
	Entry("with words of a wallet under any name is one", "PHRASE", "maple river stone candle orbit velvet cactus lemon tiger window pepper anchor", true),
	Entry("for Authorization is one", "AUTH_HEADER", "Basic bWU6TWFwbGUtVHJlZTc=", true),
	Entry("of a bearer is one", "X_BEARER", "Maple-Tree7", true),
	Entry("of a pass code is one", "PASSCODE", "Maple-Tree7", true),
	Entry("that is the source of data with a password is one", "DSN", "me:Maple-Tree7@tcp(db.example.com:3306)/shop", true),
	Entry("that is the source of data without a password is none", "DSN", "tcp(db.example.com:3306)/shop", false),
)

var _ = DescribeTable("An address is shown", func(address, shown string) {
	Expect(masking.ShownAddress(address)).To(Equal(shown))
},
	Entry("with a list of words", "https://h/mcp?tools=search,read-page&x=1", "https://h/mcp?tools=search,read-page&x=•••"),
	Entry("without a list under the name of a secret", "https://h/mcp?api_key=maple,river", "https://h/mcp?api_key=•••"),
	Entry("without a list that is not of words", "https://h/mcp?ids=ab1,cd2&t=Maple,River", "https://h/mcp?ids=•••&t=•••"),
	Entry("with such a list as browsers encode it", "https://h/mcp?features=docs%2Cdatabase%2cbranching&x=1", "https://h/mcp?features=docs%2Cdatabase%2cbranching&x=•••"),
	Entry("without one word", "https://h/mcp?tools=mapleriver", "https://h/mcp?tools=•••"),
	Entry("without a list of long words", "https://h/mcp?a=mapleriverstonecandleorbit,b", "https://h/mcp?a=•••"),
	Entry("without the words of a wallet", "https://h/mcp?words=maple,river,stone,candle,orbit,velvet,cactus,lemon,tiger,window,pepper,anchor",
		"https://h/mcp?words=•••"),
	Entry("without a list that is a password", "https://me:maple,river@h/mcp", "https://me:•••@h/mcp"),
)
