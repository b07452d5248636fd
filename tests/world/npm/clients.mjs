// Uses a workbench as a published client does:
//
//	node clients.mjs CLIENT COMMAND [ARGUMENT…]
//
// CLIENT is the name of a function below. It lists the tools, opens the toolbox t, has its server s echo a text, and
// prints what it saw as JSON.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [name, command, ...args] = process.argv.slice(2);
const file = (path) => new URL(`node_modules/${path}`, import.meta.url).pathname;
const info = { name, version: '1' };
const entry = { command, args, env: { ...process.env } };

// text returns the text of a result, in whichever form a library passes it on.
function text(result) {
  if (typeof result === 'string') return result;
  const content = Array.isArray(result) ? result : (result?.content ?? result?.toolResult?.content);
  return Array.isArray(content) ? content.map((block) => block.text ?? block.text?.text ?? text(block)).join('') : JSON.stringify(result);
}

// sdk returns a client of the official SDK, of either of its versions.
const sdk = (client, transport, extra) => ({
  start: () => client.connect(transport),
  list: async () => (await client.listTools()).tools,
  call: (tool, given) => client.callTool({ name: tool, arguments: given }),
  end: () => client.close(),
  ...extra,
});

const version2 = async (mode) => {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  return sdk(new Client(info, { versionNegotiation: { mode } }), new StdioClientTransport(entry));
};

// byName finds a tool among those that a library made, which may have a prefix.
const byName = (tools, tool) => Object.entries(tools).find(([key, value]) => (value?.name ?? key).endsWith(tool) || key.endsWith(tool))[1];

// commandLine returns a client that is a program, run once for each request.
const commandLine = (program, { list, call, parse = (output) => output }) => {
  const run = async (words) => (await promisify(execFile)(process.execPath, [file(program), ...words], { maxBuffer: 1 << 26 })).stdout;
  return {
    list: list && (async () => JSON.parse(await run(list)).result.tools),
    call: async (tool, given) => parse(await run(call(tool, given))),
  };
};

// configuration returns the path of a file with the workbench, in the common form.
const configuration = () => {
  const path = join(mkdtempSync(join(tmpdir(), 'client-')), 'mcp.json');
  writeFileSync(path, JSON.stringify({ mcpServers: { workbench: { command, args } } }));
  return path;
};

const clients = {
  sdk1: async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    return sdk(new Client(info), new StdioClientTransport(entry));
  },
  sdk2: () => version2('legacy'),
  sdk2auto: () => version2('auto'),
  async aiSdk() {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport: Transport } = await import('@ai-sdk/mcp/mcp-stdio');
    const client = await createMCPClient({ transport: new Transport(entry), clientName: name });
    const tools = await client.tools();
    return {
      list: () => Object.keys(tools).map((key) => ({ name: key })),
      call: (tool, given) => tools[tool].execute(given, { toolCallId: '1', messages: [] }),
      end: () => client.close(),
    };
  },
  async langchain() {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({ mcpServers: { workbench: { transport: 'stdio', ...entry } } });
    const tools = await client.getTools();
    return { list: () => tools, call: (tool, given) => byName(tools, tool).invoke(given), end: () => client.close() };
  },
  async openaiAgents() {
    const { MCPServerStdio } = await import('@openai/agents');
    const server = new MCPServerStdio({ ...entry, name: 'workbench' });
    return {
      start: () => server.connect(),
      list: () => server.listTools(),
      call: (tool, given) => server.callTool(tool, given),
      end: () => server.close(),
    };
  },
  async mcpUse() {
    const { MCPClient } = await import('mcp-use');
    const client = MCPClient.fromDict({ mcpServers: { workbench: entry } });
    const session = await client.createSession('workbench');
    return {
      list: () => session.listTools(),
      call: (tool, given) => session.callTool(tool, given),
      end: () => client.closeAllSessions(),
    };
  },
  async mastra() {
    const { MCPClient } = await import('@mastra/mcp');
    const client = new MCPClient({ servers: { workbench: { command, args, env: entry.env } } });
    const tools = await client.listTools();
    return {
      list: () => Object.keys(tools).map((key) => ({ name: key.replace('workbench_', '') })),
      call: (tool, given) => byName(tools, tool).execute(given, {}),
      end: () => client.disconnect(),
    };
  },
  async strands() {
    const { McpClient } = await import('@strands-agents/sdk');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const client = new McpClient({ transport: new StdioClientTransport(entry) });
    const tools = await client.listTools();
    return { list: () => tools, call: (tool, given) => client.callTool(byName(tools, tool), given), end: () => client.disconnect() };
  },
  async genkit() {
    const { genkit } = await import('genkit');
    const { createMcpClient } = await import('@genkit-ai/mcp');
    const client = createMcpClient({ name: 'workbench', mcpServer: { command, args, env: entry.env } });
    await client.ready();
    const tools = await client.getActiveTools(genkit({}));
    const named = (tool) => tools.find((one) => one.__action.name.endsWith(tool));
    return {
      list: () => tools.map((tool) => ({ name: tool.__action.name.split('/').pop() })),
      call: (tool, given) => named(tool)(given),
      end: () => client.disable(),
    };
  },
  async adk() {
    const { MCPToolset } = await import('@google/adk');
    const toolset = new MCPToolset({ type: 'StdioConnectionParams', serverParams: { command, args, env: entry.env } });
    const tools = await toolset.getTools();
    return { list: () => tools, call: (tool, given) => byName(tools, tool).runAsync({ args: given, toolContext: {} }), end: () => toolset.close() };
  },
  async mcpClient() {
    const { MCPClient } = await import('mcp-client');
    const client = new MCPClient(info);
    await client.connect({ type: 'stdio', ...entry });
    return {
      list: () => client.getAllTools(),
      call: (tool, given) => client.callTool({ name: tool, arguments: given }),
      end: () => client.close(),
    };
  },
  async huggingFace() {
    const { McpClient } = await import('@huggingface/mcp-client');
    const client = new McpClient({ provider: 'auto', model: 'none', apiKey: 'none' });
    await client.addMcpServer({ type: 'stdio', config: entry });
    return {
      list: () => client.availableTools.map((tool) => tool.function),
      call: (tool, given) => client.clients.get(tool).callTool({ name: tool, arguments: given }),
      end: () => client.cleanup(),
    };
  },
  async ax() {
    const { AxMCPClient } = await import('@ax-llm/ax');
    const { AxMCPStdioTransport } = await import('@ax-llm/ax-tools');
    const client = new AxMCPClient(new AxMCPStdioTransport({ command, args, env: entry.env }));
    await client.init();
    const functions = client.toFunction();
    return { list: () => functions, call: (tool, given) => byName(functions, tool).func(given), end: () => client.close() };
  },
  async testClient() {
    const { MCPTestClient } = await import('mcp-test-client');
    const client = new MCPTestClient({ serverCommand: command, serverArgs: args });
    return { start: () => client.init(), list: () => client.listTools(), call: (tool, given) => client.callTool(tool, given), end: () => client.cleanup() };
  },
  async llamaindex() {
    const { mcp } = await import('@llamaindex/tools');
    const server = mcp({ command, args, env: entry.env });
    const tools = await server.tools();
    const named = (tool) => tools.find((one) => one.metadata.name.endsWith(tool));
    return {
      list: () => tools.map((tool) => tool.metadata),
      call: (tool, given) => named(tool).call(given),
      end: () => server.cleanup(),
    };
  },
  async mcporter() {
    const { createRuntime } = await import('mcporter');
    const runtime = await createRuntime({ servers: [{ name: 'workbench', command: { kind: 'stdio', command, args, cwd: process.cwd() } }] });
    return {
      list: () => runtime.listTools('workbench'),
      call: (tool, given) => runtime.callTool('workbench', tool, { args: given }),
      end: () => runtime.close(),
    };
  },
  inspector() {
    const words = ['--cli', '--quiet', '--format', 'json', '--config', configuration(), '--server', 'workbench', '--method'];
    return commandLine('@modelcontextprotocol/inspector/clients/launcher/build/index.js', {
      list: [...words, 'tools/list'],
      call: (tool, given) => [...words, 'tools/call', '--tool-name', tool, ...Object.entries(given)
        .flatMap(([key, value]) => ['--tool-arg', `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`])],
      parse: (output) => text(JSON.parse(output).result),
    });
  },
  mcpCli() {
    const config = configuration();
    return commandLine('@wong2/mcp-cli/src/cli.js', {
      call: (tool, given) => ['--config', config, 'call-tool', `workbench:${tool}`, '--args', JSON.stringify(given)],
      parse: (output) => text(JSON.parse(output)),
    });
  },
};

const client = await clients[name]();
await client.start?.();
const seen = {};
if (client.list) seen.tools = (await client.list()).map((tool) => tool.name.replace(/^.*?(open_toolbox|use_tool)$/, '$1'));
seen.opened = text(await client.call('open_toolbox', { toolbox: 't' }));
seen.echoed = text(await client.call('use_tool', { tool: { toolbox: 't', server: 's', tool: 'echo' }, arguments: { message: '<&> ü' } }));
await client.end?.();
console.log('\n' + JSON.stringify(seen));
process.exit(0);
