/** Downloads with a profile that says how the service returns files. */
import { expect, test } from 'vitest';
import { type Contradiction, createClient } from '../../../src/index.ts';
import { NOTHING_LEARNED } from '../../support/create-profile.ts';
import { endWithTest } from '../../support/end-with-test.ts';
import { json, type ScriptedAnswer, startScripted } from '../../support/scripted-service.ts';

const SIGNED = 'https://files.example.com/f1?signature=abcdef';
const at = ['file', 'whereabouts'];

test('another form of response is reported once, and the file is downloaded', async () => {
  const redirect: ScriptedAnswer = (_, response) => void response.writeHead(302, { location: SIGNED }).end();
  const service = endWithTest(await startScripted([json({ file: { whereabouts: SIGNED } }), redirect, redirect]));
  const baseUrl = `${service.origin}/api/v1`;
  const facts = { download: { by: 'url', status: 200, at } } as const;
  const said: Contradiction[] = [];
  const hooks = { onContradiction: (seen: Contradiction) => said.push(seen) };
  const profile = { ...NOTHING_LEARNED, service: baseUrl, facts };
  const client = endWithTest(createClient({ apiKey: 'k', baseUrl, profile, hooks }));
  for (let turn = 0; turn < 3; turn += 1) expect((await client.agreements.document({ id: 'a1' })).url).toBe(SIGNED);
  expect(said).toEqual([
    { operation: 'agreements.document', fact: 'facts.download', expected: 'url', actual: 'redirect' },
  ]);
});
