/** The signing secret of a webhook is stored in a file of its owner, and never shown to a model. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { createPerson, signedInBrowser } from '../../support/hosted-visitor.ts';
import { openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';
import { createMemoryState } from '../../support/mcp-parts.ts';
import { assemble } from '../../support/mcp-servers.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29r';
const PLAIN = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const root = createFolderForFile('docshare-webhook-secrets-');
const webhook = { url: 'https://example.com/hook', events: ['link.viewed'] };
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));

test('a local server stores it in a file that only its owner can read, and returns the path', async () => {
  const state = join(root, 'state');
  const host = await openHostOnSandbox(sandbox, { state, args: ['--confirm', 'off', '--files', root] });
  const { data, text } = await host.call('create_webhook', webhook);
  const path = String(data['secret_file']);
  expect(data, text).toMatchObject({ done: true, id: expect.any(String) });
  expect(dirname(path)).toBe(join(state, 'secrets'));
  expect(data['untrusted'] ?? []).not.toContain('secret_file');
  const secret = readFileSync(path, 'utf8').trim();
  expect(secret.length).toBeGreaterThan(16);
  if (process.platform !== 'win32') {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  }
  const listed = await host.call('list_webhooks', { detail: 'full' });
  const uploaded = await host.call('upload_document', { path });
  const again = await host.call('create_webhook', { ...webhook, url: 'https://example.com/other' });
  expect(again.data['secret_file']).not.toBe(path);
  for (const shown of [text, listed.text, again.text]) expect(shown).not.toContain(secret);
  expect(uploaded.error).toMatchObject({ code: 'path_not_allowed' });
  const seen = await sandbox.log.entries().find(({ operation }) => operation === 'webhooks.create');
  expect(JSON.stringify(seen)).toContain('example.com/hook');
});

test.each([
  ['secret', { id: 'w1', secret: SECRET }, SECRET],
  ['signingKey', { id: 'w1', signingKey: PLAIN }, PLAIN],
  ['key', { id: 'w1', key: PLAIN }, PLAIN],
  ['signature_key', { id: 'w1', signature_key: PLAIN }, PLAIN],
  ['a list', { id: 'w1', secrets: [PLAIN] }, PLAIN],
  ['a nested field', { data: { id: 'w1', signing: { secret: { value: PLAIN } }, hint: `use ${PLAIN}` } }, PLAIN],
  ['two fields', { id: 'w1', secret: SECRET, webhook_secret: PLAIN }, `secret=${SECRET}\nwebhook_secret=${PLAIN}`],
] as const)('a secret in %s is stored in the file and left out of the result', async (_, response, stored) => {
  const host = await openHostOnService(() => ({ json: response }), { args: ['--confirm', 'off'] });
  const { data, text } = await host.call('create_webhook', webhook);
  expect(data, text).toMatchObject({ done: true, id: 'w1', secret_file: expect.any(String) });
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(PLAIN);
  expect(readFileSync(String(data['secret_file']), 'utf8').trim()).toBe(stored);
  rmSync(dirname(String(data['secret_file'])), { recursive: true });
});

test('no webhook is registered if the secret cannot be stored', async () => {
  const state = join(root, 'blocked');
  const host = await openHostOnSandbox(sandbox, { state, args: ['--confirm', 'off'] });
  await host.call('whoami');
  await host.call('create_contact', { fields: { name: 'Kim' } });
  writeFileSync(join(state, 'secrets'), 'a file');
  sandbox.log.clear();
  const { error } = await host.call('create_webhook', webhook);
  expect(error).toMatchObject({ code: 'not_saved' });
  expect(sandbox.log.entries()).toEqual([]);
});

test('a list hides secrets that the service repeats', async () => {
  const items = [
    { id: 'w1', secret: SECRET, signing_key: PLAIN, note: `Verify with ${SECRET}.` },
    { id: 'w2', secret: { value: PLAIN }, signatureKey: PLAIN, signature: { status: 'verified' } },
    { id: 'w3', signing: { secrets: [{ value: PLAIN }] } },
  ];
  const host = await openHostOnService(() => ({ json: { items } }));
  const { data, text } = await host.call('list_webhooks', { detail: 'full' });
  expect(data['items']).toMatchObject([{ id: 'w1' }, { id: 'w2', signature: { status: 'verified' } }, { id: 'w3' }]);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(PLAIN);
});

test('a hosted server neither returns nor stores it, and says so before and after the approval', async () => {
  const key = sandbox.key();
  const { cookie, browser } = signedInBrowser('b');
  const grants = { mine: { grant: 'mine', key, browser } };
  const replica = await closeAfterTest(openReplica({ baseUrl: sandbox.url, state: createMemoryState(), grants }));
  const host = await closeAfterTest(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'mine' }));
  const args = { ...webhook, url: 'https://example.com/hosted' };
  const asked = await host.call('create_webhook', args);
  expect(String(asked.data['preview'])).toMatch(/signing secret will not be shown/);
  // A webhook that does not exist yet has no state in the service.
  expect(asked.data).not.toHaveProperty('about');
  await createPerson(undefined, cookie).answer(String(asked.data['confirm_url']), 'approve');
  const { data, text } = await host.call('create_webhook', args);
  expect(data, text).toMatchObject({ done: true, id: expect.any(String), approved_by: 'page' });
  expect(data['next']).toMatch(/not shown to assistants/);
  expect(Object.keys(data)).not.toEqual(expect.arrayContaining(['secret_file']));
  expect(text).not.toMatch(/whsec_|"secret"|[0-9a-f]{48}/);
});

test('a server that other machines can reach does not store it', async () => {
  const getSecretStore = async (args: readonly string[]) => {
    const { dependencies, close } = await assemble(['--state', 'memory', ...args], {});
    await close();
    return dependencies.services.files.secrets;
  };
  expect(await getSecretStore(['--http'])).toBeDefined();
  expect(await getSecretStore(['--http', '--host', '::1'])).toBeDefined();
  expect(await getSecretStore(['--http', '--host', '0.0.0.0'])).toBeUndefined();
});
