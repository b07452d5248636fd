// A host that renders pages of tools (MCP Apps), made with version 2 of the official SDK and the helpers of ext-apps:
//
//	node apps.mjs MODE TOOLBOX COMMAND [ARGUMENT…]
//	node apps.mjs MODE TOOLBOX URL
//
// MODE is legacy, or the protocol version to insist on. It opens the toolbox, reads the page of each tool that has
// one, calls the tool as its model and then as its page, and prints its view as JSON.
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { installed, transportTo } from './installed.mjs';

const { Client } = installed('@modelcontextprotocol/client');
const { getToolUiResourceUri, isToolVisibilityAppOnly, isToolVisibilityModelOnly, RESOURCE_MIME_TYPE } =
  await import(pathToFileURL(createRequire(import.meta.url).resolve('../../npm/node_modules/@modelcontextprotocol/ext-apps/dist/src/app-bridge.js')));

const [mode, toolbox, command, ...args] = process.argv.slice(2);
const client = new Client(
  { name: 'renderer', version: '1' },
  {
    capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } },
    versionNegotiation: { mode: mode === 'legacy' ? mode : { pin: mode } },
  },
);
const transport = transportTo('v2', command, args);
await client.connect(transport);
await client.callTool({ name: 'open_toolbox', arguments: { toolbox } });
const { tools } = await client.listTools();
const seen = {
  declared: client.getServerCapabilities()?.extensions ?? {},
  forModels: tools.filter((tool) => !isToolVisibilityAppOnly(tool)).map(({ name }) => name),
  forPages: tools.filter((tool) => !isToolVisibilityModelOnly(tool)).map(({ name }) => name),
  pages: {},
};
for (const tool of tools) {
  const uri = getToolUiResourceUri(tool);
  if (!uri) {
    continue;
  }
  const { contents: [content] } = await client.readResource({ uri });
  seen.pages[tool.name] = {
    uri, matches: content.uri === uri, mimeType: content.mimeType, sha256: createHash('sha256').update(content.text).digest('hex'),
    byModel: await client.callTool({ name: tool.name, arguments: {} }),
  };
}
seen.byPage = await client.callTool({ name: 'get-time', arguments: {} });
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(seen));
