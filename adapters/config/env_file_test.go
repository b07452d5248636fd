package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

var _ = Describe("A file of environment variables", func() {
	DescribeTable("gives", func(text string, values map[string]string) {
		Expect(config.ParseEnvFile([]byte(text))).To(Equal(values))
	},
		Entry("nothing when it is empty", "", map[string]string{}),
		Entry("a value", "A=b", map[string]string{"A": "b"}),
		Entry("values with Windows line ends, after a byte order mark", "\ufeffA=b\r\nC=d\r\n", map[string]string{"A": "b", "C": "d"}),
		Entry("nothing for comments and empty lines", "# A=b\n\n  # C=d\n", map[string]string{}),
		Entry("a value after export", "export A=b\nexport\tC = d\n", map[string]string{"A": "b", "C": "d"}),
		Entry("a variable whose name begins with export", "exportA=b", map[string]string{"exportA": "b"}),
		Entry("a value without the white space and the comment around it", "A =  b c \t# comment", map[string]string{"A": "b c"}),
		Entry("a value with a number sign in it", "A=b#c\nB=#d\nURL=http://h/#x y", map[string]string{"A": "b#c", "B": "", "URL": "http://h/#x y"}),
		Entry("a value with an equals sign", "A=b=c==", map[string]string{"A": "b=c=="}),
		Entry("an empty value", "A=\nB=''\n", map[string]string{"A": "", "B": ""}),
		Entry("a value in single quotes verbatim", `A='b\n $C " #' # comment`, map[string]string{"A": `b\n $C " #`}),
		Entry("a value in backquotes verbatim", "A=`b\\n ' \"`", map[string]string{"A": `b\n ' "`}),
		Entry("escapes in double quotes", `A="b\nc\td\\n\"e\""`, map[string]string{"A": "b\nc\td\\n\"e\""}),
		Entry("several lines in quotes", "A=\"-----BEGIN\nx\n-----END\"\nB='1\r\n2'\nC=3", map[string]string{"A": "-----BEGIN\nx\n-----END", "B": "1\n2", "C": "3"}),
		Entry("values that name each other verbatim", "A=${B}\nB=$A\n", map[string]string{"A": "${B}", "B": "$A"}),
		Entry("the last of two values", "A=b\nA=c\n", map[string]string{"A": "c"}),
	)

	DescribeTable("is refused, without a value in the reason", func(text, reason string) {
		_, err := config.ParseEnvFile([]byte(text))
		Expect(err).To(MatchError(reason))
	},
		Entry("with a line without a value", "A=b\nhunter2\n", `line 2: has no "="`),
		Entry("with something other than a name", "A=b\n\n1x=hunter2", "line 3: does not begin with the name of a variable"),
		Entry("without a name", "=hunter2", "line 1: does not begin with the name of a variable"),
		Entry("with an open quote", "A=b\nB=\"hunter2\n\n", "line 2: has a quote that is not closed"),
		Entry("with an open quote after an escaped one", `A="hunter2\"`, "line 1: has a quote that is not closed"),
		Entry("with something after the closing quote", `A='hunter2' and more`, "line 1: has more than a comment after the closing quote"),
		Entry("with a bad line after a quoted value of several lines", "A='1\n2\n3'\nhunter2", `line 4: has no "="`),
		Entry("with a NUL character", "A=hunter\x002", "line 1: has a NUL character"),
		Entry("with a NUL character in quotes", "A='hunter\n\x002'", "line 1: has a NUL character"),
		Entry("with something other than UTF-8", "A=\xff", "line 1: is not UTF-8"),
		Entry("with something other than UTF-8 in quotes", "A='\n\xff'", "line 1: is not UTF-8"),
	)
})
