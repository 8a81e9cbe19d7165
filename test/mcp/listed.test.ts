import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { getInputSchema, toHostJsonSchema } from '../../mcp/tool/arguments.ts';
import { findTool } from '../../mcp/toolset/find-tool.ts';
import { toolDefinitions, tools } from '../support/mcp-parts.ts';

const built = fileURLToPath(new URL('../../dist/mcp/', import.meta.url));

test('the built list matches the sources and contains everything that validates a call', async () => {
  const { toolDefinitions: written } = await import(`${built}toolset/tool-definitions.js`);
  expect(written).toEqual(JSON.parse(JSON.stringify(toolDefinitions)));
  expect(toolDefinitions.map(findTool)).toEqual(tools);
  for (const one of toolDefinitions.flatMap((tool) => [tool, ...(tool.fallbacks ?? []).map((one) => one.tool)])) {
    const tool = findTool(one);
    expect(one.inputSchema).toEqual(toHostJsonSchema(getInputSchema(tool, false)));
    expect(one.inputSchemaWithToken !== undefined).toBe(!tool.annotations.readOnlyHint);
    expect({ ...one.annotations, gated: one.mayNeedConfirmation }).toEqual({
      ...tool.annotations,
      gated: tool.confirmation !== undefined,
    });
  }
});

test('a server that only lists its tools loads neither tools nor client', async () => {
  const hook = `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => { process.stderr.write('loads ' + url + '\\n'); return next(url, context); } });`;
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const running = promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, `${built}main.js`],
    { env: { PATH: process.env['PATH'] ?? '', HOME: '/dev/null' } },
  );
  running.child.stdin?.end(`${JSON.stringify(initialize)}\n${JSON.stringify(list)}\n`);
  const { stdout, stderr } = await running;
  expect(stdout).toContain('"list_documents"');
  const loaded = [...stderr.matchAll(/^loads (.+)$/gm)].map(([, url = '']) => url);
  expect(loaded.some((url) => url.endsWith('dist/mcp/toolset/tool-definitions.js'))).toBe(true);
  expect(loaded.filter((url) => /dist\/(mcp\/tools|src\/(operations|client|call)|sandbox)\/|undici/.test(url))).toEqual(
    [],
  );
});
