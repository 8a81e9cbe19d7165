/** How instant triggers and waiting runs handle events: partly signed agreements, forged events, lost registrations. */
import { expect, test } from 'vitest';
import { signEvent } from '../../src/index.ts';
import { type Fields, openZapOnService } from '../support/zapier-lambda.ts';

const TRIGGER = 'triggers.envelope_signed.operation';
/** Of each registration that is made here. */
const NEW_SECRET = 'whsec_bmV3LXNlY3JldC1rZXktb2Y=';
let agreements: Fields[] = [];
let webhooks: Fields[] = [];
let keys = 0;

const { service, zap } = await openZapOnService(({ path, query }) => {
  if (path.endsWith('/webhooks')) return { json: { data: webhooks, id: 'wh_new', secret: NEW_SECRET } };
  if (path.endsWith('/agreements')) {
    const from = Number(query.get('cursor') ?? 0);
    const to = from + 100;
    return { json: { data: agreements.slice(from, to), next_cursor: to < agreements.length ? String(to) : null } };
  }
  return { status: 404, json: {} };
});

/** A new key, so that nothing is cached or rate-limited by an earlier call. */
const authData = () => ({ apiKey: `key-${++keys}`, baseUrl: service.url });
const deliver = (event: Fields, inputData: Fields = {}) =>
  zap.run<Fields[]>(`${TRIGGER}.perform`, {
    authData: authData(),
    inputData,
    subscribeData: { id: 'wh_1', url: 'https://hooks.test/1' },
    rawRequest: { method: 'POST', querystring: '', headers: {}, content: JSON.stringify(event) },
  });
const ONE_OF_TWO = { agreement_id: 'agr_half', status: 'signed', signer_email: 'a@x.example', signed_at: '2026-10-01' };
let events = 0;
/** In each usual shape in turn. */
const signedEvent = (data: Fields): Fields => ({
  id: `evt_${++events}`,
  type: 'envelope.signed',
  ...[{ data }, { data: { object: data } }, { payload: data }][events % 3],
});
const listAgreements = (length: number, status: string) =>
  Array.from({ length }, (_, index) => ({ id: `agr_${index}`, name: `N ${index}`, status }));

const OPEN = [
  { email: 'a@x.example', signed_at: '2026-10-01T10:00:00Z' },
  { email: 'b@x.example', signed_at: null },
];
const DONE = OPEN.map((signer) => ({ ...signer, signed_at: '2026-10-01T10:00:00Z' }));

test.each<[string, Fields, boolean]>([
  ['that waits for other signers', { status: 'sent', signers: OPEN }, false],
  ['that is partly signed', { status: 'Partially Signed' }, false],
  ['without a status and with a missing signature', { signers: OPEN }, false],
  ['with a flag that signatures are missing', { is_complete: false }, false],
  ['with a flag that nothing is missing', { isComplete: true }, true],
  ['whose unfinished state is in a field with a noun', { request_status: 'inprogress' }, false],
  ['whose final state is in a field with a noun', { requestStatus: 'completed' }, true],
  ['whose state has a prefix', { status: 'document.completed' }, true],
  ['in a foreign language, with all signatures', { status: 'Unterzeichnet', signers: DONE }, true],
  ['that is completed', { status: 'completed', recipients: [...DONE, { email: 'cc@x.example', role: 'cc' }] }, true],
])('an agreement %s runs a Zap only if everybody has signed, and only once', async (title, record, isComplete) => {
  const id = `agr_${title.length}_${title.replace(/\W+/g, '_')}`;
  agreements = [{ id, name: 'NDA', ...record }];
  const data = { agreement_id: id };
  const ran = await deliver(signedEvent(data));
  expect(ran).toMatchObject(isComplete ? [{ completed: true, signed_document: expect.any(String) }] : []);
  const [each] = await deliver(signedEvent(data), { when: 'each' });
  expect(each).toMatchObject({ agreement_id: id, completed: isComplete });
  expect(await deliver(signedEvent(data)), 'the same completion once more').toEqual([]);
  if (!isComplete) expect(each?.['signed_document']).toBeNull();
});

test('an agreement at the end of a long list is read before its Zap runs, so a partly signed one does not run it', async () => {
  agreements = listAgreements(900, 'signed');
  Object.assign(agreements[880] ?? {}, { status: 'sent' });
  expect(await deliver(signedEvent({ agreement_id: 'agr_870', name: 'N' }))).toMatchObject([{ completed: true }]);
  expect(await deliver(signedEvent({ agreement_id: 'agr_880', name: 'N' }))).toEqual([]);
  expect(await deliver(signedEvent({ agreement_id: 'agr_none', name: 'N' }))).toEqual([]);
  service.requests.length = 0;
  expect(await deliver(signedEvent({ agreement_id: 'agr_880' }), { when: 'each' })).toMatchObject([
    { completed: null },
  ]);
  expect(service.requests.length).toBeLessThanOrEqual(2);
});

test('30 waiting runs and 20 unrelated events send at most 25 requests, and a completed agreement is found', async () => {
  agreements = listAgreements(1000, 'sent');
  service.requests.length = 0;
  const auth = authData();
  const resume = (run: number, event: Fields) =>
    zap
      .run('creates.send_and_wait.operation.performResume', {
        authData: auth,
        inputData: { agreement: `agr_${run}` },
        outputData: { waiting: { agreement_id: `agr_${run}` } },
        cleanedRequest: event,
      })
      .catch((error: Error) => error.name);
  const unrelatedEvents = Array.from({ length: 20 }, (_, index) => signedEvent({ agreement_id: `agr_${900 + index}` }));
  const resumeAll = async (event: Fields = {}) =>
    new Set(await Promise.all(Array.from({ length: 30 }, (_, run) => resume(run, event))));
  for (const event of unrelatedEvents) expect(await resumeAll(event)).toEqual(new Set(['ThrottledError']));
  expect(service.requests).toEqual([]);
  // Minutes later, Zapier runs all steps again.
  for (const event of unrelatedEvents.slice(18)) expect(await resumeAll(event)).toEqual(new Set(['ThrottledError']));
  expect(service.requests.length).toBeLessThanOrEqual(25);
  agreements[7] = { id: 'agr_7', name: 'N 7', status: 'completed' };
  expect(await resume(7, signedEvent({ agreement_id: 'agr_7' }))).toMatchObject({ id: 'agr_7', status: 'completed' });
  // The event was lost: the next check finds it.
  for (const key of zap.cache.keys()) if (key.includes('waiting-agreements')) zap.cache.delete(key);
  agreements[8] = { id: 'agr_8', name: 'N 8', status: 'completed' };
  expect(await resume(8, unrelatedEvents[0] ?? {})).toMatchObject({ id: 'agr_8' });
}, 60_000);

test("a trigger's test reports that Docshare has lost the webhook, and renews it", async () => {
  webhooks = [];
  agreements = [{ id: 'agr_1', name: 'NDA', status: 'signed' }];
  const meta = { zap: { id: 5 } };
  await zap.run(`${TRIGGER}.performSubscribe`, { authData: authData(), targetUrl: 'https://hooks.zapier.com/1', meta });
  const check = async () => {
    const [example] = await zap.run<Fields[]>(`${TRIGGER}.performList`, { authData: authData(), meta });
    return example?.['check'];
  };
  service.requests.length = 0;
  expect(await check()).toContain('registered it again');
  const renewals = () => service.requests.filter(({ method }) => method === 'POST');
  expect(renewals()).toMatchObject([
    { path: '/webhooks', body: expect.stringContaining('https://hooks.zapier.com/1') },
  ]);
  for (const off of [{ status: 'disabled' }, { is_active: false }]) {
    webhooks = [{ id: 'wh_new', ...off }];
    expect(await check()).toContain('registered it again');
  }
  webhooks = [{ id: 'wh_new', status: 'active' }];
  expect(await check()).not.toContain('registered');
  const unsubscribe = (subscribeData: Fields) =>
    zap.run(`${TRIGGER}.performUnsubscribe`, { authData: authData(), subscribeData, meta });
  await unsubscribe({ id: 'wh_old', url: 'https://hooks.zapier.com/0' });
  webhooks = [];
  expect(await check(), 'after the removal of a replaced registration').toContain('registered it again');
  await unsubscribe({});
  expect(await check()).not.toContain('registered');
  expect(renewals()).toHaveLength(4);
});

test.each([
  ['the renewed registration', NEW_SECRET, true],
  ['nobody', 'whsec_bm9ib2R5cy1zZWNyZXQta2V5', false],
])('a delivery with the secret of %s, of which Zapier has not learned', async (_, secret, verified) => {
  webhooks = [];
  agreements = [{ id: 'agr_1', name: 'NDA', status: 'sent' }];
  const data = { authData: authData(), meta: { zap: { id: 6 } } };
  await zap.run(`${TRIGGER}.performSubscribe`, { ...data, targetUrl: 'https://hooks.zapier.com/1' });
  const content = JSON.stringify(signedEvent({ agreement_id: 'agr_1', signer_email: 'a@x.example', name: 'NDA' }));
  const { headers } = signEvent(content, { secret, id: 'evt_renewed', time: new Date() });
  const events = await zap.run<Fields[]>(`${TRIGGER}.perform`, {
    ...{ ...data, inputData: { when: 'each' }, rawRequest: { method: 'POST', querystring: '', headers, content } },
    subscribeData: { id: 'wh_1', url: 'https://hooks.zapier.com/1', secret: 'whsec_b2xkLXNlY3JldC1rZXktb2Y=' },
  });
  expect(events).toMatchObject(verified ? [{ agreement_id: 'agr_1', verified }] : []);
});

test.each<[string, Fields]>([
  ['status of its signer', ONE_OF_TWO],
  ['agreement beside its signer', { ...ONE_OF_TWO, envelope: { status: 'sent' } }],
])('an event with the %s does not run a Zap while others have to sign', async (_, data) => {
  agreements = [{ id: 'agr_half', name: 'NDA', status: 'sent', signers: OPEN }];
  expect(await deliver(signedEvent(data))).toEqual([]);
});
