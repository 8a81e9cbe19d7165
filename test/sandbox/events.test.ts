import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxProfileInput, SWITCHES } from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { listenForFile } from '../support/listen.ts';

let arrived: { headers: IncomingHttpHeaders; body: string }[];
let answers: number[];
/** No response is sent before this resolves. */
let held: Promise<void> | undefined;
let sandbox: Sandbox;
let key: string;

const receiver = await closeAfterAll(
  createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      arrived.push({ headers: request.headers, body });
      await held;
      response.writeHead(answers.shift() ?? 200).end();
    });
  }),
);
const target = `${await listenForFile(receiver)}/hook`;
beforeEach(() => {
  arrived = [];
  answers = [];
  held = undefined;
});

async function start(profile: SandboxProfileInput = 'modern', clock: 'manual' | 'real' = 'manual'): Promise<void> {
  sandbox = await closeAfterTest(createSandbox({ profile, clock }));
  key = sandbox.key();
}

const send = (method: string, path: string, body?: object) => sendJson(sandbox, { key: key, method, path, body });

/** Starts a service and registers for these events. Returns the registration. */
async function register(profile?: SandboxProfileInput, events = ['link.viewed'], clock?: 'manual' | 'real') {
  await start(profile, clock);
  return (await send('POST', '/webhooks', { url: target, events })).body;
}

function anyLink(): string {
  const link = [...sandbox.snapshot().state.links.values()].at(-1);
  if (!link) throw new Error('the company has no link');
  return link.id;
}

async function view(): Promise<void> {
  await sandbox.visit(anyLink(), { email: 'ann@example.com', pages: [1] });
  await sandbox.deliveries.settled();
}

test.each(['accept', 'decline'])('the decision to %s a proposal is delivered', async (decision) => {
  await register('modern', [`proposal.${decision}${decision.endsWith('e') ? 'd' : 'ed'}`]);
  const items = [{ description: 'Seat', quantity: 1, unit_price: 5 }];
  const { id } = (await send('POST', '/proposals', { name: 'Offer', items, recipients: [{ email: 'a@x.example' }] }))
    .body;
  const { url } = (await send('POST', `/proposals/${id}/send`)).body;
  await fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
  await sandbox.deliveries.settled();
  expect(arrived.map(({ body }) => JSON.parse(body).data)).toMatchObject([{ proposal_id: id, name: 'Offer' }]);
});

test('a visit is delivered only to webhooks that registered for its kind', async () => {
  await register();
  await send('POST', '/webhooks', { url: target, events: ['envelope.signed'] });
  await view();
  expect(arrived.map(({ body }) => JSON.parse(body))).toEqual([
    {
      type: 'link.viewed',
      timestamp: expect.stringMatching(/Z$/),
      data: expect.objectContaining({
        link_id: anyLink(),
        visit_id: expect.stringMatching(/^vis_/),
        visitor: { email: 'ann@example.com', name: null },
      }),
    },
  ]);
});

test('the send and the last signature of an agreement are delivered, the first of two is not', async () => {
  await register('modern', ['envelope.sent', 'envelope.signed']);
  const recipients = [{ email: 'ann@example.com' }, { email: 'ben@example.com' }];
  const agreement = await send('POST', '/agreements', { name: 'NDA', recipients });
  await send('POST', `/agreements/${agreement.body.id}/send`);
  await sandbox.sign(agreement.body.id, { email: 'ben@example.com' });
  await sandbox.deliveries.settled();
  expect(arrived).toHaveLength(1);
  await sandbox.sign(agreement.body.id, { email: 'ann@example.com', name: 'Ann A.' });
  await sandbox.deliveries.settled();
  expect(arrived.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'envelope.sent', data: { agreement_id: agreement.body.id, status: 'sent' } },
    { type: 'envelope.signed', data: { agreement_id: agreement.body.id, status: 'signed' } },
  ]);
});

test.each(SWITCHES.signature.settings)('the scheme %s is verified by the secret of the response', async (signature) => {
  const { secret } = await register({ signature }, ['*']);
  await view();
  const [{ headers, body } = { headers: {}, body: '' }] = arrived;
  const hmac = (text: string) => createHmac('sha256', secret).update(text);
  const header = (name: string) => String(headers[name]);
  const checks: Record<typeof signature, () => void> = {
    'standard-webhooks': () =>
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'link.viewed',
      }),
    't-v1': () => {
      const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(header('x-docshare-signature')) ?? [];
      expect(v1).toBe(hmac(`${t}.${body}`).digest('hex'));
    },
    hex: () => {
      expect(header('x-signature')).toBe(hmac(body).digest('hex'));
      expect(headers).not.toHaveProperty('x-delivery-id');
    },
    'sha256-hex': () => {
      expect(header('x-hub-signature-256')).toBe(`sha256=${hmac(body).digest('hex')}`);
      expect(headers).toHaveProperty('x-delivery-id');
    },
    base64: () => expect(header('x-hmac-sha256')).toBe(hmac(body).digest('base64')),
    none: () => expect(Object.keys(headers).filter((name) => /sign|hmac/.test(name))).toEqual([]),
  };
  checks[signature]();
});

test.each(SWITCHES.eventShape.settings)('the shape %s contains the event type and the data', async (eventShape) => {
  await register({ eventShape });
  await view();
  const event = JSON.parse(arrived[0]?.body ?? '');
  expect(event.type ?? event.event ?? event.event_type).toBe('link.viewed');
  expect((event.data?.object ?? event.data ?? event.payload ?? event).link_id).toBe(anyLink());
});

test.each(SWITCHES.webhookSecretField.settings)('a registration returns %s', async (webhookSecretField) => {
  await start({ webhookSecretField });
  const secret = 'chosen-by-the-caller';
  const { body } = await send('POST', '/webhooks', { url: target, events: ['link.viewed'], secret });
  const secrets = Object.keys(body).filter((name) => name.includes('secret'));
  expect(secrets).toEqual(webhookSecretField === 'none' ? [] : [webhookSecretField]);
  const listed = await send('GET', '/webhooks');
  expect(Object.keys(listed.body.data[0]).filter((name) => name.includes('secret'))).toEqual([]);
  expect(listed.text).not.toContain(secret);
});

test('a failed delivery is retried after 5 s, 30 s and 2 min of the clock, with the same ID and body', async () => {
  await register();
  answers = [500, 503, 302];
  await view();
  await sandbox.clock.advance(4_999);
  expect(arrived).toHaveLength(1);
  await sandbox.clock.advance(1);
  expect(arrived).toHaveLength(2);
  await sandbox.clock.advance(150_000);
  expect(arrived).toHaveLength(4);
  expect(new Set(arrived.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  const [delivery] = sandbox.deliveries.entries();
  expect(delivery).toMatchObject({ status: 'delivered', nextAttemptAt: null });
  expect(delivery?.attempts).toMatchObject([500, 503, 302, 200].map((status) => ({ status, ms: 0 })));
  const [first = 0, ...rest] = delivery?.attempts.map(({ at }) => at) ?? [];
  expect(rest.map((at) => at - first)).toEqual([5_000, 35_000, 155_000]);
});

test('the real clock runs on after an advance, to a retry that is due soon', async () => {
  await register('modern', ['link.viewed'], 'real');
  answers = [500, 500, 500];
  await view();
  for (const ms of [5_000, 30_000, 119_900]) await sandbox.clock.advance(ms);
  await expect.poll(() => arrived).toHaveLength(4);
});

test('a pending retry runs once, not after a reset but after a restore, and not at all after a manual retry', async () => {
  await register();
  answers = [500, 500, 500];
  await view();
  const snapshot = sandbox.snapshot();
  sandbox.reset();
  await sandbox.clock.advance(5_000);
  expect(arrived).toHaveLength(1);
  sandbox.restore(snapshot);
  await sandbox.clock.advance(5_000);
  expect(arrived).toHaveLength(2);
  await sandbox.deliveries.redeliver(sandbox.deliveries.entries()[0]?.id ?? '');
  expect(arrived).toHaveLength(3);
  await sandbox.clock.advance(119_999);
  expect(arrived).toHaveLength(3);
  await sandbox.clock.advance(1);
  expect(arrived).toHaveLength(4);
  expect(sandbox.deliveries.entries()).toEqual([expect.objectContaining({ status: 'delivered' })]);
});

test('an endpoint that returns 410 gets no further events and no retries of earlier failures', async () => {
  const { id } = await register();
  answers = [500, 410];
  await view();
  await view();
  await view();
  await sandbox.clock.advance(86_400_000);
  expect(arrived).toHaveLength(2);
  expect(sandbox.deliveries.entries().map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect((await send('GET', '/webhooks')).body.data).toEqual([expect.objectContaining({ id, status: 'disabled' })]);
});

test('a delivery that has failed permanently can be sent again manually', async () => {
  await register({ retries: 'none' });
  answers = [500];
  await view();
  const [failed] = sandbox.deliveries.entries();
  expect(failed).toMatchObject({ status: 'failed', kind: 'link.viewed' });
  expect(await sandbox.deliveries.redeliver(failed?.id ?? '')).toMatchObject({ status: 'delivered' });
  expect(arrived.map(({ body }) => body)).toEqual([failed?.body, failed?.body]);
  await expect(sandbox.deliveries.redeliver('nothing')).rejects.toThrow('No delivery with id "nothing"');
});

test('a delivery to an unreachable endpoint fails with the reason', async () => {
  await start({ retries: 'none' });
  await send('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['link.viewed'] });
  await view();
  expect(sandbox.deliveries.entries()[0]).toMatchObject({
    status: 'failed',
    attempts: [{ status: null, error: expect.stringContaining('ECONNREFUSED') }],
  });
});

test('a removed registration gets nothing, including pending deliveries', async () => {
  const { id } = await register();
  answers = [500];
  await view();
  expect((await send('DELETE', `/webhooks/${id}`)).status).toBe(204);
  expect(sandbox.deliveries.entries()).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
  await view();
  await sandbox.clock.advance(86_400_000);
  expect(arrived).toHaveLength(1);
});

test.each(SWITCHES.webhookBody.settings)('the registration format %s requires its field names', async (webhookBody) => {
  await start({ webhookBody });
  const [url = '', events = ''] = webhookBody.split('+');
  const empty = await send('POST', '/webhooks', {});
  expect([empty.status, empty.body.error.message]).toEqual([422, expect.stringContaining(`${url}: is required`)]);
  const list = events === 'event' ? 'link.viewed' : ['link.viewed'];
  const { status, body } = await send('POST', '/webhooks', { [url]: target, [events]: list });
  expect([status, body[url], body[events]]).toEqual([201, target, list]);
});
