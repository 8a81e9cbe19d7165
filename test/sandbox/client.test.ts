/** The typed client does the main job on every preset and on drawn services: sandbox and client prove each other. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createSandbox,
  PROFILE_NAMES,
  resolveProfile,
  type Sandbox,
  type SandboxProfile,
} from '../../sandbox/index.ts';
import { type Client, createClient, idOf, parseEvent } from '../../src/index.ts';

const SEEDS = Array.from({ length: 12 }, (_, index) => `random:${index + 1}`);

let receiver: Server;
let hookUrl: string;
const hookPath = `/${randomUUID()}`;
let arrived: { headers: Record<string, string>; body: string }[];
let pdf: Uint8Array;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      // Ports are given again: who still asks for their last owner is none of this test's.
      if (request.url === hookPath) arrived.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${hookPath}`;
  const document = await PDFDocument.create();
  for (let page = 0; page < 3; page++) document.addPage();
  pdf = await document.save();
});
beforeEach(() => {
  arrived = [];
});
afterAll(() => receiver.close());

async function count(list: AsyncIterable<unknown>): Promise<number> {
  let items = 0;
  for await (const item of list) items += idOf(item) === undefined ? Number.NaN : 1;
  return items;
}

/** The registration in the names that the profile demands. */
function registration({ webhookBody }: SandboxProfile): Record<string, unknown> {
  const [url = '', events = ''] = webhookBody.split('+');
  return { [url]: hookUrl, [events]: events === 'event' ? 'link.viewed' : ['link.viewed'] };
}

test.each([...PROFILE_NAMES, ...SEEDS])('the main job as %s', async (line) => {
  // The client keeps to its own limit; small bursts have tests of their own.
  const profile = { ...resolveProfile(line), rateLimiter: 'sliding' } as const;
  const sandbox = await createSandbox({ profile, clock: 'manual' });
  const client = createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  try {
    await doTheMainJob(sandbox, client);
  } finally {
    await client.close();
    await sandbox.close();
  }
});

async function doTheMainJob(sandbox: Sandbox, client: Client): Promise<void> {
  const { id = '' } = await client.upload(pdf, { name: 'Deck' });
  await client.upload(pdf, { documentId: id });
  expect(sandbox.snapshot().state.documents.get(id)?.versions).toHaveLength(2);
  expect(await count(client.documents.list())).toBe(9);
  expect(await count(client.contacts.list())).toBe(16);

  const link = await client.links.create({ document_id: id, email_required: true });
  const linkId = idOf((await client.links.list()).items[0]) ?? '';
  expect(link.url).toBe(`${sandbox.origin}/l/${linkId}`);
  const webhookId = idOf(await client.webhooks.create(registration(sandbox.profile))) ?? '';
  await sandbox.visit(linkId, { email: 'ann@example.com', pages: [4, 2] });
  await sandbox.deliveries.settled();
  expect(arrived.map(({ headers, body }) => parseEvent(body, headers).kind)).toEqual(['link.viewed']);
  expect(await count(client.analytics.visitors({ id: linkId }))).toBe(1);

  const recipients = [{ email: 'ben@example.com', name: 'Ben' }];
  const agreement = await client.agreements.create({ name: 'NDA', document_id: id, recipients });
  const agreementId = idOf(agreement) ?? '';
  await client.agreements.send({ id: agreementId });
  await sandbox.sign(agreementId);
  const chunks: Uint8Array[] = [];
  const download = await client.agreements.document({ id: agreementId });
  for await (const chunk of (await download.open()).bytes) chunks.push(chunk);
  expect((await PDFDocument.load(Buffer.concat(chunks))).getPageCount()).toBe(4);

  await client.webhooks.delete({ id: webhookId });
  await client.links.delete({ id: linkId });
  expect(sandbox.snapshot().state.links.has(linkId)).toBe(false);
}
