// A host that gets prompts and completes their arguments, made with the official SDK:
//
//	node prompting.mjs MODE TOOLBOX COMMAND [ARGUMENT…]
//	node prompting.mjs MODE TOOLBOX URL
//
// MODE is v1, legacy, or the protocol version on which version 2 insists. COMMAND is a
// workbench, of which it opens the toolbox, or the everything server itself if TOOLBOX is
// empty. It prints its view as JSON, the same in both cases except for the names of prompts
// and _meta of resources.
import { installed, transportTo } from './installed.mjs';

const [mode, toolbox, command, ...args] = process.argv.slice(2);
const { Client } = installed(mode === 'v1' ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');

// changes has each change that the SDK noticed, with the prompts that it listed then.
const changes = [];
let heard = () => {};
const onChanged = (error, prompts) => {
  changes.push(error ?? prompts);
  heard();
};
const changed = async () => {
  while (changes.length < 1) await new Promise((resolve) => (heard = resolve));
  if (changes[0] instanceof Error) throw changes[0];
  return changes[0];
};

const client = new Client(
  { name: 'prompting', version: '1' },
  {
    listChanged: { prompts: { autoRefresh: true, debounceMs: 0, onChanged } },
    ...(['v1', 'legacy'].includes(mode) || !toolbox ? {} : { versionNegotiation: { mode: { pin: mode } } }),
  },
);
const transport = transportTo(mode, command, args);
await client.connect(transport);
const outcome = (answer) => answer.catch((error) => ({ code: error.code, message: error.message }));

const seen = {};
if (toolbox) {
  seen.before = (await client.listPrompts()).prompts;
  await client.callTool({ name: 'open_toolbox', arguments: { toolbox } });
  seen.changed = await changed();
}
const prefix = toolbox ? `${toolbox}__everything_` : '';
const get = (name, args) => outcome(client.getPrompt({ name: prefix + name, arguments: args }));
const complete = (ref, argument, value, context) =>
  outcome(client.complete({ ref, argument: { name: argument, value }, ...(context ? { context: { arguments: context } } : {}) }));
const team = { type: 'ref/prompt', name: `${prefix}completable-prompt` };

seen.prompts = (await client.listPrompts()).prompts;
seen.got = [
  await get('simple-prompt'),
  await get('args-prompt', { city: 'Zürich <&> \u2028 😀', state: 'ZH' }),
  await get('args-prompt', {}),
  await get('completable-prompt', { department: 'Sales', name: 'Eve' }),
  await get('resource-prompt', { resourceType: 'Text', resourceId: '7' }),
  await get('resource-prompt', { resourceType: 'Nothing', resourceId: '7' }),
];
seen.completed = [
  await complete(team, 'department', 'S'),
  await complete(team, 'name', '', { department: 'Sales' }),
  await complete(team, 'name', 'A', { department: 'Engineering' }),
  await complete(team, 'nothing', 'x'),
  await complete({ type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' }, 'resourceId', '4'),
  await complete({ type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' }, 'resourceId', 'x'),
];
seen.unknown = [
  (await get('no-such-prompt')).code,
  (await complete({ type: 'ref/prompt', name: 'no-such-prompt' }, 'a', '')).code,
  (await complete({ type: 'ref/resource', uri: 'demo://nowhere/{x}' }, 'x', '')).code,
];
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(seen));
