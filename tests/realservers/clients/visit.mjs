// A host that uses every tool, reads every resource and gets every prompt of a remote
// server through a workbench:
//
//	node visit.mjs WORKBENCH URL
//
// The conformance runner starts it as a client. The runner's calls are in the environment, and so is the version that it
// judges, which the host speaks too: a server of both eras is spoken to in that of its host. Any other tool gets numbers.
// When asked to open a page, the user at the host does so immediately.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed } from './installed.mjs';

const { Client, ProtocolError } = installed('@modelcontextprotocol/client');
const { StdioClientTransport } = installed('@modelcontextprotocol/client/stdio');

const [command, url] = process.argv.slice(2);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const { toolCalls = [] } = context;
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;

const config = join(mkdtempSync(join(tmpdir(), 'visit-')), 'workbench-config.json');
writeFileSync(config, JSON.stringify({ toolboxes: { judged: { mcpServers: { server: { url, oauth: await oauth() } } } } }));
const client = new Client({ name: 'visitor', version: '1' }, {
  capabilities: { roots: {}, sampling: {}, elicitation: { form: { applyDefaults: true }, url: {} } },
  versionNegotiation: { mode: version === '2026-07-28' ? { pin: version } : 'legacy' },
});
client.setRequestHandler('elicitation/create', async ({ params }) => {
  if (params.mode !== 'url') {
    return { action: 'accept', content: {} };
  }
  await fetch(params.url);
  return { action: 'accept' };
});
client.setRequestHandler('roots/list', () => ({ roots: [] }));
client.setRequestHandler('sampling/createMessage', () => ({
  role: 'assistant', model: 'none', content: { type: 'text', text: 'none' },
}));
await client.connect(new StdioClientTransport({ command, args: ['--config', config] }));

const opened = await client.callTool({ name: 'open_toolbox', arguments: { toolbox: 'judged' } });
const { tools } = opened.isError ? { tools: [] } : JSON.parse(opened.content[0].text);
if (opened.isError) {
  console.error(opened.content[0].text);
}
for (const { name, inputSchema } of tools) {
  for (const args of wanted(name, inputSchema)) {
    await unlessRefused(client.callTool({
      name: 'use_tool',
      arguments: { tool: { toolbox: 'judged', server: 'server', tool: name }, arguments: args },
    }));
  }
}
const listed = await unlessRefused(client.listResources());
for (const { uri } of listed?.resources ?? []) {
  await unlessRefused(client.readResource({ uri }));
}
const offered = await unlessRefused(client.listPrompts());
for (const { name } of offered?.prompts ?? []) {
  await unlessRefused(client.getPrompt({ name }));
}
await client.close();

// oauth returns the settings for logins at the server.
async function oauth() {
  if (context.private_key_pem) {
    return { grant: 'client_credentials', issuer: await issuer(), clientId: context.client_id, privateKey: context.private_key_pem };
  }
  if (process.env.MCP_CONFORMANCE_SCENARIO === 'auth/client-credentials-basic') {
    return { grant: 'client_credentials', issuer: await issuer(), clientId: context.client_id, clientSecret: context.client_secret };
  }
  if (context.valid_jwt) {
    const assertionFile = join(mkdtempSync(join(tmpdir(), 'visit-')), 'assertion');
    writeFileSync(assertionFile, context.valid_jwt);
    return { grant: 'jwt-bearer', issuer: await issuer(), clientId: context.client_id, assertionFile };
  }
  if (context.client_id) {
    return { clientId: context.client_id, clientSecret: context.client_secret };
  }
  return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }; // the one that the runner knows
}

// issuer returns the authorization server that the server names. The workbench sends secrets only to one in
// the configuration, which a user knows from the provider.
async function issuer() {
  const metadata = await fetch(new URL(`/.well-known/oauth-protected-resource${new URL(url).pathname}`, url));
  return (await metadata.json()).authorization_servers[0];
}

// wanted returns the arguments of each call that a tool gets.
function wanted(name, inputSchema) {
  const given = toolCalls.filter((call) => call.name === name).map((call) => call.arguments);
  if (given.length > 0) {
    return given;
  }
  if (name === 'json_schema_echo') { // checks how another tool's schema arrived
    return [{ schema: tools.find((tool) => tool.name === 'json_schema_2020_12_tool').inputSchema }];
  }
  return [Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((key) => [key, 5]))];
}

// unlessRefused waits for an answer; a refusal counts as one.
async function unlessRefused(answer) {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ProtocolError)) {
      throw error;
    }
    return undefined;
  }
}
