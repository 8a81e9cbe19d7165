import { expect, test } from 'vitest';
import { startUploadService } from '../../support/upload-service.ts';

const START = 'POST /api/v1/documents/uploads';
const bytes = Buffer.alloc(100_000, 'x');

test.each([307, 308])('a PUT follows a %i with its bytes and signed headers', async (status) => {
  const { client, log } = await startUploadService({
    'PUT /storage': ({ line }, response) =>
      response.writeHead(line.endsWith('/1') ? status : 200, { location: '/storage/9?signature=next' }).end(),
  });
  await client.upload(bytes, { via: 'direct' });
  const put = log.find(({ line }) => line === 'PUT /storage/9');
  expect(put?.body.equals(bytes)).toBe(true);
  expect(put?.headers).toMatchObject({ 'x-amz-server-side-encryption': 'AES256', 'content-length': '100000' });
  expect(put?.headers).not.toHaveProperty('authorization');
});

test('an upload URL on another host gets the bytes but never the key', async () => {
  const storage = await startUploadService();
  const { client } = await startUploadService({ [START]: () => storage.session() });
  await client.upload(bytes, { via: 'direct' });
  expect(storage.log.map(({ line }) => line)).toEqual(['PUT /storage/1']);
  expect(storage.log[0]?.headers).not.toHaveProperty('authorization');
});
