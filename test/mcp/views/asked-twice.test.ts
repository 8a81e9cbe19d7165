/** The same act, asked in two ways at once: each yes is a yes to one act. */
import { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { openServer, type RunningServer } from '../../support/mcp-servers.ts';

const VIEWS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const MODES = ['legacy', { pin: '2026-07-28' }] as const;
type Json = Record<string, unknown>;

let sandbox: Sandbox;
let client: Client | undefined;
let server: RunningServer | undefined;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(async () => {
  await client?.close();
  await server?.closed();
  await sandbox.close();
});

async function open(mode: (typeof MODES)[number], answer?: () => Promise<void>): Promise<void> {
  const capabilities = { extensions: VIEWS, ...(answer ? { elicitation: { form: {} } } : {}) };
  client = new Client({ name: 'host', version: '1' }, { capabilities, versionNegotiation: { mode } });
  if (answer)
    client.setRequestHandler('elicitation/create', async () => {
      await answer();
      return { action: 'accept', content: { confirm: true } };
    });
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  server = await openServer(['--state', 'memory'], env);
  await client.connect(server.transport as never);
}

const call = async (name: string, args: Json) =>
  (await client?.callTool({ name, arguments: args })) as {
    structuredContent?: Json;
    content: { text?: string }[];
    _meta?: Json;
  };
const yes = async (asked: { _meta?: Json }) =>
  call('answer_confirmation', { ...(asked._meta?.['docshare/card-request'] as Json), approved: true });
const faultOf = ({ content }: { content: { text?: string }[] }) => JSON.parse(content[0]?.text ?? '{}').error?.fault;
const made = () => sandbox.log.entries().filter(({ method }) => method === 'POST').length;

async function openLink(): Promise<Json> {
  const { structuredContent = {} } = await call('list_documents', {});
  const [first] = structuredContent['items'] as Json[];
  return { document_id: first?.['id'] };
}

test.each(MODES)(
  'two cards of one act, and a yes on each, do it once; asked anew, it is done again (%s)',
  async (mode) => {
    await open(mode);
    const act = await openLink();
    const [first, second] = [await call('create_link', act), await call('create_link', act)];
    const answers = await Promise.all([yes(first), yes(second)]);
    expect(made()).toBe(1);
    expect(answers.map(faultOf).filter(Boolean)).toEqual(['overtaken']);
    expect((await yes(await call('create_link', act))).structuredContent).toMatchObject({ done: true });
    expect(made()).toBe(2);
  },
);

test.each(MODES)('a card left open and a yes to the form of the same do it once (%s)', async (mode) => {
  await open(mode, async () => undefined);
  const act = await openLink();
  const card = await call('create_link', act);
  expect((await call('create_link', act)).structuredContent).toMatchObject({ done: true });
  expect(faultOf(await yes(card))).toBe('overtaken');
  expect(made()).toBe(1);
});

test.each(MODES)('a yes on the card while the form is open is the one that counts (%s)', async (mode) => {
  let card: Awaited<ReturnType<typeof call>> | undefined;
  await open(mode, async () => {
    if (card) await yes(card);
  });
  const act = await openLink();
  card = await call('create_link', act);
  expect(faultOf(await call('create_link', act))).toBe('overtaken');
  expect(made()).toBe(1);
});

test('a no to a link open to all holds for its like under fields.extra', async () => {
  await open('legacy');
  const act = await openLink();
  const asked = (await call('create_link', act))._meta?.['docshare/card-request'] as Json;
  await call('answer_confirmation', { ...asked, approved: false });
  const again = await call('create_link', { ...act, fields: { extra: { email_required: false } } });
  expect(again.structuredContent).toMatchObject({ declined: true });
});
