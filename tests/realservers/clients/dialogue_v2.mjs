// A host that can be asked, made with version 2 of the official SDK:
//
//	node dialogue_v2.mjs MODE TOOLBOX COMMAND [ARGUMENT…]
//	node dialogue_v2.mjs MODE TOOLBOX URL
//
// MODE is legacy, auto, or the protocol version to insist on; TOOLBOX is - for the
// everything server itself. It prints its view as JSON.
import { installed, transportTo } from './installed.mjs';
import { able, answers, caller, dialogue } from './dialogue.mjs';

const { Client } = installed('@modelcontextprotocol/client');

const [mode, toolbox, command, ...args] = process.argv.slice(2);
const client = new Client(
  { name: 'dialogue-v2', version: '1' },
  { capabilities: able, versionNegotiation: { mode: ['legacy', 'auto'].includes(mode) ? mode : { pin: mode } } },
);
const asked = {};
for (const method of Object.keys(answers)) {
  client.setRequestHandler(method, ({ params }) => {
    const { _meta, elicitationId, ...rest } = params ?? {}; // not every version has the id
    asked[`${method} ${rest.mode ?? ''}`] = rest;
    return answers[method](rest);
  });
}
const logged = new Promise((resolve) => {
  client.setNotificationHandler('notifications/message', ({ params }) => {
    if (params.data.includes('level')) resolve(params);
  });
});
const transport = transportTo('v2', command, args);
await client.connect(transport);
if (toolbox !== '-') await client.callTool({ name: 'open_toolbox', arguments: { toolbox } });
if (client.getProtocolEra() === 'legacy') await client.setLoggingLevel('debug');
console.log(JSON.stringify(await dialogue(client, caller(client, toolbox === '-' ? '' : toolbox), asked, logged)));
await transport.terminateSession?.();
await client.close();
