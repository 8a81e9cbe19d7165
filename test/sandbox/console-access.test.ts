/** Headers and access rules of the console page, tested without a browser. */

import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll } from '../support/close-after.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));

test('the page allows only its own code, styles and frames', async () => {
  const answer = await fetch(`${sandbox.origin}/`);
  const policy = answer.headers.get('content-security-policy')?.split('; ');
  const rules = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"];
  expect(policy).toEqual(expect.arrayContaining(rules));
  const text = await answer.text();
  expect(text).not.toMatch(/<[^>]+\s(?:on\w+|style)=/);
  expect(text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
});

test('the page and its stream, which show keys, reject rebound host names and other sites', async () => {
  const status = (path: string, headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const outgoing = request(sandbox.origin + path, { headers, agent: false });
      outgoing.on('error', reject).on('response', (incoming) => {
        resolve(incoming.statusCode);
        incoming.destroy();
      });
      outgoing.end();
    });
  const { host } = new URL(sandbox.origin);
  const rebound = { host: host.replace('127.0.0.1', 'evil.example') };
  expect(await status('/', {})).toBe(200);
  expect(await status('/', { host: host.replace('127.0.0.1', 'localhost') })).toBe(200);
  expect(await status('/', rebound)).toBe(403);
  expect(await status('/_sandbox/events', rebound)).toBe(403);
  expect(await status('/_sandbox/events', { origin: 'https://evil.example' })).toBe(403);
  expect(await status('/_sandbox/events', { 'sec-fetch-site': 'cross-site' })).toBe(403);
});
