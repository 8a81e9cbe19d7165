/** How a file is answered, where that was learned. */
import { expect, test } from 'vitest';
import { findFileLocation } from '../../../src/download/file-location.ts';
import { type Contradiction, createClient } from '../../../src/index.ts';
import { endWithTest } from '../../support/end-with-test.ts';
import { NOTHING_LEARNED } from '../../support/form-of.ts';
import { json, type ScriptedAnswer, startScripted } from '../../support/scripted-service.ts';

const SIGNED = 'https://files.example.com/f1?signature=abcdef';
const at = ['file', 'whereabouts'];

test('the address is taken from where it was learned, unless only a usual name holds one', () => {
  const both = { url: 'https://app.example.com/agreements/1', file: { whereabouts: SIGNED, name: 'nda.pdf' } };
  expect(findFileLocation(JSON.stringify(both))?.url).toBe(both.url);
  expect(findFileLocation(JSON.stringify(both), at)).toEqual({ url: SIGNED, name: 'nda.pdf', type: undefined });
  const page = { url: SIGNED, file: { whereabouts: 'https://app.example.com/agreements/1' } };
  expect(findFileLocation(JSON.stringify(page), at)?.url).toBe(SIGNED);
  for (const lost of [[], ['__proto__', 'whereabouts'], ['file', 'constructor', 'name'], ['file', '0']])
    expect(findFileLocation(JSON.stringify({ url: SIGNED, file: { whereabouts: 7 } }), lost)?.url).toBe(SIGNED);
});

test('another form of answer is told once, and the file comes', async () => {
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
