import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createSandbox } from '../../sandbox/index.ts';
import { callAt } from '../../test/support/hosted-calls.ts';
import { SECRET } from '../../test/support/hosted-server.ts';
import { tokensAt } from '../../test/support/hosted-visitor.ts';
import { hasRedis, NO_REDIS, startRedis } from '../../test/support/redis-server.ts';

/**
 * Starts the packed hosted server with a real Redis, signs in and calls a tool, because a part missing from the bundled
 * Redis client shows only then. @returns a description of what was done
 */
export async function smokeTestHosted(node: string, bin: string): Promise<string> {
  if (!hasRedis) return `hosted server not tried: ${NO_REDIS}`;
  const sandbox = await createSandbox();
  const redis = await startRedis();
  const child = spawn(node, [bin, '--hosted', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      DOCSHARE_BASE_URL: sandbox.url,
      DOCSHARE_SECRETS: SECRET,
      DOCSHARE_REDIS_URL: redis.url,
    },
  });
  const ended = once(child, 'exit');
  try {
    let stderr = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`The hosted server stopped: ${stderr}`)));
      createInterface({ input: child.stderr }).on('line', (line) => {
        stderr += `${line}\n`;
        if (line.startsWith('{"event":"ready"')) resolve(new URL(JSON.parse(line).url).origin);
      });
    });
    while (!(await fetch(`${url}/readyz`)).ok) await new Promise((resolve) => setTimeout(resolve, 50));
    const { tokens } = await tokensAt(url, { key: sandbox.key() });
    const { isError, data } = await callAt(url, tokens.access_token, 'get_usage');
    const { state } = (await (await fetch(`${url}/readyz`)).json()) as { state: { backend: string; up: boolean } };
    if (isError || state.backend !== 'redis' || !state.up)
      throw new Error(`The hosted server returned ${JSON.stringify({ data, state })}: ${stderr}`);
    return 'hosted server on Redis';
  } finally {
    child.kill();
    await ended;
    await redis.close();
    await sandbox.close();
  }
}
