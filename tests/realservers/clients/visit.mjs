// A host that uses every tool of a server elsewhere through a workbench:
//
//	node visit.mjs WORKBENCH URL
//
// It is what the conformance runner starts in place of a client.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed } from './installed.mjs';

const { Client } = installed('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = installed('@modelcontextprotocol/sdk/client/stdio.js');

const [command, url] = process.argv.slice(2);
const config = join(mkdtempSync(join(tmpdir(), 'visit-')), 'workbench-config.json');
writeFileSync(config, JSON.stringify({ toolboxes: { judged: { mcpServers: { server: { url } } } } }));
const client = new Client({ name: 'visitor', version: '1' });
await client.connect(new StdioClientTransport({ command, args: ['--config', config] }));
const opened = await client.callTool({ name: 'open_toolbox', arguments: { toolbox: 'judged' } });
for (const { name, inputSchema } of JSON.parse(opened.content[0].text).tools) {
  const numbers = Object.keys(inputSchema.properties ?? {}).map((key) => [key, 5]);
  await client.callTool({
    name: 'use_tool',
    arguments: { tool: { toolbox: 'judged', server: 'server', tool: name }, arguments: Object.fromEntries(numbers) },
  });
}
await client.close();
