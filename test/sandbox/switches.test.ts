/** Switches for the order, filters and sorting of lists, and for the responses to writes. */
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterTest } from '../support/cleanup.ts';

async function names(profile: Record<string, string>, query = ''): Promise<unknown[]> {
  const contacts = ['Ann', 'Bob', 'Cy'].map((name) => ({ name, email: `${name}@x.example` }));
  const sandbox = await closeAfterTest(createSandbox({ profile, fixtures: { contacts } }));
  const answer = await sendJson(sandbox, { key: sandbox.key(), method: 'GET', path: `/contacts${query}` });
  return answer.body.data.map(({ name }: { name: string }) => name);
}

test('a list begins with the newest or the oldest item', async () => {
  expect(await names({})).toEqual(['Cy', 'Bob', 'Ann']);
  expect(await names({ order: 'oldest' })).toEqual(['Ann', 'Bob', 'Cy']);
});

test('a search text filters a list by name, email address or any field, as the profile sets', async () => {
  for (const query of ['?name=an', '?email=ANN@', '?q=ann', '?search=ann']) {
    expect(await names({ listFilters: 'filters' }, query)).toEqual(['Ann']);
  }
  expect(await names({}, '?name=an')).toHaveLength(3);
});

test('a list is sorted if the profile supports it, and ignores unknown sort values', async () => {
  const profile = { listFilters: 'filters+sort' };
  expect(await names(profile, '?sort=created_at&limit=1')).toHaveLength(1);
  expect(await names(profile, '?sort=-size')).toEqual(['Cy', 'Bob', 'Ann']);
});

test.each([
  ['text', 200, /^OK$/],
  ['queued', 202, /^queued$/],
  ['empty', 200, /^$/],
  ['cut', 201, /^\{"id":"room_.*[^}]$/],
  ['scalar', 200, /^"done"$/],
  ['list', 200, /^\[\]$/],
] as const)(
  'writeResponse=%s sets the response to a new room, and the room is stored',
  async (writeResponse, status, text) => {
    const sandbox = await closeAfterTest(createSandbox({ profile: { writeResponse }, data: 'empty' }));
    const headers = { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.url}/rooms`, { method: 'POST', headers, body: '{"name":"R"}' });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)]);
    expect(sandbox.snapshot().state.rooms.size).toBe(1);
  },
);
