import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { mcpMain } from '../support/entry.ts';

test('over HTTP a no holds for its key at every connection, and for no other key', async () => {
  const sandbox = await createSandbox({ data: 'empty' });
  const child = spawn(process.execPath, [mcpMain, '--http', '--port', '0', '--state', 'memory'], {
    env: { PATH: process.env['PATH'] ?? '', DOCSHARE_BASE_URL: sandbox.url },
  });
  const [line] = await once(child.stderr, 'data');
  const url = new URL(JSON.parse(String(line)).url);
  const asked: string[] = [];

  async function callWith(key: string, who: string, reply: object | undefined) {
    const client = new Client(
      { name: who, version: '1' },
      { capabilities: reply ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    if (reply)
      client.setRequestHandler('elicitation/create', async () => {
        asked.push(who);
        await sleep(1100);
        return reply as never;
      });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const { structuredContent } = await client.callTool({ name: 'delete_link', arguments: { id: 'l' } });
    await client.close();
    return structuredContent;
  }

  const [mine, yours] = [sandbox.key(), sandbox.key()];
  const yes = { action: 'accept', content: { confirm: true } };
  expect(await callWith(mine, 'first', { action: 'decline' })).toMatchObject({ outcome: 'declined' });
  expect(await callWith(mine, 'second', yes)).toMatchObject({ outcome: 'declined' });
  expect(await callWith(mine, 'without forms', undefined)).toMatchObject({ outcome: 'declined' });
  expect(sandbox.log.entries().filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect(await callWith(yours, 'another key without forms', undefined)).toMatchObject({
    done: false,
    outcome: 'not_shown',
  });
  await callWith(yours, 'another key', yes);
  expect(asked).toEqual(['first', 'another key']);
  expect(sandbox.log.entries().filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  child.kill('SIGTERM');
  await once(child, 'exit');
  await sandbox.close();
});
