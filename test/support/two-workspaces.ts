import { createServer } from 'node:http';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import type { Scope } from '../../src/index.ts';
import { startServer } from './start-server.ts';

/** Two services with equal IDs and names behind one URL: the key decides which answers. `revoke` rejects a key. */
export async function openTwoWorkspaces() {
  const worlds = await Promise.all([createSandbox({ seed: 5 }), createSandbox({ seed: 5 })]);
  const byKey = new Map<string, { world: Sandbox; key: string }>();
  const proxy = createServer(async (request, response) => {
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const target = byKey.get(authorization.slice('Bearer '.length));
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const answer = await fetch(`${target?.world.origin ?? worlds[0]?.origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization: `Bearer ${target?.key ?? 'unknown'}`, 'content-type': type },
      ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const { origin, close } = await startServer(proxy);
  const addKey = (index: 0 | 1, scopes?: readonly Scope[]) => {
    const key = `key_of_workspace_${index}_${byKey.size}_0123456789`;
    const world = worlds[index] as Sandbox;
    byKey.set(key, { world, key: world.key(scopes) });
    return key;
  };
  return {
    worlds,
    baseUrl: `${origin}/api/v1`,
    addKey,
    revoke: (key: string) => byKey.delete(key),
    async close() {
      close();
      await Promise.all(worlds.map((world) => world.close()));
    },
  };
}

export const countLinks = ({ snapshot }: Pick<Sandbox, 'snapshot'>) => snapshot().state.links.size;
