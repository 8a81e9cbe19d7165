/**
 * `npm run hosted`: two replicas of the hosted server behind one address, on the embedded sandbox, to look at.
 * Options: --port N (default 3000), --replicas N (default 2), --redis (a Redis of its own instead of a shared file).
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSandbox } from '../sandbox/index.ts';
import { startRedis } from '../test/world/redis-server.ts';
import { startReplicas } from './replicas.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, replicas: { type: 'string' }, redis: { type: 'boolean' } },
});
const folder = mkdtempSync(join(tmpdir(), 'docshare-hosted-'));
const sandbox = await createSandbox();
const redis = values.redis ? await startRedis() : undefined;
const replicas = await startReplicas({
  count: Number(values.replicas ?? 2),
  port: Number(values.port ?? 3000),
  baseUrl: sandbox.url,
  env: {
    DOCSHARE_SECRETS: randomBytes(32).toString('base64url'),
    ...(redis ? { DOCSHARE_REDIS_URL: redis.url } : {}),
  },
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

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await replicas.close();
  await Promise.allSettled([sandbox.close(), redis?.close()]);
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
process.on('SIGINT', end);
process.on('SIGTERM', end);
