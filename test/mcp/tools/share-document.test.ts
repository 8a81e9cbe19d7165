import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { createFolder } from '../../support/mcp-every-tool.ts';
import { openHost, openHostOnService } from '../../support/mcp-host.ts';
import { listOpenFiles } from '../../support/open-files.ts';

const folder = createFolder();
writeFileSync(join(folder, 'deck.pdf'), '%PDF-1.4 deck');
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
const host = await closeAfterAll(openHost({ env, args: ['--files', folder] }));
beforeEach(() => sandbox.log.clear());
afterEach(() => sandbox.faults.clear());

const linkBodies = () =>
  sandbox.log.entries().flatMap(({ operation, body }) => (operation === 'links.create' ? [body] : []));

describe('share_document', () => {
  test('creates a gated link from a file in one call', async () => {
    const { data } = await host.call('share_document', { path: 'deck.pdf' });
    expect(data).toMatchObject({
      done: true,
      url: expect.stringMatching(/^http/),
      document_id: expect.any(String),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(linkBodies()).toEqual([{ document_id: data['document_id'], email_required: true }]);
  });

  test('an open link needs an approval, and nothing is uploaded before', async () => {
    const { data } = await host.call('share_document', { path: 'deck.pdf', email_required: false });
    expect(data).toMatchObject({ done: false, confirm_token: expect.any(String) });
    expect(sandbox.log.entries()).toEqual([]);
  });

  test.each([
    ['was rejected', { status: 422 }, { code: 'partly_done', cause: { code: 'invalid_input' } }],
    ['has an unknown outcome', { when: 'after', cut: 'drop' }, { code: 'unknown_outcome' }],
    [
      'got an invalid response',
      { when: 'after', headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
      { code: 'unknown_outcome' },
    ],
  ] as const)('if the link %s, the document is named and its file is closed', async (why, fault, expected) => {
    const path = `${why.replaceAll(' ', '-')}.pdf`;
    writeFileSync(join(folder, path), '%PDF-1.4 deck');
    sandbox.faults.add({ operation: 'links.create', ...fault } as never);
    const { error } = await host.call('share_document', { path });
    expect(error).toMatchObject({ ...expected, document_id: expect.any(String) });
    expect(error['message']).toContain(String(error['document_id']));
    expect(listOpenFiles(folder)).toEqual([]);
  });

  test('a document keeps the name of its file in every question, whatever its title is', async () => {
    writeFileSync(join(folder, 'salaries.pdf'), '%PDF-1.4 salaries');
    const named = { path: 'salaries.pdf', name: 'Pricing sheet' };
    const { data } = await host.call('upload_document', named);
    const document = { document_id: data['id'] };
    const { data: link } = await host.call('share_document', { ...document, name: 'Pricing sheet' });
    const { data: other } = await host.call('share_document', { path: 'deck.pdf' });
    const { data: draft } = await host.call('create_agreement', { name: 'NDA', fields: document });
    const { data: room } = await host.call('create_room', { name: 'Board' });
    const { data: copy } = await host.call('download_agreement', { id: draft['id'], path: 'brochure.pdf' });
    const { data: copied } = await host.call('upload_document', { path: 'brochure.pdf' });
    const open = { email_required: false };
    const both = '"Pricing sheet" (file "salaries.pdf")';
    for (const [tool, args, expected] of [
      ['share_document', { ...named, ...open }, 'Upload "salaries.pdf" as "Pricing sheet" and create a link'],
      ['create_link', document, `Create a link to ${both}`],
      ['share_document', { path: 'brochure.pdf', ...open }, `Upload "brochure.pdf" (file "${copy['name']}") and`],
      ['create_link', { document_id: copied['id'] }, `to "brochure.pdf" (file "${copy['name']}")`],
      ['update_link', { id: link['id'], fields: open }, both],
      ['update_links', { changes: [{ id: link['id'], ...open }] }, '"Pricing sheet" (file "salaries.pdf"; email'],
      ['update_links', { changes: [{ id: other['id'], ...document }] }, `(new document ${both}; document_id`],
      ['add_room_file', { id: room['id'], fields: document }, `Add ${both} to room`],
      ['send_agreement', { id: draft['id'] }, '(document "Pricing sheet", file "salaries.pdf")'],
      ['upload_document', { ...document, path: 'deck.pdf' }, `Replace the file of ${both} with "deck.pdf"`],
    ] as const)
      expect((await host.call(tool, args)).question, tool).toContain(expected);
  });

  test('a question tells the original name of what was renamed without approval', async () => {
    const { data: link } = await host.call('share_document', { path: 'deck.pdf', name: 'Board deck' });
    const terms = { name: 'Terms', document_id: link['document_id'] };
    const { data: template } = await host.call('create_template', { fields: terms });
    const { data: contact } = await host.call('create_contact', { name: 'Ann Lee', email: 'ann@example.com' });
    const { data: planned } = await host.call('share_document', { path: 'deck.pdf', name: 'Investor deck' });
    const plan = { changes: [{ id: planned['id'], name: 'Test' }] };
    const { data: asked } = await host.call('update_links', plan);
    await host.call('update_links', { ...plan, confirm_token: asked['confirm_token'] });
    const { data: second } = await host.call('create_contact', { name: 'Bo Chen', email: 'bo@example.com' });
    const { data: nested } = await host.call('create_template', { name: 'Lease' });
    for (const name of ['Draft', 'Test']) {
      await host.call('add_contact_tags', { id: second['id'], remove: ['x'], fields: { name } });
      await host.call('update_template', { id: nested['id'], fields: { extra: { name } } });
      await host.call('update_contact', { id: contact['id'], fields: { name } });
      await host.call('update_link', { id: link['id'], fields: { name } });
      await host.call('update_template', { id: template['id'], fields: { name } });
    }
    const later = { expires_at: '2040-01-01' };
    for (const [tool, args, expected] of [
      ['delete_link', { id: link['id'] }, '"Test" (renamed from "Board deck", document'],
      ['update_links', { changes: [{ id: link['id'], ...later }] }, '"Test" (renamed from "Board deck"; expires_at'],
      ['delete_link', { id: planned['id'] }, '"Test" (renamed from "Investor deck", document'],
      ['update_contact', { id: contact['id'], fields: { email: 'a@x.example' } }, '"Test" (renamed from "Ann Lee")'],
      ['update_contact', { id: second['id'], fields: { email: 'a@x.example' } }, '"Test" (renamed from "Bo Chen")'],
      ['delete_template', { id: template['id'] }, '"Test" (renamed from "Terms"'],
      ['delete_template', { id: nested['id'] }, '"Test" (renamed from "Lease"'],
      [
        'upload_document',
        { path: 'deck.pdf', document_id: link['document_id'] },
        'sees it at once: link "Test" (renamed from "Board deck"), template "Test" (renamed from "Terms")',
      ],
    ] as const)
      expect((await host.call(tool, args)).question, tool).toContain(expected);
  });

  test('requires exactly one source', async () => {
    const url = 'https://example.com/deck.pdf';
    for (const args of [{}, { path: 'deck.pdf', document_id: 'd' }, { path: 'deck.pdf', url }])
      expect((await host.call('share_document', args)).error).toMatchObject({ code: 'invalid_arguments' });
  });

  test('a URL is fetched as upload_document does: no private address, and an approval for an open link', async () => {
    const url = `${sandbox.url}/documents`;
    const { error } = await host.call('share_document', { url });
    const { error: same } = await host.call('upload_document', { url });
    expect(error).toEqual(same);
    // No approval is requested for a URL that would be rejected.
    const open = { email_required: false };
    expect((await host.call('share_document', { url, ...open })).error).toEqual(same);
    const fetched = 'https://files.example.com/deck.pdf';
    const { data } = await host.call('share_document', { url: fetched, ...open });
    expect(data).toMatchObject({ done: false, preview: expect.stringContaining(JSON.stringify(fetched)) });
    expect(sandbox.log.entries()).toEqual([]);
  });
});

describe('several files in one call', () => {
  writeFileSync(join(folder, 'plan.pdf'), '%PDF-1.4 plan');
  writeFileSync(join(folder, '.env'), 'KEY=1');

  test('are uploaded, and failed ones are named with the reason', async () => {
    const files = ['deck.pdf', 'gone.pdf', '.env', 'http://127.0.0.1/x.pdf', 'plan.pdf'];
    const { data } = await host.call('upload_document', { files });
    expect(data).toMatchObject({
      done: false,
      items: [
        { file: 'deck.pdf', id: expect.any(String), sha256: expect.any(String) },
        { file: 'plan.pdf', id: expect.any(String), sha256: expect.any(String) },
      ],
      failed: [
        { file: 'gone.pdf', code: 'no_file', message: expect.any(String) },
        { file: '.env', code: 'path_not_allowed' },
        { file: 'http://127.0.0.1/x.pdf', code: expect.stringMatching(/invalid|not_allowed/) },
      ],
      next: expect.stringContaining('follow the message of each'),
    });
    const again = await host.call('upload_document', { files: ['deck.pdf', { download_url: 'plan.pdf' }] });
    expect(again.data).toMatchObject({ done: false, items: [{ file: 'deck.pdf' }], failed: [{ file: 'plan.pdf' }] });
  });

  test('are uploaded again only after an approval, if the outcome of one is unknown', async () => {
    sandbox.faults.add({ operation: 'documents.create', times: 1, when: 'after', cut: 'drop' });
    const args = { files: ['deck.pdf', 'plan.pdf'] };
    expect((await host.call('upload_document', args)).data).toMatchObject({ failed: [{ code: 'unknown_outcome' }] });
    for (const again of [args, { files: ['deck.pdf'] }, { path: 'deck.pdf' }])
      expect((await host.call('upload_document', again)).data).toMatchObject({ confirm_token: expect.any(String) });
    expect((await host.call('upload_document', { path: 'plan.pdf' })).data).toMatchObject({ done: true });
  });

  test('get one link each after one question, and a document whose link failed is named', async () => {
    const args = { files: ['deck.pdf', 'plan.pdf'] };
    const { data: question } = await host.call('share_document', args);
    expect(question).toMatchObject({ done: false, confirm_token: expect.any(String) });
    expect(String(question['preview'])).toMatch(
      /^Upload "deck.pdf" and "plan.pdf" and create a link to each that asks/,
    );
    expect(sandbox.log.entries()).toEqual([]);
    sandbox.faults.add({ operation: 'links.create', times: 1, status: 422 });
    const { data } = await host.call('share_document', { ...args, confirm_token: question['confirm_token'] });
    expect(data).toMatchObject({
      done: false,
      items: [{ file: 'plan.pdf', url: expect.stringMatching(/^http/), email_required: true }],
      failed: [{ file: 'deck.pdf', code: 'partly_done', document_id: expect.any(String) }],
    });
  });

  test('are shared as the question showed them, even if one changes during the upload', async () => {
    writeFileSync(join(folder, 'offer.pdf'), '%PDF-1.4 offer');
    const args = { files: ['deck.pdf', 'offer.pdf'], email_required: false };
    const { data: question } = await host.call('share_document', args);
    sandbox.faults.add({ operation: 'links.create', times: 1, delayMs: 300 });
    const shared = host.call('share_document', { ...args, confirm_token: question['confirm_token'] });
    await expect.poll(() => sandbox.log.entries().length).toBeGreaterThan(0);
    writeFileSync(join(folder, 'offer.pdf'), '%PDF-1.4 other');
    expect((await shared).data).toMatchObject({
      items: [{ file: 'deck.pdf' }],
      failed: [{ file: 'offer.pdf', code: 'file_changed' }],
    });
    expect(linkBodies()).toHaveLength(1);
  });

  test.each([
    ['with a file of its own', { files: ['deck.pdf'], path: 'plan.pdf' }, 'either files or path'],
    ['with a name', { files: ['deck.pdf'], name: 'Deck' }, 'either files or name'],
    ['without any', { files: [] }, '1 to 20 files'],
    ['with too many', { files: Array.from({ length: 21 }, () => 'deck.pdf') }, '1 to 20 files'],
    ['with a number', { files: [7] }, 'files[0]'],
  ])('%s are rejected before anything is sent', async (_, args, message) => {
    for (const tool of ['upload_document', 'share_document']) {
      const { error } = await host.call(tool, args);
      expect(error).toMatchObject({ code: 'invalid_arguments', message: expect.stringContaining(message) });
    }
    expect(sandbox.log.entries()).toEqual([]);
  });
});

test('personal links that a plan has created are not said to lack its settings when the plan continues', async () => {
  const blocked = Promise.withResolvers<void>();
  const links: object[] = [];
  const service = await openHostOnService(async ({ method, path }) => {
    if (method === 'GET') return { json: path === '/links' ? links : { id: 'd1', name: 'Deck' } };
    if (links.length > 0) await blocked.promise;
    links.push({ id: 'l1', url: 'https://x.example/1', name: 'a@x.example', document_id: 'd1' });
    return { json: links[0] };
  });
  const plan = { document_id: 'd1', recipients: ['a@x.example', 'b@x.example'], fields: { max_visitors: 3 } };
  const { data } = await service.call('create_personal_links', plan);
  const first = service.call('create_personal_links', { ...plan, confirm_token: data['confirm_token'] });
  await expect.poll(() => service.requests.filter(({ method }) => method === 'POST').length).toBe(2);
  const { data: next } = await service.call('create_personal_links', plan);
  blocked.resolve();
  await first;
  expect(next).toMatchObject({ existing: [{ email: 'a@x.example' }] });
  expect(next).not.toHaveProperty('note');
});
