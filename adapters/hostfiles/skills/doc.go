// Package skills writes skills (agentskills.io) into the folders in which hosts read them, and removes them. Start at
// [Toolbox.Skill] for the skill of a toolbox, and at [Folders.Plan] for writing it. [Folders.Apply] is the only function
// that writes.
//
// A record in the state of the user says what was written. A skill that differs from its record was changed by hand and is
// left alone. One without a record belongs to the user.
//
// Decision: a skill has no text of a server: it says how to ask for the tools, so that it grants nothing and need not be
// written again when a server changes.
//
// Decision: the name of a skill is that of its toolbox behind "workbench-", since hosts make a command of each name, and
// names of toolboxes, such as "memory" and "review", are commands of hosts already.
package skills
