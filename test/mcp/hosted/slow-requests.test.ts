import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { enforceRequestTimeout } from '../../../mcp/hosted/http/request-timeout.ts';
import { isUploadRequest } from '../../../mcp/hosted/user-pages.ts';
import { listenForTest } from '../../support/listen.ts';

/** Returns the response to a request with an endless body, once the server has closed the connection. */
async function untilHungUp(line: string): Promise<string> {
  const server = createServer((request, response) => {
    // File routes read the body; other routes can wait for it or respond without it.
    if (request.url?.includes('wait')) return;
    response.writeHead(404).end('none');
  });
  enforceRequestTimeout(server, { hasOwnTimeout: isUploadRequest, timeoutMs: 100 });
  const { port } = new URL(await listenForTest(server));
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n`);
  const drip = setInterval(() => socket.write('x'), 20);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
  return text;
}

describe('a body that never ends does not keep a connection open', () => {
  test.each(['GET /upload/x', 'PUT /upload/x', 'PUT /upload/x?name=a.pdf'])('after the answer to %s', async (line) => {
    expect(await untilHungUp(line)).toContain('404 Not Found');
  });

  test.each(['POST /upload/../token?wait', 'POST /upload/%2e%2e/token?wait', 'GET /upload/wait', 'PUT /upload/x/wait'])(
    'without a response, on a route that takes no files: %s',
    async (line) => {
      expect(await untilHungUp(line)).toBe('');
    },
  );
});

test('a file upload has its own timeout', () => {
  expect(isUploadRequest({ method: 'PUT', url: '/upload/a-token_1' })).toBe(true);
  expect(isUploadRequest({ method: 'PUT', url: '/upload/a-token_1?name=..%2fa' })).toBe(true);
});
