import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readPeakMiB } from '../../tools/peak-memory.ts';
import { createRandom } from '../support/random.ts';
import { REVIEWED_TOOLS } from '../support/reviewed-tools.ts';
import { startMcp } from '../support/run-mcp.ts';

const call = (id: unknown, args: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"list_documents","arguments":${args}}}`;

/** Malformed lines: one tenth of all lines has each of these kinds. */
const KINDS: readonly ((random: () => number) => string)[] = [
  (random) => Buffer.from(Array.from({ length: 40 }, () => 32 + random() * 200)).toString('latin1'),
  (random) => call(1, '{"limit":1}').slice(0, Math.floor(random() * 90)),
  (random) => call(Math.floor(random() * 1e6), `${'['.repeat(2000)}${']'.repeat(2000)}`),
  (random) => call(random() * 1e9, '{"limit":1,"limit":"x","__proto__":{"polluted":true}}'),
  (random) => call(`p${random()}`, '{"constructor":{"prototype":{"polluted":true}},"query":{"__proto__":1}}'),
  (random) => call(null, JSON.stringify({ cursor: 'x'.repeat(Math.floor(random() * 20_000)) })),
  (random) => JSON.stringify({ jsonrpc: '2.0', id: {}, method: ['x'], params: random() }),
  () => '{"jsonrpc":"2.0","id":1,"result":{},"error":{},"method":"x"}',
  (random) => JSON.stringify({ jsonrpc: '1.0', id: random(), method: '__proto__' }),
  () => '\u2028\u0000\ufffd{"jsonrpc":"2.0"}',
];

test('after 2,000 malformed lines the server still responds, only in JSON-RPC and with bounded memory', async () => {
  const { child, output } = startMcp(['--log-level', 'silent', '--state', 'memory']);
  const send = async (line: string) => {
    if (!child.stdin.write(`${line}\n`)) await once(child.stdin, 'drain');
  };
  await send(
    '{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}',
  );
  await expect.poll(() => output.stdout, { timeout: 20_000 }).toContain('"first"');
  const random = createRandom(20261121);
  for (let line = 0; line < 2000; line += 1)
    await send((KINDS[line % KINDS.length]?.(random) ?? '').replace(/[\r\n]/g, ' '));
  await send(call('large', JSON.stringify({ cursor: 'y'.repeat(6_000_000) })));
  await send('{"jsonrpc":"2.0","id":"last","method":"tools/list"}');
  await expect.poll(() => output.stdout.includes('"id":"last"'), { timeout: 60_000, interval: 200 }).toBe(true);
  expect(child.exitCode).toBeNull();
  expect(readPeakMiB(child.pid)).toBeLessThan(600);
  child.stdin.end();
  await once(child, 'close');
  const lines = output.stdout.trim().split('\n');
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  expect(output.stdout).not.toContain('polluted":true');
  const last = lines.map((line) => JSON.parse(line)).find(({ id }) => id === 'last');
  expect(last.result.tools).toHaveLength(REVIEWED_TOOLS.length);
}, 120_000);
