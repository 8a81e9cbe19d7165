import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { type Json, type ListedTool, openHost, openHostOnSandbox } from '../support/mcp-host.ts';
import { openLoopback } from '../support/mcp-loopback.ts';

const VALUES: Json = {
  id: 'x',
  document_id: 'x',
  text: 'x',
  fields: { name: 'x' },
  url: 'https://example.com/hook',
  events: ['link.viewed'],
  recipients: ['ann@example.com'],
  changes: [{ id: 'x', name: 'x' }],
  content: Buffer.from('%PDF-1.4').toString('base64'),
};

/** Returns valid arguments for a tool. */
function argumentsFor({ name, inputSchema }: ListedTool): Json {
  const extras: Record<string, string[]> = {
    upload_document: ['content'],
    share_document: ['document_id'],
    create_link: ['document_id'],
    add_contact_tags: ['id'],
    report_link: ['id'],
  };
  const required = (inputSchema['required'] ?? []) as string[];
  return Object.fromEntries([...required, ...(extras[name] ?? [])].map((key) => [key, VALUES[key]]));
}

const secret = 'sk_live_NEVER_SHOW_ME_1234567890';

test.each([
  ['no key', 'no_key'],
  ['a wrong key', 'authentication_failed'],
  // Whether a write took effect behind the page is unknown.
  ['a web page', /^(unexpected_response|unknown_outcome)$/],
  // The retries of all reads together use up the rate limit of a minute.
  ['nobody there', /^(unreachable|timeout|unknown_outcome|rate_limited)$/],
] as const)(
  '%s: each tool fails with a sentence, no stack and no key',
  async (what, code) => {
    const service = await closeAfterTest(
      openLoopback(() =>
        what === 'a web page'
          ? { headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Sign in</title>' }
          : { status: 401, json: { error: { message: 'No such key.' } } },
      ),
    );
    const env = {
      DOCSHARE_BASE_URL: what === 'nobody there' ? 'http://127.0.0.1:9/api/v1' : service.url,
      ...(what === 'no key' ? {} : { DOCSHARE_API_KEY: secret }),
    };
    const host = await closeAfterTest(openHost({ env, args: ['--confirm', 'off'] }));
    // It sends no request, so only a missing key can stop it.
    const calledTools = (await host.tools()).filter(({ name }) => name !== 'whoami' || what === 'no key');
    const outcomes = await Promise.all(
      calledTools.map(async (tool) => ({
        name: tool.name,
        ...(await host.call(tool.name, argumentsFor(tool), { timeout: 90_000 })),
      })),
    );
    // A plan of several steps that meets the rate limit does not fail: it tells what is left.
    const failed = outcomes.filter(({ data }) => what !== 'nobody there' || data['left'] === undefined);
    expect(failed.length).toBeGreaterThanOrEqual(outcomes.length - 2);
    for (const { name, isError, error, text } of failed) {
      expect(isError, `${name}: ${text}`).toBe(true);
      expect(error['code'], name).toMatch(code instanceof RegExp ? code : new RegExp(`^${code}$`));
      expect(error['message'], name).toMatch(/^[A-Za-z][^\n]{20,}[.)]$/);
      expect(text, name).not.toMatch(/sk_live|\\n\s+at |node_modules|\.ts:\d/);
    }
    expect(host.stderr()).not.toMatch(/sk_live|\n\s+at /);
  },
  120_000,
);

test('a group whose access was set, but not confirmed, is not said to have none', async () => {
  const sandbox = await closeAfterTest(createSandbox({ seed: 1 }));
  const host = await openHostOnSandbox(sandbox, { args: ['--confirm', 'off'] });
  const [id] = sandbox.snapshot().state.rooms.keys();
  sandbox.faults.add({ operation: 'rooms.setPermissions', when: 'after', cut: 'reset' });
  const { error } = await host.call('add_room_group', { id, name: 'Verde', access: 'view' });
  expect(error).toMatchObject({ code: 'partly_done', message: expect.stringContaining('its access is not confirmed') });
});
