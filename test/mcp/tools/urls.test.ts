/** The URL that a user sees is the URL that is sent, byte for byte. Tested on a running server, and read at the service. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createClient } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { answerForms, openHost, openHostOnSandbox } from '../../support/mcp-host.ts';

const sandbox = await closeAfterAll(createSandbox({ seed: 1 }));
const host = await closeAfterAll(
  openHost({ env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url } }),
);
beforeEach(() => sandbox.log.clear());

/** URLs that parsers read differently, or that are not plain web addresses. */
const AMBIGUOUS = [
  'https://hooks.docshare.example\\@evil.example/x',
  'https:\\\\evil.example/x',
  'https://good.example%20@evil.example/x',
  'https://user:word@evil.example/x',
  'https://@evil.example/x',
  'https://good.example\t.evil.example/x',
  'https://good.example/\nx',
  ' https://good.example/x',
  'ht\ttps://good.example/x',
  'https://good.example/\u202ex',
  'https://go\u200bod.example/x',
  'https:good.example/x',
  'https:///good.example/x',
  'ftp://good.example/x',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'nonsense',
];
const PRIVATE = [
  'http://127.0.0.1:8080/x',
  'http://0x7f.1/x',
  'https://localhost./x',
  'https://[::ffff:10.0.0.1]/x',
  'https://169.254.169.254/latest',
  'https://metadata.google.internal/x',
  'https://intranet/x',
];
const LONG = `https://hooks.example.com/${'a'.repeat(400)}@evil.example`;
const events = ['link.viewed'];

describe('a URL that is rejected before any approval is requested', () => {
  test.each(AMBIGUOUS)('%j', async (url) => {
    const webhook = await host.call('create_webhook', { url, events });
    expect(webhook.error, webhook.text).toMatchObject({ code: 'invalid_arguments' });
    for (const tool of ['upload_document', 'share_document']) {
      const { error, text } = await host.call(tool, {
        url,
        ...(tool === 'share_document' && { email_required: false }),
      });
      expect(error, text).toMatchObject({ code: 'url_not_allowed' });
    }
    for (const fields of [{ redirect_url: url }, { extra: { callbackUrl: url } }, { hooks: [url] }]) {
      if (url === 'nonsense') continue;
      const { error, text } = await host.call('create_room', { fields });
      expect(error, text).toMatchObject({ code: 'invalid_arguments' });
    }
    expect(sandbox.log.entries()).toEqual([]);
  });

  test.each(PRIVATE)('%s, if the service is not on this machine', async (url) => {
    const env = { DOCSHARE_API_KEY: 'k_elsewhere', DOCSHARE_BASE_URL: 'https://api.docshare.example/api/v1' };
    const elsewhere = await closeAfterTest(openHost({ env }));
    const refused = await elsewhere.call('create_webhook', { url, events });
    const asked = await elsewhere.call('create_webhook', { url: 'https://hooks.example.com/x', events });
    expect(refused.error, refused.text).toMatchObject({ code: 'invalid_arguments' });
    expect(asked.data, asked.text).toMatchObject({ done: false, confirm_token: expect.any(String) });
  });

  test('a field whose host is not readable in its URL', async () => {
    for (const return_url of ['https://b\u00fccher.example/x', 'https://2130706433/x', 'https://go%6fd.example/x'])
      expect((await host.call('create_room', { fields: { return_url } })).error).toMatchObject({
        code: 'invalid_arguments',
      });
    const { data } = await host.call('create_room', { fields: { return_url: 'https://good.example' } });
    expect(data['preview']).toContain('"https://good.example"');
  });
});

test.each([
  ['HTTPS://Hooks.Example.com:443/a/../in?x=1', 'https://hooks.example.com/in?x=1'],
  ['https://b\u00fccher.example/\u00e9', 'https://xn--bcher-kva.example/%C3%A9'],
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['http://127.1/x', 'http://127.0.0.1/x'],
  [LONG, LONG],
])('%s is shown and sent as one URL', async (url, canonical) => {
  const { questions, form } = answerForms();
  const made = await (await openHostOnSandbox(sandbox, { form })).call('create_webhook', { url, events });
  expect(made.data, made.text).toMatchObject({ done: true, approved_by: 'form' });
  expect(questions).toEqual([expect.stringContaining(`"${canonical}"`)]);
  expect(questions[0]).toContain(`at "${new URL(canonical).host}"`);
  const client = await closeAfterTest(createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url }));
  const urls: unknown[] = [];
  for await (const item of client.webhooks.list({})) urls.push('url' in item && item.url);
  expect(urls).toContain(canonical);
});
