// able are the capabilities of a host that answers all questions of servers.
export const able = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

// answers are its answers by method.
export const answers = {
  'elicitation/create': ({ mode }) =>
    mode === 'url'
      ? { action: 'accept' }
      : { action: 'accept', content: { name: 'Ada', check: true, firstLine: 'It was…', email: 'ada@example.org' } },
  'sampling/createMessage': ({ maxTokens }) => ({
    role: 'assistant', model: 'none', stopReason: 'endTurn', content: { type: 'text', text: `up to ${maxTokens} words` },
  }),
  'roots/list': () => ({ roots: [{ uri: 'file:///srv/a', name: 'A' }, { uri: 'file:///srv/b' }] }),
};

// dialogue uses the tools of the everything server that send messages or questions
// during a call, and returns the view of the host. Call is the function that calls a tool,
// asked collects the notes of the handlers, and logged becomes the first log message.
export async function dialogue(client, call, asked, logged) {
  const progress = [];
  const onprogress = ({ progress: step, total, message }) => progress.push({ step, total, message });
  const controller = new AbortController();
  const cancelled = call('trigger-long-running-operation', { duration: 600, steps: 1 }, { signal: controller.signal })
    .then(() => 'a result', () => 'no result');
  const results = {
    form: await call('trigger-elicitation-request', {}),
    page: await call('trigger-url-elicitation', { url: 'https://example.org/a?b=c', elicitationId: 'e' }),
    sample: await call('trigger-sampling-request', { prompt: 'Say <something>', maxTokens: 7 }),
    roots: await call('get-roots-list', {}),
    long: await call('trigger-long-running-operation', { duration: 0.2, steps: 4 }, { onprogress }),
    annotated: await call('get-annotated-message', { messageType: 'success', includeImage: true }),
    structured: await call('get-structured-content', { location: 'New York' }),
    links: await call('get-resource-links', { count: 3 }),
  };
  const links = results.links.content.filter((content) => content.type === 'resource_link');
  const linked = [];
  for (const link of links) linked.push((await client.readResource({ uri: link.uri })).contents);
  controller.abort();
  results.cancelled = await cancelled;
  results.after = await call('echo', { message: 'and on' });
  await call('toggle-simulated-logging', {}, {}, { 'io.modelcontextprotocol/logLevel': 'debug' });
  const log = await logged;
  await call('toggle-simulated-logging', {});
  return { results, linked, progress, asked, loggedBy: log.logger ?? '' };
}

// caller returns the function that calls a tool of the everything server: by its name, or
// through its toolbox.
export function caller(client, toolbox) {
  return (name, args, options, meta) => {
    const params = toolbox
      ? { name: 'use_tool', arguments: { tool: { toolbox, server: 'everything', tool: name }, arguments: args } }
      : { name, arguments: args };
    return client.callTool(meta ? { ...params, _meta: meta } : params, ...(client.resultSchemas ?? []), options);
  };
}
