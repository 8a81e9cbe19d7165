/** Switches for the order, page size and accepted parameters of lists. */
import { afterEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function names(profile: Record<string, string>, query = ''): Promise<unknown[]> {
  const contacts = ['Ann', 'Bob', 'Cy'].map((name) => ({ name, email: `${name}@x.example` }));
  sandbox = await createSandbox({ profile, fixtures: { contacts } });
  const answer = await fetch(`${sandbox.url}/contacts${query}`, {
    headers: { authorization: `Bearer ${sandbox.key()}` },
  });
  const { data } = (await answer.json()) as { data: { name: string }[] };
  return data.map(({ name }) => name);
}

test('a list begins with the newest or the oldest item', async () => {
  expect(await names({})).toEqual(['Cy', 'Bob', 'Ann']);
  await sandbox.close();
  expect(await names({ order: 'oldest' })).toEqual(['Ann', 'Bob', 'Cy']);
});

test('a search text filters a list by name, email address or any field, as the profile sets', async () => {
  for (const query of ['?name=an', '?email=ANN@', '?q=ann', '?search=ann']) {
    expect(await names({ listFilters: 'filters' }, query)).toEqual(['Ann']);
    await sandbox.close();
  }
  expect(await names({}, '?name=an')).toHaveLength(3);
});

test('a list is sorted if the profile supports it, and ignores unknown sort values', async () => {
  const profile = { listFilters: 'filters+sort' };
  expect(await names(profile, '?sort=created_at&limit=1')).toHaveLength(1);
  await sandbox.close();
  expect(await names(profile, '?sort=-size')).toEqual(['Cy', 'Bob', 'Ann']);
});
