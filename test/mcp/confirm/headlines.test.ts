/** The part of a question that every host shows: its first three rows of at most 80 columns. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, createFolderForFile } from '../../support/cleanup.ts';
import { firstRows, type Json, openHost, openHostOnService } from '../../support/mcp-host.ts';

const folder = createFolderForFile('docshare-headlines-');
const DECK = 'Q3 board deck.pdf';
writeFileSync(join(folder, DECK), '%PDF-1.4 board');

const sandbox = await closeAfterAll(createSandbox({ seed: 1 }));
const host = await closeAfterAll(
  openHost({
    env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url },
    args: ['--files', folder, '--confirm', 'unattended'],
  }),
);

const firstOf = async (tool: string, wanted: Json = {}) => {
  const { data } = await host.call(tool, { limit: 50, detail: 'full' });
  const items = data['items'] as Json[];
  const entries = Object.entries(wanted);
  return items.find((item) => entries.every(([name, value]) => item[name] === value)) ?? items[0] ?? {};
};

async function collectRows(): Promise<readonly (readonly [string, readonly string[]])[]> {
  const [document, link, room, draft, proposal, template, contact, webhook] = await Promise.all([
    firstOf('list_documents'),
    firstOf('list_links', { email_required: true }),
    firstOf('list_rooms'),
    firstOf('list_agreements', { status: 'draft' }),
    firstOf('list_proposals'),
    firstOf('list_templates'),
    firstOf('list_contacts'),
    firstOf('list_webhooks'),
  ]);
  const { data: empty } = await host.call('create_agreement', { name: 'Draft without anything' });
  const calls: readonly (readonly [string, Json])[] = [
    ['send_agreement', { id: draft['id'] }],
    ['send_agreement', { id: draft['id'], fields: { recipients: [{ email: 'eve@evil.example' }], note: 'Hi' } }],
    ['send_agreement', { id: empty['id'] }],
    ['send_proposal', { id: proposal['id'] }],
    [
      'create_agreement',
      { fields: { name: 'NDA', document_id: document['id'], recipients: [{ email: 'bob@acme.example' }], send: true } },
    ],
    ['create_template', { fields: { name: 'NDA', document_id: document['id'], public: true } }],
    ['create_contact', { email: 'bob@acme.example', fields: { name: 'Bob', group_id: 'grp_1' } }],
    ['create_link', { document_id: document['id'] }],
    ['create_link', { room_id: room['id'] }],
    ['create_link', { document_id: document['id'], email_required: true, fields: { password: null } }],
    ['update_link', { id: link['id'], fields: { email_required: false } }],
    ['update_link', { id: link['id'], fields: { theme: 'x', nda: false, extra: { email_required: false } } }],
    ['update_link', { id: link['id'], fields: { expires_at: '2030-01-01T00:00:00Z' } }],
    ['delete_link', { id: link['id'] }],
    [
      'update_links',
      {
        changes: [
          { id: link['id'], email_required: false },
          { id: 'lnk_2', expires_at: '2030-01-01' },
        ],
      },
    ],
    [
      'create_personal_links',
      { document_id: document['id'], recipients: Array.from({ length: 40 }, (_, at) => `reader${at}@acme.example`) },
    ],
    ['share_document', { path: DECK, email_required: false }],
    ['upload_document', { document_id: link['document_id'], content: 'JVBERi0=', name: 'Deck.pdf' }],
    ['create_room', { fields: { name: 'Deal room', public: true } }],
    ['add_room_file', { id: room['id'], fields: { document_id: document['id'] } }],
    ['add_room_folder', { id: room['id'], fields: { name: 'Legal', visible_to: 'all' } }],
    ['add_room_group', { id: room['id'], fields: { name: 'Investors', emails: ['ann@example.com'] } }],
    ['set_room_permissions', { id: room['id'], fields: { permissions: [{ group_id: 'grp_1', access: 'download' }] } }],
    ['update_contact', { id: contact['id'], fields: { email: 'ann@new.example' } }],
    ['update_template', { id: template['id'], fields: { body: 'New terms' } }],
    ['delete_template', { id: template['id'] }],
    ['create_webhook', { url: 'https://hooks.example.com/in', events: ['link.viewed'] }],
    ['delete_webhook', { id: webhook['id'] ?? 'wh_1' }],
  ];
  const rows: [string, readonly string[]][] = [];
  for (const [tool, args] of calls) {
    const { data, text } = await host.call(tool, args);
    expect(data['done'], `${tool}: ${text}`).toBe(false);
    rows.push([tool, String(data['preview']).split('\nRequest:')[0]?.split('\n').slice(0, 3) ?? []]);
  }
  return rows;
}

test('the first three rows name the object, the people and the change, as docs/mcp.md shows', async () => {
  const rows = await collectRows();
  for (const [tool, lines] of rows) {
    expect(lines.length, tool).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line.trim(), tool).not.toBe('');
      // The notice after the headline may be longer.
      if (line !== lines.at(-1)) expect(line.length, `${tool}: ${line}`).toBeLessThanOrEqual(80);
    }
  }
  const table = rows.map(([tool, lines]) => `| \`${tool}\` | ${lines.map((line) => line.slice(0, 80)).join('<br>')} |`);
  const page = readFileSync('docs/mcp.md', 'utf8').split('\n');
  expect(table.filter((row) => !page.includes(row))).toEqual([]);
});

test('the first three rows contain the whole decision, however long the names are and however a field is spelled', async () => {
  const long = `Quarterly review “機密” with a name that is far too long ${'and longer '.repeat(9)}2026`;
  const workspace = 'a-workspace-with-a-name-of-forty-letters';
  const many = await openHost({
    env: {
      [`DOCSHARE_API_KEY__${workspace}`]: sandbox.key(),
      DOCSHARE_API_KEY__other: sandbox.key(),
      DOCSHARE_BASE_URL: sandbox.url,
    },
    args: ['--confirm', 'unattended', '--files', folder],
  });
  const call = async (tool: string, args: Json) => (await many.call(tool, { workspace, ...args })).data;
  const [{ id: document_id } = {}] = (await call('list_documents', {}))['items'] as Json[];
  const { id } = await call('create_link', { document_id, name: long, email_required: true });
  const recipients = Array.from({ length: 12 }, (_, at) => `person.with.a.long.name.${at}@subsidiary.of.acme.example`);
  const draft = await call('create_agreement', { name: long, recipients, fields: { expires_at: '2030-01-01' } });
  const both = ['person.0@acme.example', 'person.1@subsidiary.of.acme.example'];
  const two = await call('create_agreement', { name: long, recipients: both, fields: { document_id } });
  const [{ id: room } = {}] = (await call('list_rooms', {}))['items'] as Json[];
  const address = `${'p'.repeat(55)}@x.example`;
  const inner = await call('add_room_folder', { id: room, name: address });
  const [contact = {}] = (await call('list_contacts', {}))['items'] as Json[];
  const ended = await call('create_link', { document_id, email_required: true, fields: { expires_at: '2020-01-01' } });
  const allowed = `allow_${'x'.repeat(30)}`;
  const others = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`label_${at}`, 'x']));
  const deep = (value: unknown) =>
    ['a', 'b', 'c'].reduce<unknown>((inner, name) => ({ [name.repeat(39)]: inner }), value);
  const update = (fields: Json, expected: RegExp, of = id) => ['update_link', { id: of, fields }, expected] as const;
  const permit = (permissions: readonly Json[], expected: RegExp, more: Json = {}) =>
    ['set_room_permissions', { id: room, fields: { ...more, permissions } }, expected] as const;
  const questions: readonly (readonly [string, Json, RegExp])[] = [
    update({ email_required: false }, /Remove the email gate.*: email_required: true → false\.$/),
    update({ extra: { Email_required: null } }, /Remove the email gate.*true → none\.$/),
    update({ extra: { expiresAt: '2020-01-01' } }, /End link.*expiresAt: none → "2020-01-01"\.$/),
    update({ expires_at: '2031-01-01' }, /Reopen link .*2020.* → "2031-01-01"\.$/, ended['id']),
    update({ deep: deep({ email_required: false }) }, /….email_required: false\.$/),
    ['update_links', { changes: [{ id, fields: { email_required: false } }] }, /Change 1 link, .*true → false\)\.$/],
    ['update_links', { changes: [{ id, theme: long, ...others, nda: false }] }, /; nda: false.* more changes\)\.$/],
    update({ ...others, room_id: room }, /Show "Lumen Robotics onboarding" on link "/),
    [
      'update_links',
      { changes: [{ id, room_id: room, expires_at: '2031-05-06T07:08:09Z' }] },
      /expires_at: none → "2031-05-06…"/,
    ],
    ['update_links', { changes: [{ id, room_id: room }] }, /\(new room "Lumen Robotics onboarding"; /],
    [
      'update_links',
      { changes: [id, ended['id']].map((one) => ({ id: one, email_required: false, password: null, [allowed]: 1 })) },
      /removing the email gate of 2, removing the password of 2: "[^"]+" \(document "[^"]+"\) and "Pricing sheet"\.$/,
    ],
    [
      'send_agreement',
      { id: draft['id'], fields: { message: long, recipients: [{ email: 'eve@evil.example' }] } },
      / to eve@evil\.example.*and 1\d more people for signature, with/,
    ],
    [
      'send_agreement',
      { id: two['id'], fields: { message: long } },
      / to person\.0@acme\.example and person\.1@subsidiary\.of\.acme\.example for signature, with 1 field\.$/,
    ],
    ['create_personal_links', { document_id, recipients: ['a@x.io'] }, /Create 1 personal link to .* a@x\.io\.$/],
    ['delete_link', { id }, /This can't be undone\.$/],
    [
      'create_agreement',
      {
        name: address,
        recipients: [address.replace('p', 'q'), 'eve@evil.example'],
        fields: { document_id, send: true },
      },
      / for (?:eve@evil\.example and 2 more|3) people, with fields of unknown effect: send: true\.$/,
    ],
    [
      'add_room_file',
      { id: room, fields: { document_id, folder_id: inner['id'] } },
      / to folder "p[^"]+" of room .* can open it at once\.$/,
    ],
    permit(
      [{ group_id: 'grp_1', access: 'download' }],
      /: "grp_1": no rule → "download" and 1 more, with .*label_0: "x".* and \d+ more settings\.$/,
      others,
    ),
    permit(
      [...'1234567'].map((n) => ({ group_id: n, access: n < '7' ? 'view' : 'download' })),
      /: "7": no rule → "download", /,
    ),
    permit(
      [{ group_id: 'g1', access: 'download', ...others, theme: long }],
      /: "g1": no rule → "download", label_0: "x".* more settings /,
    ),
    ['update_contact', { id: contact['id'], fields: { email: contact['email'] } }, /: no change\.$/],
    ['update_contact', { id: contact['id'], fields: { email: contact['email'], name: 'X' } }, /: name: ".*" → "X"\.$/],
    ['update_template', { id: 'tpl_1', fields: { document_id } }, / to document ".*": document_id: "doc_/],
    [
      'send_agreement',
      { id: 'env_1', fields: { documentId: document_id } },
      /, with document "(?!doc_)[^"]+" and docu/,
    ],
    ['upload_document', { path: `${long}.pdf/../${DECK}`, document_id }, / with "Q3.*\.pdf"\. Everyone/],
    [
      'upload_document',
      { url: 'https://acme.example.files.evil.example/decks/final.pdf', document_id },
      / with "https:\/\/acme\.example\.files\.evil\.example…"\. Everyone/,
    ],
    [
      'share_document',
      { url: `https://acme.example.${'a'.repeat(60)}.evil.example/deck.pdf`, email_required: false },
      /Upload a file from "acme.*\.evil\.example" and create/,
    ],
    ['share_document', { path: `${'./'.repeat(40)}${DECK}`, email_required: false }, /Upload "Q3 board deck\.pdf" and/],
    [
      'share_document',
      { files: Array(9).fill(DECK), email_required: false, fields: { theme: long, colour: long } },
      /Upload "Q3.*\.pdf" and \d more files and create a link to each that doesn't ask .*: theme: .* and colour: "[^"]+"\.$/,
    ],
  ];
  for (const [tool, args, expected] of questions) {
    const rows = String((await call(tool, args))['preview'])
      .split('\n')
      .slice(0, 3);
    const sentence = rows.filter((row) => !/^(?:People|They|Each|Groups|Later|Approval|Request)/.test(row)).join(' ');
    expect(sentence, tool).toMatch(expected);
    expect(sentence, tool).toMatch(new RegExp(`^${workspace}: `));
  }
  await many.close();
});

test('the first three rows name the folders around one, its namesakes, and each member of a group beside a domain', async () => {
  const under = (parent_id: string | null, id: string, name = id) => ({ id, name, parent_id });
  const shared = [under(null, 'f1', 'Shared'), under(null, 'f2', 'Shared')];
  const folders = [...shared, under('f2', 'f3'), under('f3', 'f4'), under('f4', 'f5', 'Private')];
  const links = [
    { id: 'l1', name: `Link of the data room for ${'investors '.repeat(4)}`, room_id: 'r1', email_required: false },
  ];
  const lists: Json = { '/rooms': [{ id: 'r1', folders }], '/links': links };
  const service = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  const into = (folder_id: string) => ({ document_id: '1', folder_id });
  for (const [tool, fields, expected] of [
    ['add_room_file', into('f2'), 'to folder "Shared" (one of 2 with this name) of room'],
    ['add_room_file', into('f5'), 'to folder "Private" in "f4" in … in "Shared" of room'],
    ['add_room_file', { ...into('f2'), notify: true }, '…". Settings: notify: true.'],
    ['add_room_group', { emails: ['x.test', 'a@x.test', 'b@x.test', 'c@y.test'] }, ' for "x.test", c@y.test'],
    ['add_room_group', { emails: 'a@x.test b@y.test\nC <c@z.test>' }, ' for a@x.test, b@y.test and "C <c@z.test>".'],
    ['add_room_group', { users: [{ mail: 'a@x', admin: true }] }, 'for a@x, with users.0.admin'],
  ] as const)
    expect(firstRows((await service.call(tool, { id: 'r1', fields })).data['preview'])).toContain(expected);
});

test('the first three rows show the part of a text that differs, right-to-left names in order, and a price of any name', async () => {
  const terms = (days: number) => `${'Terms. '.repeat(9)}Pay within ${days} days.`;
  const lists: Record<string, unknown> = {
    '/templates': [{ id: 'o1', name: 'הצעה', body: terms(30), subject: 'ספקים' }],
    '/proposals': [{ id: 'o1', name: 'Offer', total_cents: 500, currency: 'USD', recipients: ['bob@x.example'] }],
    '/agreements': [{ id: 'o1', name: 'NDA', message: `Wire 500. ${terms(30)}`, recipients: ['bob@x.example'] }],
    '/links': [{ id: 'o1', name: 'Fund', room_id: 'r1', group_id: 'g1' }],
    '/rooms': [{ id: 'r1', name: 'Board', groups: ['g1', 'g2'].map((id) => ({ id, name: 'Guests' })) }],
  };
  const service = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  for (const [tool, args, expected] of [
    ['update_template', { fields: { body: terms(90) } }, 'body: "…30 days." → "…90 days.".'],
    ['update_template', { fields: { subject: 'קונים' } }, '"ספקים"\u200e → "קונים"\u200e.'],
    [
      'send_agreement',
      { fields: { cc: ['a$%@x.example', 'a~~@x.example'] } },
      '"a\\u0024%@x.example" and "a\\u007e\\u007e@x.',
    ],
    ['update_link', { fields: { theme: '$5%', x: 'for $5' } }, 'theme: "\\u00245%" and x: "for \\u00245".'],
    ['update_link', { fields: { group_id: 'g2' } }, 'group_id: "g1" → "g2".'],
    ['send_proposal', {}, 'to bob@x.example, with total_cents: 500 and currency: "USD".'],
    [
      'send_agreement',
      { fields: { message: `Wire 500. ${terms(90)}` } },
      'message: "Wire 500. Terms. Ter…30 days." → "Wire 500. Terms. Ter…90 days.".',
    ],
    [
      'update_link',
      { fields: { redirect_url: `https://docs.acme.example.${'a'.repeat(30)}.evil.example/@acme.example` } },
      `redirect_url: "https://do…${'a'.repeat(13)}.evil.example/…".`,
    ],
  ] as const)
    expect(firstRows((await service.call(tool, { id: 'o1', ...args })).data['preview'])).toContain(expected);
  const { data } = await service.call('create_room', { fields: { name: '𠀀'.repeat(30), public: true } });
  expect(data['preview']).toContain('", with\nsettings');
});

test('the first three rows keep the name of an object with many places, and show some fields and a new price of a draft', async () => {
  const links = [...'123456'].map((id) => ({ id, name: `Deck for investor ${id}`, document_id: 'd1' }));
  const draft = { id: 'o1', name: 'Employment contract – Anna Lindqvist – Designer', message: 'Sign by Friday.' };
  const recipients = ['dana@x.example', 'ben.weber@hartmann-legal.example', 'clara.fischer@hartmann-legal.example'];
  const lists: Json = {
    '/documents/d1': { id: 'd1', name: 'Series B pitch deck' },
    '/links': links,
    '/agreements': [{ ...draft, document_id: 'd1', recipients: ['ann.bergstrom@gmail.example'] }],
    '/proposals': [{ ...draft, recipients, amount: 125_000 }],
  };
  const service = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  const version = { document_id: 'd1', content: 'JVBERi0=', name: 'Series B deck v4.pdf' };
  const copy = { cc: 'hr@harbour.example', expires_at: '2030-12-11', reminder: 'Every three days until it is signed' };
  for (const [tool, args, expected] of [
    ['upload_document', version, 'of "Series B pitch deck" with "Series B deck v4.pdf"'],
    ['send_agreement', { id: 'o1', fields: copy }, 'message: "Sign'],
    ['send_proposal', { id: 'o1', fields: { amount: 125, message: 'New account.' } }, ' amount: 125000 → 125'],
  ] as const)
    expect.soft(firstRows((await service.call(tool, args)).data['preview'])).toContain(expected);
});
