// Package pinning decides by the lock which tools of a server exist for the host, and reports
// differences from the lock.
//
// Decision: the lock that counts is the first one, read before a server is started, restricted by
// each later one. Servers run as the user and can write the file, so additions count only at the
// next start. A restriction is permanent, so a tool that was once withdrawn stays withdrawn;
// comparing the first lock with the last one would bring it back.
//
// Decision: additions can also be approved without a restart, since users expect `lock --update` to
// help the host in front of them. In a terminal the command leaves a note in the state folder. That
// protects against mistakes, and against writers of the project's folder that cannot write the state
// folder, as hosts confine models. Nothing protects against a program with all of the user's
// permissions: a secret of the terminal would also be stored in one of the user's files. Hosts do
// not ask the user for approval: with "confirm" every call of a tool that differs from the lock asks
// anyway, and a whole lock does not fit into a form.
package pinning
