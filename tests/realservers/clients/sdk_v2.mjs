// A host made with version 2 of the official SDK, which speaks 2026-07-28 too:
//
//	node sdk_v2.mjs MODE TOOLBOX COMMAND [ARGUMENT…]
//	node sdk_v2.mjs MODE TOOLBOX URL
//
// MODE is legacy, auto, or the protocol version to insist on. It uses a
// toolbox with the everything server and prints its view as JSON.
import { installed, transportTo } from './installed.mjs';
import { journey } from './journey.mjs';

const { Client } = installed('@modelcontextprotocol/client');

const [mode, toolbox, command, ...args] = process.argv.slice(2);
const client = new Client(
  { name: 'sdk-v2', version: '1' },
  { versionNegotiation: { mode: ['legacy', 'auto'].includes(mode) ? mode : { pin: mode } } },
);
const transport = transportTo('v2', command, args);
await client.connect(transport);
const seen = {
  protocolVersion: client.getNegotiatedProtocolVersion(),
  era: client.getProtocolEra(),
  ...(await journey(client, toolbox)),
};
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(seen));
