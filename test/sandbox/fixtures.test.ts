import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type Fixtures } from '../../sandbox/index.ts';
import { closeAfterTest, createFolderForFile } from '../support/cleanup.ts';
import { texts } from './texts.ts';

const folder = createFolderForFile('docshare-fixtures-');
await writeFile(join(folder, 'hello.txt'), 'hello');

const FIXTURES: Fixtures = {
  documents: [
    { id: 'doc_deck', name: 'Deck', pages: 3 },
    { id: 'doc_text', name: 'Text', path: 'hello.txt' },
  ],
  templates: [{ id: 'tpl_1', name: 'NDA', document_id: 'doc_deck' }],
  contacts: [{ email: 'ada@example.com', tags: ['vip'] }],
  rooms: [
    {
      id: 'room_1',
      name: 'Room',
      groups: [{ id: 'grp_1', name: 'Investors', emails: ['ada@example.com'] }],
      folders: [
        { id: 'fld_1', name: 'Open' },
        { id: 'fld_2', name: 'Inner', parent_id: 'fld_1' },
      ],
      files: [{ id: 'rfl_1', document_id: 'doc_deck', folder_id: 'fld_2' }],
      permissions: [{ group_id: 'grp_1', folder_id: 'fld_1', access: 'view' }],
    },
  ],
  links: [
    { id: 'lnk_1', document_id: 'doc_deck', email_required: true, visits: [{ email: 'a@example.com', pages: [5, 6] }] },
  ],
  agreements: [
    { id: 'env_1', template_id: 'tpl_1', recipients: ['ada@example.com'], signed_by: ['ada@example.com'] },
    {},
  ],
  proposals: [{ accepted: true }, { sent: true }, {}].map((is) => ({ name: 'Offer', email: 'ada@example.com', ...is })),
  webhooks: [{ id: 'whk_1', url: 'http://127.0.0.1:9/', events: ['*'] }],
};

const TEXT = JSON.stringify(FIXTURES);

test.each([
  ['JSON', 'world.json', TEXT],
  ['a TypeScript module with the data', 'value.ts', `const data: object = ${TEXT};\nexport default data;\n`],
  ['a module with a function that returns the data', 'made.mjs', `export default async () => (${TEXT});\n`],
])('fixtures are %s', async (_, name, text) => {
  await writeFile(join(folder, name), text);
  const sandbox = await closeAfterTest(createSandbox({ fixtures: join(folder, name), clock: 'manual' }));
  const headers = { authorization: `Bearer ${sandbox.key()}` };
  const get = async (path: string) => (await fetch(sandbox.url + path, { headers })).json();
  for (const round of ['start', 'reset']) {
    expect([round, (await get('/documents/doc_deck')).page_count]).toEqual([round, 3]);
    expect(await get('/analytics/links/lnk_1')).toMatchObject({ views: 1, total_seconds: 11 });
    expect((await get('/rooms')).data).toMatchObject([
      { id: 'room_1', folders: [{ id: 'fld_1' }, {}], files: [{ folder_id: 'fld_2' }], groups: [{ id: 'grp_1' }] },
    ]);
    expect((await get('/agreements')).data).toMatchObject([{ status: 'draft' }, { id: 'env_1', status: 'signed' }]);
    const proposals: { status: string }[] = (await get('/proposals')).data;
    expect(proposals.map(({ status }) => status)).toEqual(['draft', 'sent', 'accepted']);
    expect((await get('/contacts')).data).toMatchObject([{ tags: ['vip'] }]);
    const { download_url } = await get('/documents/doc_text');
    expect(await (await fetch(download_url)).text()).toBe('hello');
    expect(sandbox.deliveries.entries()).toEqual([]);
    sandbox.reset();
  }
});

test.each([
  [{ link: [] }, 'fixtures: Unrecognized key: "link"'],
  [{ documents: {} }, 'documents: Invalid input: expected array'],
  [{ documents: [{ id: '../x', name: 'x' }] }, 'documents[0].id: must be letters'],
  [{ documents: Array(2).fill({ id: 'a', name: 'x' }) }, 'documents[1].id: "a" already exists'],
  [{ documents: [{ name: 'x', path: 'nowhere.pdf' }] }, 'documents[0]: ENOENT'],
  [{ contacts: [{ email: 'ada@example.com' }, { email: 5 }] }, 'contacts[1].email: '],
  [{ rooms: [{ name: 'R', folders: [{ name: 'F' }, {}] }] }, 'rooms[0].folders[1].name: is required'],
  [
    { documents: [{ id: 'd', name: 'D' }], links: [{ document_id: 'd', password: 'p', visits: [{ password: 'q' }] }] },
    'links[0].visits[0]: Incorrect password',
  ],
  [{ agreements: [{ name: 'A', signed_by: ['x@y.z'] }] }, 'agreements[0].recipients: add a recipient'],
])('invalid fixtures %j are reported with their position', async (fixtures, sentence) => {
  await expect(createSandbox({ fixtures: fixtures as Fixtures })).rejects.toThrow(sentence);
});

test('a file that is missing or throws is named in the error', async () => {
  await writeFile(join(folder, 'broken.json'), '{');
  await writeFile(join(folder, 'deck.pdf'), '%PDF-1.7');
  await writeFile(join(folder, 'broken.mjs'), 'throw new Error("my own fault");');
  for (const [name, sentence] of [
    ['nowhere.json', texts.theFileDoesNotExist],
    ['broken.json', 'JSON'],
    ['broken.mjs', 'my own fault'],
    ['deck.pdf', texts.fixturesMustJsonFile],
    ['', texts.itIsNotAFile],
  ] as const)
    await expect(createSandbox({ fixtures: join(folder, name) })).rejects.toThrow(
      new RegExp(`${name} can't be read: .*${sentence}`),
    );
});

test('a document keeps its inline content under each name that the API accepts', async () => {
  const names = ['file', 'content', 'content_base64', 'contentBase64', 'base64', 'data'];
  const documents = names.map((name) => ({ id: `doc_${name}`, name, [name]: Buffer.from(name).toString('base64') }));
  const sandbox = await closeAfterTest(createSandbox({ fixtures: { documents }, clock: 'manual' }));
  const headers = { authorization: `Bearer ${sandbox.key()}` };
  for (const name of names) {
    const { download_url } = await (await fetch(`${sandbox.url}/documents/doc_${name}`, { headers })).json();
    expect(await (await fetch(download_url)).text()).toBe(name);
  }
});
