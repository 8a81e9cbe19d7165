/**
 * `npm run hosted`: runs two replicas of the hosted server behind one address, on the embedded sandbox.
 * Options: --port N (default 3000), --replicas N (default 2), --redis (starts a Redis instead of sharing a file).
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNumber, readOptions } from './read-options.ts';

const values = readOptions({
  port: { type: 'string', default: '3000' },
  replicas: { type: 'string', default: '2' },
  redis: { type: 'boolean' },
});
const port = readNumber(values.port, { name: '--port', min: 0, max: 65_535 });
const count = readNumber(values.replicas, { name: '--replicas', min: 1, max: 32 });
// Imported late, so that a mistyped option is reported at once.
const { createSandbox } = await import('../sandbox/index.ts');
const { startRedis } = await import('../test/support/redis-server.ts');
const { startReplicas } = await import('./replicas.ts');
const folder = mkdtempSync(join(tmpdir(), 'docshare-hosted-'));
const sandbox = await createSandbox();
const redis = values.redis ? await startRedis() : undefined;
const replicas = await startReplicas({
  count,
  port,
  baseUrl: sandbox.url,
  env: { DOCSHARE_SECRETS: randomBytes(32).toString('base64url'), ...(redis ? { DOCSHARE_REDIS_URL: redis.url } : {}) },
  args: redis ? [] : ['--state', folder],
  onLine: (replica, line) => {
    if (line.includes('"event":"call"')) console.log(`${replica}  ${line}`);
  },
});
console.log(`
${replicas.all.length} replicas at ${replicas.origin}, sharing ${redis ? 'a Redis' : 'a file'}; the service is ${sandbox.url}

  Sign in with this key:   ${sandbox.key()}
  Claude Code:             claude mcp add --transport http docshare ${replicas.origin}/mcp
  Any other host:          ${replicas.origin}/mcp
  Who may call, and end:   ${replicas.origin}/grants
  Metrics:                 ${replicas.all.map(({ metricsUrl }) => `${metricsUrl}/metrics`).join('  ')}

Each call of a tool is told below. Ctrl-C ends all of it.
`);

let isShuttingDown = false;
async function shutdown(): Promise<void> {
  if (isShuttingDown) return;
  isShuttingDown = true;
  await replicas.close();
  await Promise.allSettled([sandbox.close(), redis?.close()]);
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
process.on('SIGINT', shutdown);
process.on('SIGTERM', shutdown);
