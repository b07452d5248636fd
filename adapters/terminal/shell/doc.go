// Package shell is a terminal in place of a host. [Host] implements the ports of a host:
// it asks the user at the terminal for what servers request, prints log messages,
// refuses sampling, since a shell has no model, and has the working directory as its only
// root. Text of servers is shown after their names.
//
// Decision: without a terminal, every elicitation is declined. A script that hangs at a
// question is worse than one that fails.
//
// Decision: questions are lines, not drawn forms. They work in every terminal, and the
// answers stay visible.
package shell
