import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { type Json, openHostOnSandbox } from '../../support/mcp-host.ts';
import { PRESETS_WITHOUT_WAITS } from '../../support/presets-without-waits.ts';

test.each(PRESETS_WITHOUT_WAITS)(
  'with the sandbox as %s, small pages return each match once, and find finds it',
  async (_, profile) => {
    const sandbox = await closeAfterTest(createSandbox({ profile }));
    const host = await openHostOnSandbox(sandbox);
    const walk = async (args: Json) => {
      const items: Json[] = [];
      let searched: unknown;
      for (let cursor: unknown, calls = 0; calls < 60; calls++) {
        const { data, isError, text } = await host.call('list_contacts', cursor ? { ...args, cursor } : args);
        expect(isError, text).toBe(false);
        items.push(...(data['items'] as Json[]));
        ({ next_cursor: cursor, searched } = data);
        if (cursor === undefined) return { items, searched };
      }
      throw new Error('the list never ends');
    };
    const { items: all } = await walk({});
    const texts = (item: Json) => `${item['name']} ${item['email']}`.toLowerCase();
    const wanted = all.filter((item) => texts(item).includes('e')).map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(3);
    const { items: found, searched } = await walk({ match: 'E', limit: 2 });
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(wanted));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(searched).toMatchObject({ complete: true });
    const { data } = await host.call('find', { text: String(wanted[0]), groups: ['contacts'] });
    expect((data['items'] as Json[])[0]).toMatchObject({ group: 'contacts', id: wanted[0] });
  },
);
