// A host that follows the list of tools, made with the official SDK:
//
//	node following.mjs MODE DEV PROD COMMAND [ARGUMENT…]
//	node following.mjs MODE DEV PROD URL
//
// MODE is v1, legacy, or the protocol version on which version 2 insists; DEV and
// PROD are the directories of two toolboxes with these names, each with the servers
// filesystem and memory. It prints its view as JSON.
import { join } from 'node:path';
import { installed, transportTo } from './installed.mjs';

const [mode, dev, prod, command, ...args] = process.argv.slice(2);
const { Client } = installed(mode === 'v1' ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');

// changes has each change that the SDK noticed, with the tools that it listed then.
const changes = [];
let heard = () => {};
const onChanged = (error, tools) => {
  changes.push(error ?? tools);
  heard();
};
const changed = async (count) => {
  while (changes.length < count) await new Promise((resolve) => (heard = resolve));
  const tools = changes[count - 1];
  if (tools instanceof Error) throw tools;
  return tools.map((tool) => tool.name).filter((name) => name.includes('__'));
};

const client = new Client(
  { name: 'following', version: '1' },
  {
    listChanged: { tools: { autoRefresh: true, debounceMs: 0, onChanged } },
    ...(['v1', 'legacy'].includes(mode) ? {} : { versionNegotiation: { mode: { pin: mode } } }),
  },
);
const transport = transportTo(mode, command, args);
await client.connect(transport);
const call = (name, args) =>
  client.callTool({ name, arguments: args }).then(
    (result) => result.content[0].text,
    (error) => `error ${error.code}`,
  );
const toolbox = (tool, name) => call(tool, { toolbox: name }).then(JSON.parse);
const read = (name, directory) => call(`${name}__filesystem_read_text_file`, { path: join(directory, 'where.txt') });
const graph = (name) => call(`${name}__memory_read_graph`, {});

const seen = { listed: (await client.listTools()).tools.map((tool) => tool.name) };
const openedDev = await toolbox('open_toolbox', 'dev');
seen.registered = openedDev.tools.map((tool) => tool.registered_name);
seen.afterDev = await changed(1);
await toolbox('open_toolbox', 'prod');
seen.afterProd = await changed(2);
seen.files = [await read('dev', dev), await read('prod', prod)];
seen.refused = await read('dev', prod);
await call('dev__memory_create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: [] }] });
seen.graphs = [await graph('dev'), await graph('prod')];
seen.closed = await toolbox('close_toolbox', 'dev');
seen.afterClose = await changed(3);
seen.gone = await read('dev', dev);
seen.stays = await read('prod', prod);
await toolbox('open_toolbox', 'dev');
seen.afterReopening = await changed(4);
seen.again = await read('dev', dev);
seen.changes = changes.length;
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(seen));
