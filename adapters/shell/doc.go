// Package shell is a terminal in the place of a host. [Host] implements what ports need
// of one: it asks a person what servers want to know, prints log messages, refuses
// sampling, since a shell has no model, and names the working directory as the only
// root. What servers say is shown behind their names.
//
// Decision: without a terminal nobody is asked, and every elicitation is declined. A
// script that hangs at a question is worse than one that fails.
//
// Decision: questions are lines, not forms that are drawn. They work in every
// terminal, and a person sees afterwards what was answered.
package shell
