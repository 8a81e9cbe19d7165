import { createHash } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { drawSignedPdf } from '../../../sandbox/pdf/draw-signed-pdf.ts';
import type { AgreementRecord } from '../../../sandbox/state/records.ts';
import { createForm, sendJson } from '../../support/ask-service.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { texts } from '../texts.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty', clock: 'manual' }));
const key = sandbox.key();
const pdf = await PDFDocument.create();
for (let page = 0; page < 4; page++) pdf.addPage();
const content = Buffer.from(await pdf.save()).toString('base64');
const documentId = (await send('POST', '/documents', { name: 'Deck', content })).body.id;

async function send(method: string, path: string, body?: object) {
  await sandbox.clock.advance(1_000);
  return sendJson(sandbox, { key, method, path, body });
}

const createLink = async (fields: object = {}) =>
  (await send('POST', '/links', { document_id: documentId, ...fields })).body;

test('visits add up to views, visitors, seconds per page and drop-off', async () => {
  const { id } = await createLink();
  await sandbox.visit(id, { email: 'Ann@example.com', name: 'Ann', pages: [10, 20, 30, 40] });
  await sandbox.visit(id, { email: 'ann@example.com', pages: [5] });
  const last = await sandbox.visit(id, { email: 'ben@example.com', pages: [3, 9] });
  expect((await send('GET', `/analytics/links/${id}`)).body).toMatchObject({
    link_id: id,
    views: 3,
    unique_visitors: 2,
    total_seconds: 117,
    average_seconds: 39,
    completion_rate: 0.333,
    pages: [
      { page: 1, views: 3, total_seconds: 18, average_seconds: 6 },
      { page: 2, views: 2, total_seconds: 29, average_seconds: 14.5 },
      { page: 3, views: 1, total_seconds: 30, average_seconds: 30 },
      { page: 4, views: 1, total_seconds: 40, average_seconds: 40 },
    ],
    drop_off: [
      { page: 1, reached: 3, share: 1 },
      { page: 2, reached: 2, share: 0.667 },
      { page: 3, reached: 1, share: 0.333 },
      { page: 4, reached: 1, share: 0.333 },
    ],
  });
  expect((await send('GET', `/analytics/links/${id}/visitors`)).body.data).toEqual([
    expect.objectContaining({ email: 'ann@example.com', visit_count: 2, total_seconds: 105 }),
    expect.objectContaining({ email: 'ben@example.com', visit_count: 1, total_seconds: 12 }),
  ]);
  expect((await send('GET', `/analytics/visits/${last['id']}`)).body).toMatchObject({
    email: 'ben@example.com',
    total_seconds: 12,
    pages: [
      { page: 1, seconds: 3 },
      { page: 2, seconds: 9 },
    ],
  });
  expect((await send('GET', '/billing/usage')).body).toMatchObject({ visits: 3, documents: 1 });
});

test('a room counts the visits of its links', async () => {
  const room = (await send('POST', '/rooms', { name: 'R' })).body;
  await send('POST', `/rooms/${room.id}/files`, { document_id: documentId });
  const other = (await send('POST', '/documents', { name: 'Unread', content })).body.id;
  await send('POST', `/rooms/${room.id}/files`, { document_id: other });
  const { id } = await createLink({ document_id: undefined, room_id: room.id });
  await sandbox.visit(id, { pages: [7] });
  expect((await send('GET', `/analytics/rooms/${room.id}`)).body).toMatchObject({
    views: 1,
    total_seconds: 7,
    documents: [
      { document_id: documentId, views: 1 },
      { document_id: other, views: 0 },
    ],
  });
});

test('gates apply: email address, password, NDA, expiry, visitor cap, deletion', async () => {
  const gated = await createLink({ email_required: true });
  await expect(sandbox.visit(gated.id)).rejects.toThrow(texts.enterYourEmailAddress);
  const secret = await createLink({ password: 'open sesame' });
  expect(secret).not.toHaveProperty('password');
  await expect(sandbox.visit(secret.id, { password: 'open' })).rejects.toThrow('Incorrect password');
  await sandbox.visit(secret.id, { password: 'open sesame' });
  await expect(sandbox.visit((await createLink({ nda_required: true })).id)).rejects.toThrow('non-disclosure');
  const soon = await createLink({ expires_at: new Date(sandbox.clock.now() + 60_000).toISOString() });
  await sandbox.visit(soon.id);
  await sandbox.clock.advance(60_000);
  await expect(sandbox.visit(soon.id)).rejects.toThrow('has expired');
  const capped = await createLink({ max_visitors: 1 });
  await sandbox.visit(capped.id, { email: 'First@example.com' });
  await sandbox.visit(capped.id, { email: 'FIRST@example.com' });
  await expect(sandbox.visit(capped.id, { email: 'second@example.com' })).rejects.toThrow('visitor limit');
  await send('DELETE', `/links/${capped.id}`);
  await expect(sandbox.visit(capped.id)).rejects.toThrow(texts.doesNotExistOrWas);
  expect((await send('GET', `/analytics/links/${capped.id}`)).status).toBe(404);
});

test('an agreement without recipients cannot be sent, and none can be sent twice', async () => {
  const { id } = (await send('POST', '/agreements', { name: 'Empty' })).body;
  expect((await send('POST', `/agreements/${id}/send`)).status).toBe(422);
  expect((await send('POST', `/agreements/${id}/send`, { recipients: ['ann@example.com'] })).status).toBe(200);
  expect((await send('POST', `/agreements/${id}/send`)).status).toBe(409);
  await expect(sandbox.sign(id, { email: 'other@example.com' })).rejects.toThrow(texts.isNotASigner);
});

/** Padding after the end keeps a PDF readable. */
const large = Buffer.concat([Buffer.from(content, 'base64'), Buffer.alloc(8 * 1024 * 1024, '\n')]);

test.each([
  ['a PDF', Buffer.from(content, 'base64'), { type: 'application/pdf', name: 'deck.PDF' }, 'NDA.PDF', 5],
  ['a PDF of over 8 MiB', large, { type: 'application/pdf', name: 'deck.pdf' }, 'NDA.pdf', 1],
  ['a file without an extension', Buffer.from('terms'), { type: 'x/y', name: 'terms' }, 'NDA.pdf', 1],
  ['a text', Buffer.from('terms'), { type: 'text/plain', name: 'terms.txt' }, 'NDA.txt', 1],
  ['no document', undefined, { type: '', name: 'NDA.pdf' }, 'NDA.pdf', 2],
])('the signed PDF of %s has its pages and the original', async (_, original, file, sentName, pages) => {
  const form = original && createForm({ file: new File([original], file.name, { type: file.type }) });
  const document_id = form && (await send('POST', '/documents', form)).body.id;
  const agreement = { name: 'N:D:A', document_id, recipients: ['ann@example.com'] };
  const { id } = (await send('POST', '/agreements', agreement)).body;
  const download = async () => {
    const response = await fetch((await send('GET', `/agreements/${id}/document`)).body.url);
    return { header: response.headers.get('content-disposition'), bytes: Buffer.from(await response.arrayBuffer()) };
  };
  await send('POST', `/agreements/${id}/send`);
  const sent = await download();
  expect(sent.header).toContain(`"${sentName}"`);
  expect(sent.bytes.equals(original ?? sent.bytes)).toBe(true);
  await sandbox.sign(id, { email: 'ann@example.com' });
  const signed = await download();
  expect(signed.header).toContain('"NDA (signed).pdf"');
  expect(signed.bytes.includes(`stream\n${sent.bytes.toString('latin1')}\nendstream`, 0, 'latin1')).toBe(true);
  const opened = await getDocument({ data: new Uint8Array(signed.bytes), verbosity: 0 }).promise;
  expect(opened.numPages).toBe(pages);
  const attachments = (await opened.getAttachments()) as Map<string, { filename: string }>;
  expect([...attachments.values()].map(({ filename }) => filename)).toEqual([file.name]);
  const { items } = await (await opened.getPage(pages)).getTextContent();
  const text = items.map((item) => ('str' in item ? item.str : '')).join();
  expect(text).toContain(createHash('sha256').update(sent.bytes).digest('hex'));
});

const ANN = { name: 'Ann', email: 'ann@example.com', signed_name: null, signed_at: null };

test.each([
  [0, '5 bytes', {}, 'Ann', 'Signed by Ann <ann@example.com> at not signed'],
  [1, '1 page, 5 bytes', { signed_name: 'A. B.' }, 'A. B.', 'Signed by A. B. <ann@example.com> at not signed'],
  [2, '2 pages, 5 bytes', { signed_at: 0 }, 'Ann', 'Signed by Ann <ann@example.com> at 1970-01-01T00:00:00.000Z'],
])('a signature page of %i unreadable pages names the file and each signer', async (pages, length, more, ...signer) => {
  const original = { name: 'deck.pdf', pages, size: 5, sha256: 'abc', bytes: null };
  const recipients = Array(8).fill({ ...ANN, ...more });
  const agreement = { id: 'env_1', name: 'i'.repeat(80), recipients, created_at: 0, signed_at: 0 };
  const { bytes } = await drawSignedPdf({ original, agreement: agreement as unknown as AgreementRecord });
  // Compressed objects would hide those that the attachment is appended to.
  expect(Buffer.from(bytes).includes('/ObjStm')).toBe(false);
  const pdf = await getDocument({ data: Uint8Array.from(bytes), verbosity: 0 }).promise;
  const lines = async (number: number) => {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    return items.flatMap((item) => ('str' in item && item.str !== '' ? [item.str] : []));
  };
  const facts = ['Agreement env_1', `Document: deck.pdf (${length})`, 'SHA-256: abc'];
  const attached = 'The original file is attached to this PDF, because its pages could not be included.';
  const first = ['Signature page', 'i'.repeat(70), ...facts, attached];
  expect(await lines(1)).toEqual([...first, ...Array(7).fill(signer).flat()]);
  expect(await lines(2)).toEqual(signer);
});

test('a proposal keeps all fields of its items', async () => {
  const items = [{ description: 'Seats', quantity: 3, unit_price: 29.5, colour: 'blue' }];
  const proposal = (await send('POST', '/proposals', { name: 'Offer', email: 'p@example.com', items })).body;
  expect(proposal).toMatchObject({ status: 'draft', items, total_amount: 88.5 });
});

test('unknown fields are returned as they were sent', async () => {
  const contact = (await send('POST', '/contacts', { email: 'c@example.com', Score: 7, nested: { a_b: [1] } })).body;
  expect(contact).toMatchObject({ Score: 7, nested: { a_b: [1] } });
  await send('PATCH', `/contacts/${contact.id}`, { Score: 8 });
  const tagged = await send('POST', `/contacts/${contact.id}/tags`, { tags: ['vip', 'vip', 'legal'] });
  expect(tagged.body).toMatchObject({ Score: 8, nested: { a_b: [1] }, tags: ['vip', 'legal'] });
});
