/**
 * Measures the time from the start of the packaged MCP server to its list of tools, in paired rounds with `server-filesystem`,
 * the fastest known server, and with a bare SDK server, bundled in the same way with as many tools.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { toolDefinitions } from '../mcp/toolset/tool-definitions.ts';
import { buildPackages } from '../scripts/pack/build-packages.ts';
import { bundle } from '../scripts/pack/bundle.ts';
import { REFERENCE_SERVER } from '../scripts/pack/reference-server.ts';
import { readOptions } from '../scripts/read-options.ts';
import { measureStart, type StartMeasurement } from './measure-start.ts';

readOptions({});

const ROUNDS = 15;
const GOALS = { peerRatio: 0.65, bare: 1.1 };
const folder = mkdtempSync(join(tmpdir(), 'docshare-start-'));
// In the build folder, to find the SDK.
const bare = mkdtempSync(resolve('dist/bare-'));

const BARE_SERVER = `
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
const server = new McpServer({ name: 'bare', version: '1.0.0' });
for (let index = 0; index < ${toolDefinitions.length}; index++)
  server.registerTool(
    'tool_' + index,
    {
      title: 'Tool ' + index,
      description: 'Does something with one object.',
      inputSchema: z.strictObject({
        id: z.string().describe('Id'),
        name: z.string().describe('Name').optional(),
        limit: z.number().describe('Most items').optional(),
      }),
      outputSchema: z.object({ id: z.string(), name: z.string().optional() }),
    },
    async ({ id }) => ({ content: [], structuredContent: { id } }),
  );
await server.connect(new StdioServerTransport());
`;
const BARE_MAIN = `
import { enableCompileCache } from '../mcp/compile-cache.js';
enableCompileCache(process.env);
void import('./server.js');
`;

try {
  writeFileSync(join(bare, 'server.js'), BARE_SERVER);
  writeFileSync(join(bare, 'main.js'), BARE_MAIN);
  await bundle({ rootFolder: bare, entries: { main: join(bare, 'main.js') }, outFolder: join(folder, 'bare') });
  writeFileSync(join(folder, 'bare/package.json'), '{"type":"module"}');
  // pdf.js is not read at the start, so its compression does not matter.
  await buildPackages(join(folder, 'packages'), { quality: 1, only: 'docshare-mcp' });
  mkdirSync(join(folder, 'peer'));
  writeFileSync(join(folder, 'peer/package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', REFERENCE_SERVER.spec], {
    cwd: join(folder, 'peer'),
  });
  const programs = {
    'node alone': ['-e', 'process.stdin.on("data",()=>console.log("{\\"id\\":1}\\n{\\"id\\":2}"))'],
    bare: [join(folder, 'bare/main.js')],
    'docshare-mcp': [join(folder, 'packages/docshare-mcp/bin.cjs')],
    [REFERENCE_SERVER.name]: [join(folder, 'peer', REFERENCE_SERVER.main), folder],
  };
  // Its own cache, filled by the first round.
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), HOME: folder };
  const rounds: Record<string, StartMeasurement>[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const starts: Record<string, StartMeasurement> = {};
    // Rotates the order, because later measurements find warmer caches.
    const names = Object.keys(programs);
    for (const name of [...names.slice(round % names.length), ...names.slice(0, round % names.length)])
      starts[name] = await measureStart(programs[name as keyof typeof programs] ?? [], { env });
    if (round > 0) rounds.push(starts);
  }
  const median = (pick: (starts: Record<string, StartMeasurement>) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
  console.log(`Start of an MCP server to its list of tools, median of ${ROUNDS} paired rounds`);
  for (const name of Object.keys(programs)) {
    const formatMedian = (key: keyof StartMeasurement) =>
      median((starts) => starts[name]?.[key] ?? 0)
        .toFixed(0)
        .padStart(5);
    console.log(
      `  ${name.padEnd(20)}${formatMedian('ms')} ms  ${formatMedian('cpuMs')} ms CPU  ${formatMedian('peakMiB')} MiB  ${formatMedian('tools')} tools`,
    );
  }
  const ratioTo = (key: 'ms' | 'cpuMs' | 'peakMiB', other: string) =>
    median((starts) => (starts['docshare-mcp']?.[key] ?? 0) / (starts[other]?.[key] || 1));
  const memory = ratioTo('peakMiB', REFERENCE_SERVER.name);
  for (const key of ['ms', 'cpuMs'] as const) {
    const [peerRatio, bareRatio] = [ratioTo(key, REFERENCE_SERVER.name), ratioTo(key, 'bare')];
    const label = key === 'ms' ? 'time' : 'CPU time';
    console.log(
      `  ratio of ${label}: ${peerRatio.toFixed(2)} to ${REFERENCE_SERVER.name} (goal ${GOALS.peerRatio}), ${bareRatio.toFixed(2)} to bare (goal ${GOALS.bare})`,
    );
    if (key === 'ms' && (peerRatio > GOALS.peerRatio || bareRatio > GOALS.bare)) process.exitCode = 1;
  }
  console.log(`  ratio of peak memory: ${memory.toFixed(2)} to ${REFERENCE_SERVER.name} (goal 1)`);
  if (memory > 1) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(bare, { recursive: true, force: true });
}
