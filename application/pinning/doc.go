// Package pinning decides by the lock which tools of a server exist for the host,
// and says what is not as it was locked.
//
// Decision: the lock that counts is the one of the first look, which comes before a server is
// started, restricted by each one that is read later. Servers run as the user and may write the
// file, so more counts at the next start only. Restricting once and for all, instead of comparing
// the first lock with the last one, makes a tool that was taken back stay so.
//
// Decision: the next start is not the only way, since people expect that `lock --update` helps
// the host that they sit in front of. In a terminal the command leaves a note in the state
// folder. It keeps out what can write the folder of a project and not the state folder (hosts
// confine models so), and mistakes. Nothing keeps out a program that does all that the user
// can: a secret of the terminal would be one of the user's files as well. There is no form in
// the host for it: with `confirm` every call of a tool that is not as it was locked asks
// anyway, and a question about a whole lock cannot be read in a form.
package pinning
