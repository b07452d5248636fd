// Package application holds the use cases, a file each: start reading at
// [ToolUser.UseTool]. What they share about a host (which toolboxes are open, which
// server has a resource or made a task) is in values of their own, made once for each
// host. When servers are connected to and stopped is decided in
// application/sessions, which tools the lock lets through in application/pinning.
//
// Use cases reach servers, hosts and files through ports. They know the names of the
// protocol's methods, and make a few small messages of their own, but they read and
// write no connection.
//
// Decision: a toolbox is open once one of its servers was connected. Using a tool of
// a server that is down tries to connect it.
//
// Decision: the owner of a resource is remembered from results, only of servers that
// have resources and only when the bytes "uri" occur in them. Otherwise the
// connected servers are asked in turn.
//
// Decision: what a host was shown whole is remembered by the bytes of the definition.
// A definition that changed was not shown, so its calls are checked again.
//
// Decision: a filter that names a tool which does not exist is a warning on stderr,
// not an error: servers change their tools.
//
// Decision: the registry of tools is rebuilt, not patched. Patching needs every
// event, in order; rebuilding needs to know only that something changed. A thousand
// tools take a millisecond, and a call costs one lookup.
//
// Decision: a registered name stays with its tool while both exist, even when a tool
// comes that is earlier in the configuration: hosts keep approvals by name. Names
// that hosts refuse end with a hash of the exact names, so they never depend on what
// else is open.
//
// Decision: a server that died keeps its registered tools until it cannot be started
// again. A call starts it, so a tool that is taken away could not come back
// by being used.
//
// Decision: logins are waited for by the calls that need them, not by the sessions. An attempt to
// connect ends at once if it needs a login, does not count as a failure of the server, and is made again
// after it. A call that the server refused for that reason was not carried out, so it is
// made again too, once. The price: the arguments of calls to servers that people log in to are
// copied once more.
//
// Decision: whether a call needs the user's yes is checked where the call is made, in
// sessions.Connection.CallTool, against the tool as it is listed at that moment; asking is up to
// [Confirmations]. A use case that forgets to ask is refused, not let through. A yes for the
// session stands beside the definitions that it is for, so that it ends with them.
//
// Decision: a configuration that is read again is taken whole or not at all, and the use
// cases see it through [Current]. What it protects less is held back by a table of rules
// (protections.go), compared with what was in force last, so that nothing gets weaker in
// several steps.
//
// Decision: what is compared is the program or address, beside the name, so that a server that is
// written a second time has the protections of the first. With another env, cwd or version it is
// still the same program. No comparison can find more, since one program can be started in
// countless ways. So a policy that is about what runs (block, locked) starts
// nothing whose settings are not, byte for byte, those of a server that may run. Variables in a URL
// and in env are not judged: without such a policy an added program can read every variable.
//
// Decision: closing a toolbox waits for an opening under way instead of cutting it
// short, so that both answers say what became of the toolbox. It also ends servers
// of a toolbox that could not be opened.
package application
