import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runDoctor } from '../../../mcp/doctor/doctor.ts';
import { createFolderForFile } from '../../support/cleanup.ts';
import { listenForFile } from '../../support/listen.ts';
import { openHost } from '../../support/mcp-host.ts';
import { startProxy } from '../../support/proxy.ts';
import { runMcp } from '../../support/run-mcp.ts';
import { cert, key } from '../../support/self-signed.ts';

const folder = createFolderForFile('docshare-network-');
const authority = join(folder, 'authority.pem');
writeFileSync(authority, cert);
const service = createServer({ cert, key }, (request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json').end('{"data":[]}');
});
const { port } = new URL(await listenForFile(service));
const proxy = await startProxy();
const strict = await startProxy({ rejectWith: 407 });
afterAll(() => Promise.all([proxy, strict].map((one) => one[Symbol.asyncDispose]())));
const env: Record<string, string> = {
  DOCSHARE_API_KEY: 'dsk_network',
  DOCSHARE_BASE_URL: `https://127.0.0.1:${port}/api/v1`,
};

test.each<[string, () => Record<string, string>, string, RegExp]>([
  ['unknown authority', () => ({}), 'failed', /DEPTH_ZERO_SELF_SIGNED_CERT.*NODE_USE_SYSTEM_CA=1.*NODE_EXTRA_CA_CERTS/],
  ['a missing file', () => ({ NODE_EXTRA_CA_CERTS: '/none.pem' }), 'failed', /a file that does not exist/],
  ['a known authority', () => ({ NODE_EXTRA_CA_CERTS: authority }), 'ok', /reachable/],
  ['a proxy', () => ({ NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: proxy.origin }), 'ok', /reachable/],
  ['a proxy that requires a password', () => ({ HTTPS_PROXY: strict.origin }), 'failed', /HTTPS_PROXY.*407/],
  ['an absent proxy', () => ({ HTTPS_PROXY: 'http://127.0.0.1:9' }), 'failed', /ECONNREFUSED.*proxy of HTTPS_PROXY/],
])('doctor through %s', async (_, network, state, words) => {
  const variables = network();
  const message = expect.stringMatching(words);
  const check = (report: string) =>
    expect(JSON.parse(report).checks[0]).toMatchObject({ name: 'address', state, message });
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  // Node reads certificates only when it starts.
  if (variables['NODE_EXTRA_CA_CERTS'] === authority)
    check((await runMcp(['doctor', '--json'], { env: { ...env, ...variables } })).stdout);
  else await runDoctor({ env, json: true, print: check });
});

test.each(['doctor', 'learn'])('%s names the cure for an unknown authority, and nothing untested', async (job) => {
  const { stdout, stderr } = await runMcp([job], { env, cwd: folder });
  expect(stdout + stderr).toContain('NODE_EXTRA_CA_CERTS');
  expect(stdout).not.toContain('DOCSHARE_SCOPES');
});

test('tools reach the service through the proxy, whose tunnel hides the key', async () => {
  const network = { NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: proxy.origin };
  const host = await openHost({ env: { ...env, ...network }, ownProcess: true });
  const { data } = await host.call('list_documents', {});
  await host.close();
  expect(data).toMatchObject({ items: [] });
  expect(proxy.tunnelled()).not.toContain('dsk_network');
});
