/** What a preview shows of the object that an action changes. */
import { expect, test } from 'vitest';
import type { Json } from '../../support/mcp-host.ts';
import { openHostOnService } from '../../support/mcp-host-on-service.ts';
import { texts } from '../texts.ts';

/** Returns what the preview of deleting link `l1` shows, if the service returns these links. */
async function previewLinkDeletion(links: readonly Json[] | number) {
  const host = await openHostOnService(({ path }) => {
    if (typeof links === 'number') return { status: links, json: {} };
    // Documents cannot be read.
    return path === '/links' ? { json: links } : { status: 403, json: {} };
  });
  const { data } = await host.call('delete_link', { id: 'l1' });
  expect(data).toMatchObject({ done: false, confirm_token: expect.any(String) });
  return data['about'];
}
const others = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `other${at}` }));
const item = { id: 'l1', notes: Array.from({ length: 30 }, (_, at) => `note ${at}`) };

test.each<[string, readonly Json[] | number, unknown]>([
  ['is complete', [{ ...item, owner: null }], expect.objectContaining(item)],
  [
    'says that it was cut',
    [{ id: 'l1', text: 'words of a long note '.repeat(2000) }],
    expect.objectContaining({ id: 'l1', note: texts.longValuesShortenedPreview }),
  ],
  ['says that the link does not exist', others(499), { note: texts.noLinkWithThisId }],
  ['says how far it was searched for', others(500), { note: texts.linkIdFoundAmong }],
  ['is left out if the service fails', 403, undefined],
  ['lacks the document if it cannot be read', [{ id: 'l1', document_id: 'd' }], { id: 'l1', document_id: 'd' }],
])('the object in a preview %s', async (_, links, about) => {
  expect(await previewLinkDeletion(links)).toEqual(about);
});

test('a cancel while the object is read ends the call', async () => {
  const requested = Promise.withResolvers<void>();
  const host = await openHostOnService(() => {
    requested.resolve();
    return new Promise<never>(() => undefined);
  });
  const abort = new AbortController();
  const call = host.call('delete_link', { id: 'l1' }, { signal: abort.signal });
  await requested.promise;
  abort.abort();
  await expect(call).rejects.toThrow();
});

test('references that are numbers name the document with its file, and the room, too', async () => {
  const lists: Record<string, unknown> = {
    '/links': [
      { id: 7, name: 'Pricing', document_id: 1, room_id: null, email_required: true },
      { id: 8, name: 'All', document_id: null, room_id: 2, email_required: true },
    ],
    '/rooms': [{ id: 2, name: 'Board room' }],
    '/documents/1': { id: 1, name: 'Prices', file_name: 'salaries.pdf' },
  };
  const service = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  const questions: readonly (readonly [string, Json, string])[] = [
    [
      'update_link',
      { id: '7', fields: { email_required: false } },
      '"Pricing" (document "Prices", file "salaries.pdf")',
    ],
    ['update_link', { id: '8', fields: { email_required: false } }, '"All" (room "Board room")'],
    [
      'add_room_file',
      { id: '2', fields: { document_id: 1 } },
      'Add "Prices" (file "salaries.pdf") to room "Board room"',
    ],
    ['update_template', { id: '5', fields: { document_id: 1 } }, 'to document "Prices" (file "salaries.pdf")'],
  ];
  for (const [tool, args, expected] of questions) {
    const { data } = await service.call(tool, args);
    expect(String(data['preview']).replaceAll('\n', ' '), tool).toContain(expected);
  }
  const report = (await service.call('report_link', { document_id: '1' })).data;
  expect(report).toMatchObject({ id: '7', document: { id: '1', name: 'Prices' } });
});
