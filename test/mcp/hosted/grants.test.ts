/** `/grants`: the holder of a key can revoke its sign-ins, only in their own browser, and nothing else. */

import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/close-after.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson, rpcAt, tokensAt } from '../../support/hosted-visitor.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedInProcess({ baseUrl: sandbox.url }));
const url = server.url;

const works = async (token: string) => (await rpcAt(url, token, 'tools/list')).status === 200;

/** Opens the page of a key's grants in a separate browser, and returns the ID of the grant on it. */
async function openGrants(key: string) {
  const person = createPerson(url);
  await person.load('/grants');
  const page = await person.post('/grants', [['api_key', key]]);
  return { person, visit: page.field('visit'), id: /name="end" value="([^"]+)"/.exec(page.html)?.[1] ?? '' };
}

test('a page that was opened with a key in one browser revokes nothing from another', async () => {
  const key = sandbox.key();
  const { tokens } = await tokensAt(url, { key });
  const { person, visit, id } = await openGrants(key);
  const thief = createPerson(url);
  await thief.load('/grants');
  const fields = [
    ['visit', visit],
    ['end', id],
  ] as const;
  expect((await thief.post('/grants', fields)).status).toBe(403);
  expect(await works(tokens.access_token)).toBe(true);
  expect((await person.post('/grants', fields)).status).toBe(200);
  expect(await works(tokens.access_token)).toBe(false);
});

test('the ID of another key’s grant and an unknown ID revoke nothing', async () => {
  const [mine, yours] = [sandbox.key(), sandbox.key()];
  const [own, other] = [await tokensAt(url, { key: mine }), await tokensAt(url, { key: yours })];
  const [{ person, visit }, { id }] = [await openGrants(mine), await openGrants(yours)];
  expect(id).not.toBe('');
  for (const more of [[['end', id] as const], [['end', ''] as const], []])
    expect((await person.post('/grants', [['visit', visit], ...more])).status).toBe(200);
  expect(await works(own.tokens.access_token)).toBe(true);
  expect(await works(other.tokens.access_token)).toBe(true);
});

test('guessing keys is rate-limited', async () => {
  const person = createPerson(url);
  await person.load('/grants');
  let last = 0;
  for (let tries = 0; tries < 40 && last !== 429; tries += 1)
    last = (await person.post('/grants', [['api_key', `guess-${tries}`]])).status;
  expect(last).toBe(429);
});
