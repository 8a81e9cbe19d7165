import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { getInputSchema, toHostJsonSchema } from '../../mcp/tool/arguments.ts';
import { findTool } from '../../mcp/toolset/find-tool.ts';
import { createFolderForFile, createFolderForTest } from '../support/cleanup.ts';
import { mcpMain } from '../support/entry.ts';
import { initialize, request } from '../support/mcp-http.ts';
import { toolDefinitions, tools } from '../support/mcp-parts.ts';
import { REVIEWED_TOOLS } from '../support/reviewed-tools.ts';
import { root } from '../support/root-folder.ts';

const run = promisify(execFile);
const built = join(root, 'dist/mcp/main.js');

test('the server lists its tools within ten times the startup time of Node', async () => {
  const ratios: number[] = [];
  // Measures again if other load slowed down one of the two processes.
  for (let round = 0; round < 8 && !(Math.min(...ratios) < 10); round++) {
    const bareAt = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    const bareMs = performance.now() - bareAt;
    const startedAt = performance.now();
    const child = spawn(process.execPath, [built], { stdio: ['pipe', 'pipe', 'ignore'] });
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const message of [initialize(), initialized, request(2, 'tools/list')])
      child.stdin.write(`${JSON.stringify(message)}\n`);
    for await (const chunk of child.stdout) if (String(chunk).includes('"id":2')) break;
    ratios.push((performance.now() - startedAt) / bareMs);
    child.kill();
    await once(child, 'exit');
  }
  // About 160 ms compared with 40 ms on an idle machine.
  expect(Math.min(...ratios)).toBeLessThan(10);
});

test('a Node that is too old gets one sentence', async () => {
  const folder = createFolderForTest('docshare-old-node-');
  mkdirSync(join(folder, 'mcp'));
  mkdirSync(join(folder, 'src'));
  copyFileSync(built, join(folder, 'mcp/main.mjs'));
  for (const name of ['mcp/compile-cache.js', 'mcp/home-folder.js', 'src/create-private-folder.js'])
    copyFileSync(join(root, 'dist', name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // Outside the repository there is no pinned Node. The patched version simulates an old Node.
  const lie = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
  const failed = await run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(lie)}`,
    join(folder, 'mcp/main.mjs'),
  ]).catch((error: { code: number; stderr: string }) => error);
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^docshare-mcp requires Node 22\.19 or newer; this is 20\.20\.2\.[^\n]*\n$/),
  });
});

test('on a Node that is too old, the pinned one takes over with the same pipes', async () => {
  const lie =
    "if(!process.env.DOCSHARE_PINNED_NODE)Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
  const args = ['--import', `data:text/javascript,${encodeURIComponent(lie)}`, built, '--version'];
  const { stdout } = await run(process.execPath, args);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the built list matches the sources and contains everything that validates a call', async () => {
  const { toolDefinitions: written } = await import(join(root, 'dist/mcp/toolset/tool-definitions.js'));
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
  const running = run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, built], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/dev/null' },
  });
  running.child.stdin?.end(`${JSON.stringify(initialize())}\n${JSON.stringify(request(2, 'tools/list'))}\n`);
  const { stdout, stderr } = await running;
  expect(stdout).toContain('"list_documents"');
  const loaded = [...stderr.matchAll(/^loads (.+)$/gm)].map(([, url = '']) => url);
  expect(loaded.some((url) => url.endsWith('dist/mcp/toolset/tool-definitions.js'))).toBe(true);
  expect(loaded.filter((url) => /dist\/(mcp\/tools|src\/(operations|client|call)|sandbox)\/|undici/.test(url))).toEqual(
    [],
  );
});

const inspector = `${root}node_modules/.bin/mcp-inspector`;
// Otherwise the Inspector would store its catalog in the home folder of the user who runs the tests.
const env = { ...process.env, MCP_CATALOG_PATH: join(createFolderForFile('docshare-inspector-'), 'mcp.json') };

async function inspect(...args: string[]) {
  const command = [inspector, '--cli', process.execPath, mcpMain, '--sandbox', ...args];
  const options = { cwd: root, env, maxBuffer: 16 * 1024 * 1024, timeout: 60_000 };
  const { stdout } = await run(process.execPath, command, options);
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

test('the official Inspector lists the tools, finds no schema that hosts reject, and calls a tool', async () => {
  const { tools } = await inspect('--method', 'tools/list', '--strict');
  expect(tools).toHaveLength(REVIEWED_TOOLS.length);
  const { structuredContent } = await inspect(
    ...['--method', 'tools/call', '--tool-name', 'list_links', '--tool-arg', 'limit=2'],
  );
  expect(structuredContent).toMatchObject({ items: expect.any(Array) });
  const { resourceTemplates } = await inspect('--method', 'resources/templates/list');
  expect(resourceTemplates).toHaveLength(6);
}, 120_000);
