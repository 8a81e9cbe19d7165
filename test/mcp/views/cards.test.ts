import { Client } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { openLoopback } from '../../support/mcp-loopback.ts';
import { openServer, type RunningServer } from '../../support/mcp-servers.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { openView } from '../../support/view-host.ts';

const DECIDE = 'answer_confirmation';
const VIEWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const MODES = { 'sdk 2.x legacy': 'legacy', 'sdk 2.x modern': { pin: '2026-07-28' } } as const;

type Json = Record<string, unknown>;
interface Answer {
  readonly structuredContent?: Json;
  readonly content: { text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: Json;
}

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

async function open(
  mode: (typeof MODES)[keyof typeof MODES],
  options: { capabilities?: object; args?: readonly string[]; env?: Record<string, string>; forms?: () => Json } = {},
): Promise<Client> {
  const { capabilities = VIEWS, args = [], forms } = options;
  const { env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url } } = options;
  const own = new Client(
    { name: 'host', version: '1' },
    { capabilities: capabilities as never, versionNegotiation: { mode } },
  );
  if (forms) own.setRequestHandler('elicitation/create', async () => forms() as never);
  server = await openServer(['--state', 'memory', ...args], env);
  await own.connect(server.transport as never);
  client = own;
  return own;
}

const call = (name: string, args: Json) => client?.callTool({ name, arguments: args }) as Promise<Answer>;
const askedOf = ({ _meta }: Answer) => _meta?.['docshare/card-request'] as Json;
const sends = () => sandbox.log.entries().filter(({ path }) => path.endsWith('/send')).length;
const codeOf = ({ content }: Answer) => JSON.parse(content[0]?.text ?? '{}').error?.code;

async function draft(): Promise<string> {
  const { structuredContent } = await call('list_agreements', {});
  const items = structuredContent?.['items'] as Json[];
  return String(items.find(({ status }) => status === 'draft')?.['id']);
}

describe.each(Object.entries(MODES))('at a host that shows views (%s)', (_, mode) => {
  test('an act asks on a card: its token stands where views alone read it, and the click does it once', async () => {
    await open(mode);
    const id = await draft();
    const asked = await call('send_agreement', { id });
    const seen = JSON.stringify([asked.content, asked.structuredContent]);
    expect(asked.structuredContent).toMatchObject({ done: false, preview: expect.stringContaining(id) });
    expect(seen).not.toContain(String(askedOf(asked)['token']));
    expect(seen).not.toContain('confirm_token');
    expect(sends()).toBe(0);
    const done = await call(DECIDE, { ...askedOf(asked), approved: true });
    expect(done.isError).toBeFalsy();
    expect(sends()).toBe(1);
    const again = await call(DECIDE, { ...askedOf(asked), approved: true });
    expect(again.isError === true || again.structuredContent?.['repeated'] !== undefined).toBe(true);
    expect(sends()).toBe(1);
  });

  test('a no on the card is final, whatever the model tries', async () => {
    await open(mode);
    const id = await draft();
    const asked = await call('send_agreement', { id });
    const other = await call('send_agreement', { id });
    const refused = await call(DECIDE, { ...askedOf(asked), approved: false });
    expect(refused.structuredContent).toMatchObject({ done: false, declined: true });
    expect((await call('send_agreement', { id })).structuredContent).toMatchObject({ declined: true });
    const late = await call(DECIDE, { ...askedOf(other), approved: true });
    expect(late.structuredContent).toMatchObject({ done: false, declined: true });
    expect(sends()).toBe(0);
  });

  test('a model that guesses, borrows or changes reaches nothing', async () => {
    await open(mode);
    const id = await draft();
    const asked = askedOf(await call('send_agreement', { id }));
    const link = await call('list_links', {});
    const [victim] = (link.structuredContent ?? { items: [] })['items'] as Json[];
    const tries: Json[] = [
      { ...asked, token: 'x', approved: true },
      { ...asked, token: '', approved: true },
      { ...asked, go: 'true' },
      { ...asked, arguments: { id: `${id}x` }, approved: true },
      { ...asked, arguments: { id, fields: { message: 'other' } }, approved: true },
      { ...asked, tool: 'delete_link', arguments: { id: String(victim?.['id']) }, approved: true },
      { ...asked, tool: 'list_links', arguments: {}, approved: true },
      { ...asked, tool: DECIDE, approved: true },
      { approved: true },
    ];
    for (const args of tries) expect(codeOf(await call(DECIDE, args)), JSON.stringify(args)).toBe('not_confirmed');
    const spent = await call('send_agreement', { id, confirm_token: String(asked['token']) });
    expect(spent.structuredContent?.['done'] ?? false).toBe(false);
    expect(sends()).toBe(0);
    expect(sandbox.log.entries().filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('the list has the hidden tool for the view alone, and no confirm_token', async () => {
    const { tools } = await (await open(mode)).listTools();
    const decide = tools.find(({ name }) => name === DECIDE);
    expect(decide?._meta).toEqual({ ui: { visibility: ['app'] } });
    const send = tools.find(({ name }) => name === 'send_agreement');
    expect(send?._meta).toEqual({ ui: { resourceUri: 'ui://confirm' } });
    expect(JSON.stringify(tools)).not.toContain('confirm_token');
  });

  test('a host that also has forms asks by form where the card brought no answer', async () => {
    const capabilities = { ...VIEWS, elicitation: { form: {} } };
    let asked = 0;
    const forms = () => {
      asked += 1;
      return { action: 'accept', content: { confirm: true } };
    };
    await open(mode, { capabilities, forms });
    const id = await draft();
    expect(askedOf(await call('send_agreement', { id }))).toBeDefined();
    expect([asked, sends()]).toEqual([0, 0]);
    await call('send_agreement', { id });
    expect([asked, sends()]).toEqual([1, 1]);
  });
});

describe.each(Object.entries(MODES))('at a host that shows none (%s)', (_, mode) => {
  test('list, previews and tokens are as before, and the card’s tool answers nobody', async () => {
    const { tools } = await (await open(mode, { capabilities: {} })).listTools();
    expect(tools.some(({ name }) => name === DECIDE)).toBe(false);
    const id = await draft();
    const preview = await call('send_agreement', { id });
    expect(preview._meta?.['docshare/card-request']).toBeUndefined();
    const token = String(preview.structuredContent?.['confirm_token']);
    const borrowed = { token, tool: 'send_agreement', arguments: { id }, approved: true };
    expect(codeOf(await call(DECIDE, borrowed))).toBe('not_confirmed');
    expect(sends()).toBe(0);
    await call('send_agreement', { id, confirm_token: token });
    expect(sends()).toBe(1);
  });
});

test('a write that asks only because its outcome is in doubt shows no card, which nobody would see', async () => {
  const broken = await openLoopback(() => ({ status: 502, text: 'bad gateway' }));
  await open('legacy', { env: { DOCSHARE_API_KEY: 'k', DOCSHARE_BASE_URL: broken.url } });
  const act = { fields: { name: 'Kim' } };
  expect(codeOf(await call('create_contact', act))).toBe('unknown_outcome');
  const asked = await call('create_contact', act);
  expect(askedOf(asked)).toBeUndefined();
  const token = asked.structuredContent?.['confirm_token'];
  expect(codeOf(await call('create_contact', { ...act, confirm_token: token }))).toBe('unknown_outcome');
  await broken.close();
});

test('--confirm token and off show no card', async () => {
  for (const confirm of ['token', 'off']) {
    const { tools } = await (await open('legacy', { args: ['--confirm', confirm] })).listTools();
    expect(tools.some(({ name }) => name === DECIDE)).toBe(false);
    const guess = call(DECIDE, { token: 't', tool: 'send_agreement', arguments: {}, approved: true });
    await expect(guess).rejects.toThrow(/not found/);
    await client?.close();
  }
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    ['Approve', 1, 'Done'],
    ['Deny', 0, 'Nothing was done'],
  ])('the button "%s" is the person’s word', async (button, sent, words) => {
    await open('legacy');
    const id = await draft();
    const asked = await call('send_agreement', { id });
    const host = await openView(browser, 'confirm', { callTool: call });
    try {
      await host.answer(asked);
      await host.frame.getByRole('button', { name: button }).waitFor();
      expect(sends()).toBe(0);
      await host.frame.getByRole('button', { name: button }).click();
      await host.frame.getByRole('status').getByText(words).waitFor();
      expect(sends()).toBe(sent);
      expect(await host.frame.getByRole('button').count()).toBe(0);
      expect(host.sent.map(({ kind }) => kind)).toEqual(['call', 'model']);
      expect(JSON.stringify(host.sent[1])).not.toContain(String(askedOf(asked)['token']));
      expect(host.problems).toEqual([]);
    } finally {
      await host.close();
    }
  });
});
