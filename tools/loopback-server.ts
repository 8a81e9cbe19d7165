/** Service for the benches: responds at once and counts requests. Prints its origin as one line. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const item = { id: 'doc_1', name: 'Plan.pdf', created_at: '2026-01-01T00:00:00Z', pages: 12, size: 123_456 };

const server = createServer((request, response) => {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
  });
  request.on('error', () => undefined);
  request.on('end', () => {
    const hasExactLength =
      request.headers['content-length'] === undefined || Number(request.headers['content-length']) === size;
    const session = {
      uploadUrl: `http://${request.headers.host}/storage?signature=x`,
      headers: { 'Content-Type': 'application/octet-stream' },
      storageKey: 'file',
      token: 'one-time',
    };
    const isUploadStart = request.url === '/api/v1/documents/uploads';
    response.writeHead(hasExactLength ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isUploadStart ? session : { ...item, received: size }));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
