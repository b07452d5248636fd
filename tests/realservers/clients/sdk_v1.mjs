// A host made with version 1 of the official SDK:
//
//	node sdk_v1.mjs TOOLBOX COMMAND [ARGUMENT…]
//	node sdk_v1.mjs TOOLBOX URL
//
// It uses a toolbox with the everything server and prints its view as
// JSON.
import { installed, transportTo } from './installed.mjs';
import { journey } from './journey.mjs';

const { Client } = installed('@modelcontextprotocol/sdk/client/index.js');

const [toolbox, command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'sdk-v1', version: '1' });
const transport = transportTo('v1', command, args);
const take = transport.setProtocolVersion?.bind(transport);
let protocolVersion;
transport.setProtocolVersion = (version) => {
  protocolVersion = version;
  take?.(version);
};
await client.connect(transport);
const seen = { protocolVersion, ...(await journey(client, toolbox)) };
await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(seen));
