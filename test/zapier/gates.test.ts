/** A link opens to nobody whom its gates should stop: a gate that did not take is an error, and the link is gone again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLoopback } from '../support/mcp-loopback.ts';
import { openZapierContext, type ZapierContext } from '../support/zapier-context.ts';
import type { Fields } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let context: ZapierContext;
beforeAll(async () => {
  context = await openZapierContext();
});
afterAll(() => context.close());

const METHOD = 'creates.create_link.operation.perform';
const getError = (inputData: Fields, more: Fields = {}) => context.zap.runError(METHOD, { inputData, ...more });
const GATES = {
  email_required: 'yes',
  gate_password: 12345,
  gate_expiry: '12/31/2099',
  gate_nda: 'yes',
  gate_visitors: '1,000,000',
  gate_download: 'no',
};

test('a link to a document or a room carries each gate of the form', async () => {
  const document = (await context.act('upload_document', { file: 'data:,x', name: 'x.txt' }))['id'];
  const room = (await context.act('create_room', { name: 'Acme' }))['id'];
  for (const target of [{ document }, { room }]) {
    const link = await context.act('create_link', { ...target, ...GATES });
    expect(link).toMatchObject({
      id: expect.any(String),
      url: expect.stringMatching(/^http/),
      email_required: true,
      expires_at: '2099-12-31T23:59:59.000Z',
      raw: { password_required: true, nda_required: true, max_visitors: 1_000_000, download_allowed: false },
    });
    expect(JSON.stringify(link)).not.toContain('12345');
  }
  for (const target of [{}, { document, room }])
    expect((await getError(target)).message).toBe(texts.chooseEitherDocumentRoomStep);
});

test.each([
  [{ gate_nda: 'maybe' }, 'Require NDA'],
  [{ gate_download: 'perhaps' }, 'Allow Download'],
  [{ gate_visitors: '0' }, 'Maximum Visitors'],
  [{ gate_visitors: 'some' }, 'Maximum Visitors'],
  [{ gate_visitors: '9'.repeat(30) }, 'Maximum Visitors'],
  [{ gate_password: ' ' }, 'Password'],
  [{ gate_expiry: '05/06/2099' }, 'Expires At'],
  [{ gate_expiry: '2020-01-01' }, 'Expires At'],
])('%j is refused by name before anything is sent', async (gate, label) => {
  const before = context.sandbox.log.entries().length;
  expect((await getError({ document: 'd', ...gate })).message).toContain(`"${label}"`);
  expect(context.sandbox.log.entries()).toHaveLength(before);
});

test.each([true, false])(
  'a gate that did not take deletes the link again, or says that it could not (%j)',
  async (deletes) => {
    const made = { id: 'l1', url: 'https://docs.test/l1' };
    const service = await openLoopback(({ method }) => {
      if (method === 'DELETE') return { status: deletes ? 204 : 403 };
      return method === 'POST'
        ? { status: 201, json: made }
        : { json: { data: [{ ...made, passcode: null, email_required: true }] } };
    });
    try {
      const authData = { apiKey: 'key', baseUrl: service.url };
      const error = await getError({ document: 'd', gate_password: 's3cret', email_required: true }, { authData });
      expect(error.message).toBe(deletes ? texts.docshareDidApplyPassword : texts.docshareDidApplyPasswordNew);
      // Under the name that existing links show.
      expect(JSON.parse(service.requests.find(({ method }) => method === 'POST')?.body ?? '{}')).toMatchObject({
        passcode: 's3cret',
      });
      expect(service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    } finally {
      await service.close();
    }
  },
);
