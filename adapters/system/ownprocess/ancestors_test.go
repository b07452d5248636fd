package ownprocess_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("The session of a shell", func() {
	const none, first, second = 0, 34816, 34817
	const own = "mcp-workbench call notes/read"

	DescribeTable("is", func(session string, processes ...ownprocess.Process) {
		Expect(ownprocess.SessionOf(processes...)).To(Equal(session))
	},
		Entry("that of its terminal", "terminal 34816 of session 7",
			ownprocess.Process{9, 7, first, own}, ownprocess.Process{7, 7, first, "-zsh"}, ownprocess.Process{1, 1, none, "init"}),
		Entry("that of the terminal of an agent that runs each command in a session of its own", "terminal 34817 of session 4",
			ownprocess.Process{9, 8, none, own}, ownprocess.Process{8, 8, none, "bash -c " + own},
			ownprocess.Process{5, 4, second, "node agent.js"}, ownprocess.Process{4, 4, second, "-bash"}),
		Entry("that of the terminal of an agent that gives the shell of each command a terminal", "terminal 34817 of session 4",
			ownprocess.Process{9, 8, first, own}, ownprocess.Process{8, 8, first, "/bin/bash -lc " + own + " && true"},
			ownprocess.Process{5, 4, second, "node agent.js"}, ownprocess.Process{4, 4, second, "-bash"}),
		Entry("that of the terminal of an agent that gives each command a terminal", "terminal 34817 of session 4",
			ownprocess.Process{8, 8, first, own}, ownprocess.Process{5, 4, second, "node agent.js"}),
		Entry("that of an agent without a terminal that gives each command one", "session 5",
			ownprocess.Process{8, 8, first, own}, ownprocess.Process{5, 5, none, "node agent.js"}, ownprocess.Process{1, 1, none, "init"}),
		Entry("that of the terminal in which a shell runs one agent", "terminal 34816 of session 4",
			ownprocess.Process{9, 8, none, own}, ownprocess.Process{8, 8, none, "bash -c " + own},
			ownprocess.Process{5, 4, first, "node agent.js"}, ownprocess.Process{4, 4, first, "sh -c agent; read line"}, ownprocess.Process{1, 1, none, "tmux"}),
		Entry("that of its terminal, if the system says no command lines", "terminal 34816 of session 8",
			ownprocess.Process{9, 8, first, ""}, ownprocess.Process{8, 8, first, ""}, ownprocess.Process{4, 4, second, ""}),
		Entry("that in which an agent without a terminal runs", "session 5",
			ownprocess.Process{9, 8, none, own}, ownprocess.Process{8, 8, none, "bash -c " + own}, ownprocess.Process{5, 5, none, "node agent.js"},
			ownprocess.Process{1, 1, none, "init"}),
		Entry("its own, if there is no other", "session 1", ownprocess.Process{8, 1, none, own}, ownprocess.Process{1, 1, none, "init"}),
	)

	It("is the same at each look", func() { Expect(ownprocess.ShellSession()).To(Equal(ownprocess.ShellSession())) })
})
