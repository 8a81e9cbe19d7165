/** A gate does not vanish by a slip of a key in the Additional Fields; a name that Docshare really has goes under `extra`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Loopback, openLoopback } from '../support/mcp-loopback.ts';
import { type Platform, startPlatform } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let service: Loopback;
let zap: Platform;
beforeAll(async () => {
  service = await openLoopback(() => ({ json: { id: 'l', url: 'https://docs.test/l' } }));
  zap = await startPlatform({ apiKey: 'key', baseUrl: service.url });
});
afterAll(async () => {
  await zap.close();
  await service.close();
});

const METHOD = 'creates.update_link.operation.perform';

test('a near name is refused before anything is sent, under extra it passes, and a field called extra is sent as given', async () => {
  const error = await zap.runError(METHOD, { inputData: { link: 'l', fields: { emailRequired: 'true' } } });
  expect(error.message).toBe(texts.unknownFieldEmailrequiredDid);
  expect(service.requests).toEqual([]);
  for (const fields of [{ extra: '{"emailRequired": true}' }, { extra: 'x' }])
    await zap.run(METHOD, { inputData: { link: 'l', fields } });
  await zap.run(METHOD, { inputData: { link: 'l', learned__extra: 'learned' } });
  const writes = service.requests.filter(({ method }) => method === 'PATCH');
  expect(writes.map(({ body }) => JSON.parse(body))).toEqual([
    { emailRequired: true },
    { extra: 'x' },
    { extra: 'learned' },
  ]);
});
