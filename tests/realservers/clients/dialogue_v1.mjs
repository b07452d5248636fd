// A host that can be asked, made with version 1 of the official SDK:
//
//	node dialogue_v1.mjs legacy TOOLBOX COMMAND [ARGUMENT…]
//	node dialogue_v1.mjs legacy TOOLBOX URL
//
// TOOLBOX is - for the everything server itself. It prints its view as JSON.
import { installed, transportTo } from './installed.mjs';
import { able, answers, caller, dialogue } from './dialogue.mjs';

const { Client } = installed('@modelcontextprotocol/sdk/client/index.js');
const types = installed('@modelcontextprotocol/sdk/types.js');

const [, toolbox, command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'dialogue-v1', version: '1' }, { capabilities: able });
client.resultSchemas = [types.CallToolResultSchema];
const asked = {};
for (const schema of [types.ElicitRequestSchema, types.CreateMessageRequestSchema, types.ListRootsRequestSchema]) {
  client.setRequestHandler(schema, ({ method, params }) => {
    const { _meta, elicitationId, ...rest } = params ?? {}; // not every version has the id
    asked[`${method} ${rest.mode ?? ''}`] = rest;
    return answers[method](rest);
  });
}
const logged = new Promise((resolve) => {
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => {
    if (params.data.includes('level')) resolve(params);
  });
});
const transport = transportTo('v1', command, args);
await client.connect(transport);
if (toolbox !== '-') await client.callTool({ name: 'open_toolbox', arguments: { toolbox } });
await client.setLoggingLevel('debug');
console.log(JSON.stringify(await dialogue(client, caller(client, toolbox === '-' ? '' : toolbox), asked, logged)));
await transport.terminateSession?.();
await client.close();
