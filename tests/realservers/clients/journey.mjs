// journey uses a workbench through the SDK like a host, and returns
// the SDK's view of the answers. The calls are the same for every version.
export async function journey(client, toolbox) {
  const use = (tool, args) =>
    client.callTool({ name: 'use_tool', arguments: { tool: { toolbox, server: 'everything', tool }, arguments: args } });
  const open = (name) => client.callTool({ name: 'open_toolbox', arguments: { toolbox: name } });

  const { tools } = await client.listTools();
  const early = await use('echo', { message: 'too early' });
  const opened = await open(toolbox);
  const ten = Array.from({ length: 10 }, (_, i) => use('echo', { message: `${i}` }));
  return {
    server: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    tools: tools.map((tool) => tool.name),
    early,
    opened: JSON.parse(opened.content[0].text),
    reopened: JSON.parse((await open(toolbox)).content[0].text),
    unknownToolbox: await open('nowhere'),
    echo: await use('echo', { message: 'hello' }),
    together: (await Promise.all(ten)).map((result) => result.content[0].text),
    image: await use('get-tiny-image', {}),
    structured: await use('get-structured-content', { location: 'Chicago' }),
    refused: await use('get-structured-content', { location: 'Atlantis' }),
    unknownTool: await client.callTool({ name: 'no_such_tool', arguments: {} }).then(
      (result) => ({ result }),
      (error) => ({ code: error.code, message: error.message }),
    ),
  };
}
