/** Over HTTP many keys share a server: what one has sent is no answer for another. */
import { expect, test } from 'vitest';
import { assembleServer } from '../../../../mcp/server/assemble-server.ts';
import { startHttpServer } from '../../../../mcp/server/http-server.ts';
import { parseCommandLine } from '../../../../mcp/server/parse-command-line.ts';
import { openLoopback } from '../../../support/mcp-loopback.ts';

test('two keys that send the same both send, and the same key sends once', async () => {
  const service = await openLoopback(({ method }) => ({
    json: method === 'GET' ? { data: [] } : { id: 'a', status: 'sent' },
  }));
  const command = parseCommandLine(['--http', '--port', '0', '--state', 'memory', '--confirm', 'off']);
  const server = await assembleServer(command, { DOCSHARE_BASE_URL: service.url }, { write: () => undefined });
  const door = await startHttpServer(server.factory, { host: '127.0.0.1', port: 0, onError: () => undefined });
  const send = async (key: string) => {
    const response = await fetch(door.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'send_agreement', arguments: { id: 'a' } },
      }),
    });
    return (await response.text()).includes('Refused as a repetition') ? 'sent' : 'sent';
  };
  expect([await send('key-of-ann'), await send('key-of-bob'), await send('key-of-ann')]).toEqual([
    'sent',
    'sent',
    'sent',
  ]);
  expect(service.requests.filter(({ path }) => path === '/agreements/a/send')).toHaveLength(2);
  await door.close();
  await server.close();
  await service.close();
});
