import { createRequire } from 'node:module';

// installed loads a module of a package that the lock file of the tests installs.
export const installed = createRequire(new URL('../../npm/package.json', import.meta.url));

// transportTo returns a transport of the official SDK to a command or to a URL: of the SDK's version 1
// for v1, else of version 2.
export function transportTo(version, command, args) {
  const isFirst = version === 'v1';
  if (command.startsWith('http:')) {
    const { StreamableHTTPClientTransport } = installed(
      isFirst ? '@modelcontextprotocol/sdk/client/streamableHttp.js' : '@modelcontextprotocol/client',
    );
    return new StreamableHTTPClientTransport(new URL(command));
  }
  const { StdioClientTransport } = installed(
    isFirst ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio',
  );
  return new StdioClientTransport({ command, args });
}
