// Package application holds the use cases, a file each: start reading at
// [ToolUser.UseTool]. The state that they share for a host (which toolboxes are open,
// which server has a resource or made a task) is in types of its own, with one value
// for each host. When servers are connected to and stopped is decided in
// application/sessions, which tools the lock lets through in application/pinning.
//
// Use cases reach servers, hosts and files through ports. They pass messages on, decide by
// what ports say of them, and know no method of the protocol.
//
// Decision: a toolbox is open once one of its servers was connected, or a call opened it. Using a tool of
// a server that is down tries to connect it.
//
// Decision: rules about calls are one list ([NewGates]). A rule sees the call and the tool as it is listed, and refuses
// with its reason. A call that is tried again, after a start, a login or a yes, passes a rule once, and those about
// the tool once for each listing of it. So a rule may count.
//
// Decision: the owner of a resource is learned from results, but only from servers that
// have resources and only if the result contains the bytes "uri". Otherwise the
// connected servers are asked in turn.
//
// Decision: which definitions a host was shown whole is remembered by a hash of their bytes. A
// changed definition counts as not shown, so calls of its tool are checked again.
//
// Decision: a filter that names a tool that does not exist causes a warning on stderr,
// not an error, since servers change their tools.
//
// Decision: the registry of tools is rebuilt, not patched. Patching needs every
// event, in order; rebuilding needs to know only that something changed. A thousand
// tools take a millisecond, and a call costs one lookup.
//
// Decision: a registered name stays with its tool while both exist, even if a tool
// appears that comes earlier in the configuration: hosts keep approvals by name. Names
// that hosts refuse end with a hash of the exact names, so they never depend on what
// else is open.
//
// Decision: a server that died keeps its registered tools until it cannot be started
// again. Only a call starts it again, so a tool that was removed could never come back.
//
// Decision: calls wait for the logins that they need; sessions do not. An attempt to connect that needs
// a login ends at once, does not count as a failure of the server, and is made again after the login. A
// call that the server refused for lack of a login was not carried out, so it is made again too, once.
// The price: the arguments of calls to servers with logins are copied once more.
//
// Decision: whether a call needs the user's yes is checked where the call is made, in
// sessions.Connection.CallTool, against the tool as it is listed at that moment; [Confirmations]
// asks. If a use case forgets to ask, its call is refused, not let through. A yes for the
// session is kept beside the definition that it is for, so that it ends with it.
//
// Decision: a configuration that is read again is taken whole or not at all, and the use
// cases see it through [Current]. Settings that protect less than the ones in force last
// are held back by a table of rules (protections.go), so that nothing gets weaker in
// several steps.
//
// Decision: besides names, programs and addresses are compared, so that a second entry for a server
// has the protections of the first. With another env, cwd or version it is still the same program.
// No comparison can find every such entry, since one program can be started in countless ways. So a
// policy about what runs (block, locked) starts only servers whose settings are, byte for byte,
// those of a server that may run. Variables in a URL and in env are not compared: without such a
// policy an added program can read every variable.
//
// Decision: closing a toolbox waits for an opening under way instead of cutting it
// short, so that both answers report the outcome. It also ends servers of a toolbox
// that could not be opened.
package application
