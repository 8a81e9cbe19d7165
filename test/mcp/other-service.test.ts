import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { operations } from '../../src/index.ts';
import { callEveryTool, createFolder } from '../support/mcp-every-tool.ts';
import { type Json, type ListedTool, openHost } from '../support/mcp-host.ts';
import { OTHER_KEY, openOtherService } from '../support/mcp-other-service.ts';

test.each(['sdk 1.x', 'sdk 2.x modern'] as const)(
  '%s: every endpoint of a service with shapes of its own are reached',
  async (kind) => {
    const folder = createFolder();
    const service = await openOtherService();
    const env = { DOCSHARE_API_KEY: OTHER_KEY, DOCSHARE_BASE_URL: service.url };
    const host = await openHost({ kind, env, args: ['--confirm', 'off', '--files', folder.path] });
    try {
      const outcomes = await callEveryTool(host);
      const failed = [...outcomes].filter(([, { isError }]) => isError).map(([name, { text }]) => [name, text]);
      expect(failed).toEqual([]);
      const routes = operations.map(({ operation }) => operation.route);
      expect(routes.filter((route) => !service.reached.has(route))).toEqual([]);
      expect(outcomes.get('list_rooms')?.data.items).toEqual([
        expect.objectContaining({ id: '5', name: 'One' }),
        expect.objectContaining({ id: '6', name: 'Two' }),
      ]);
      expect(outcomes.get('create_link')?.data).toMatchObject({ url: expect.stringContaining('/l/') });
    } finally {
      await host.close();
      await service.close();
      folder.remove();
    }
  },
);

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
  };
  const extra = extras[name] ?? [];
  const required = (inputSchema['required'] ?? []) as string[];
  return Object.fromEntries([...required, ...extra].map((key) => [key, VALUES[key]]));
}

const secret = 'sk_live_NEVER_SHOW_ME_1234567890';

test.each([
  ['no key', 'no_key'],
  ['a wrong key', 'authentication_failed'],
  // Of a write nobody knows whether it took effect behind the page.
  ['a web page', /^(unexpected_response|unknown_outcome)$/],
  // The repetitions of all reads at once fill a whole minute of the limit.
  ['nobody there', /^(unreachable|timeout|unknown_outcome|rate_limited)$/],
] as const)(
  '%s: each tool fails with a sentence, no stack and no key',
  async (what, code) => {
    const service = await openOtherService();
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Sign in</title>');
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const urls: Record<string, string> = {
      'a web page': `http://127.0.0.1:${(site.address() as AddressInfo).port}/api/v1`,
      'nobody there': 'http://127.0.0.1:9/api/v1',
    };
    const env = {
      DOCSHARE_BASE_URL: urls[what] ?? service.url,
      ...(what === 'no key' ? {} : { DOCSHARE_API_KEY: secret }),
    };
    const host = await openHost({ env, args: ['--confirm', 'off'] });
    // It asks nothing, so that only a missing key can stop it.
    const calledTools = (await host.tools()).filter(({ name }) => name !== 'whoami' || what === 'no key');
    try {
      const outcomes = await Promise.all(
        calledTools.map(async (tool) => ({
          name: tool.name,
          ...(await host.call(tool.name, argumentsFor(tool), { timeout: 90_000 })),
        })),
      );
      for (const { name, isError, error, text } of outcomes) {
        expect(isError, `${name}: ${text}`).toBe(true);
        expect(error['code'], name).toMatch(code instanceof RegExp ? code : new RegExp(`^${code}$`));
        expect(error['message'], name).toMatch(/^[A-Za-z][^\n]{20,}[.)]$/);
        expect(text, name).not.toMatch(/sk_live|\\n\s+at |node_modules|\.ts:\d/);
      }
      expect(host.stderr()).not.toMatch(/sk_live|\n\s+at /);
    } finally {
      await host.close();
      await service.close();
      site.closeAllConnections();
      site.close();
    }
  },
  120_000,
);
