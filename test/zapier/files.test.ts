import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { closeAfterAll } from '../support/cleanup.ts';
import { listenForFile } from '../support/listen.ts';
import { type Fields, openZapierContext } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

const server = createServer((request, response) => {
  const isPage = request.url?.startsWith('/login');
  const type = request.url?.endsWith('unnamed') ? 'application/octet-stream' : 'text/html; charset=utf-8';
  response.setHeader('content-type', isPage ? type : 'application/pdf');
  const errorBodies: Fields = {
    '/error.pdf': '{"error": "expired"}',
    '/denied.pdf': '<?xml version="1.0"?><Error/>',
    '/text.pdf': 'Access Denied',
    '/download': 'Access Denied',
    '/protected.docx': '\xd0\xcf\x11\xe0\0\0',
  };
  if (request.url === '/slow-page.docx') {
    response.write('<');
    setTimeout(() => response.end('!doctype html><title>Sign in</title>'), 50);
    return;
  }
  response.end(isPage ? '<!doctype html><title>Sign in</title>' : (errorBodies[request.url ?? ''] ?? '%PDF-1.7 x'));
});
const context = await closeAfterAll(openZapierContext());
const origin = await listenForFile(server);
const upload = (file: unknown) => context.act('upload_document', { file } as Fields);
const getErrorMessage = async (file: unknown) => (await context.zap.actError('upload_document', { file })).message;

test('a file may be a URL, a list, a data URL, an object or a text', async () => {
  expect(await upload([`${origin}/a.pdf`])).toMatchObject({ name: 'a.pdf', content_type: 'application/pdf' });
  const base64 = Buffer.from('%PDF-1.7 y').toString('base64');
  expect(await upload(`data:application/pdf;base64,${base64}`)).toMatchObject({
    name: 'document.pdf',
    content_type: 'application/pdf',
    size_bytes: 10,
  });
  expect(await upload('data:,Hello%20there')).toMatchObject({ name: 'document.txt', size_bytes: 11 });
  expect(await upload('data:application/pdf;name=My%20NDA.pdf;base64,JVBERi0=')).toMatchObject({ name: 'My NDA.pdf' });
  expect(await upload({ url: `${origin}/b.pdf` })).toMatchObject({ name: 'b.pdf' });
  for (const prose of ['Dear Ann,\n\nsee https://docs.test/x', 'A sentence of a long text. '.repeat(9)])
    expect(await upload(prose)).toMatchObject({ name: 'document.txt' });
});

test('the content of a file must match the given name, and a protected Office file does', async () => {
  expect(await upload(`${origin}/protected.docx`)).toMatchObject({ name: 'protected.docx' });
  for (const name of ['Contract.pdf', 'Offer.docx']) {
    const { message } = await context.zap.actError('upload_document', { file: `${origin}/download`, name });
    expect(message).toContain(texts.suchAsASignIn);
  }
  const converted = { file: `${origin}/a.pdf`, name: 'Offer.docx' };
  const { message } = await context.zap.actError('share_document', converted);
  expect(message).toContain('"Offer.docx" has the content of a PDF file');
  expect(await context.act('upload_document', { file: `${origin}/a.pdf`, name: 'Contract' })).toMatchObject({
    name: expect.stringContaining('Contract'),
  });
});

test('a value that is not a file is rejected with advice', async () => {
  expect(await getErrorMessage(`${origin}/login`)).toBe(texts.filesUrlReturnedWebPage);
  expect(await getErrorMessage(`${origin}/login-unnamed`)).toContain(texts.suchAsASignIn);
  const several = texts.stepAcceptsOneFile;
  expect(await getErrorMessage(`${origin}/a.pdf,${origin}/b.pdf`)).toBe(several);
  expect(await getErrorMessage([`${origin}/a.pdf`, `${origin}/b.pdf`])).toBe(several);
  for (const odd of [
    'file:///home/ann/deck',
    'www.docs.test/deck',
    '["https://docs.test/a.pdf", "https://docs.test/b.pdf"]',
    'Deck.pdf',
    'Mutual NDA',
    'contract.odt',
    '1A2b3C4d5E6f7G8h9IaBcDeFgHiJkLmNo',
    '{{123__file}}',
    'https://docs.test/my deck.pdf',
    'JVBERi0xLjcK'.repeat(30),
    `hydrate|||${'{"type": "file"} '.repeat(20)}|||hydrate`,
    false,
  ])
    expect(await getErrorMessage(odd)).toMatch(texts.mapFileItselfEarlier);
  for (const page of ['error.pdf', 'denied.pdf', 'text.pdf', 'slow-page.docx'])
    expect(await getErrorMessage(`${origin}/${page}`)).toBe(texts.filesUrlReturnedWebPage);
  for (const broken of ['data:application/pdf;base64', 'data:,%zz', 'data:;base64,', 'data:application/pdf;base64,%%%'])
    expect(await getErrorMessage(broken)).toBe(texts.dataUrlContainsFile);
  for (const empty of ['', ' ', [], [null], { size: 1 }])
    expect(await getErrorMessage(empty)).toBe(texts.mapFileEarlierStep);
});

test.each([
  'https://hooks.example\\@evil.example/x',
  'https://hooks.example/\tx',
  'https://user:word@evil.example/x',
  'ftp://hooks.example/x',
])('the URL %j is neither fetched nor registered for events', async (url) => {
  context.sandbox.log.clear();
  if (!/\s|^ftp/.test(url)) expect(await getErrorMessage(url)).toMatch(/must not contain/);
  const { message } = await context.zap.runError('triggers.link_viewed.operation.performSubscribe', { targetUrl: url });
  expect(message).toMatch(/The URL for the events must/);
  expect(context.sandbox.log.entries().filter(({ method }) => method === 'POST')).toEqual([]);
});
