import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDoctor } from '../../../mcp/doctor/doctor.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { SCOPES, type ServiceProfile } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { NOTHING_LEARNED } from '../../support/create-profile.ts';
import { openLoopback } from '../../support/mcp-loopback.ts';
import { runMcp } from '../../support/run-mcp.ts';
import { texts } from '../texts.ts';

const SECRETS_AND_STACKS = /sk_live|\n\s+at |node_modules\/(?!node\/bin|\.bin\/node\b)/;
const secret = 'sk_live_NEVER_SHOW_ME_1234567890';
const folder = createFolderForFile('docshare-doctor-');
const sandbox = await closeAfterAll(createSandbox());

async function doctor(env: Record<string, string>, json = false) {
  let stdout = '';
  const print = (text: string) => {
    stdout += text;
  };
  const code = await runDoctor({ env, sandbox: undefined, json, print });
  // The settings for hosts name the running program, which is the test runner here.
  expect(stdout).not.toMatch(/sk_live|\n\s+at /);
  return { code, stdout };
}

interface Report {
  readonly calls: number;
  readonly readable_scopes: readonly string[];
  readonly denied_scopes: readonly string[];
  readonly DOCSHARE_SCOPES: string;
  readonly checks: readonly { name: string; state: string; message: string }[];
}

/** Runs the doctor on a service. `results` has the state and message of each check. */
async function examine(answer: Parameters<typeof openLoopback>[0] | string, DOCSHARE_PROFILE?: string) {
  const service = typeof answer === 'string' ? undefined : await closeAfterTest(openLoopback(answer));
  const DOCSHARE_BASE_URL = service?.url ?? String(answer);
  const env = { DOCSHARE_API_KEY: secret, DOCSHARE_BASE_URL, ...(DOCSHARE_PROFILE && { DOCSHARE_PROFILE }) };
  const { code, stdout } = await doctor(env, true);
  const report: Report = JSON.parse(stdout);
  const results = Object.fromEntries(report.checks.map(({ name, state, message }) => [name, `${state}: ${message}`]));
  return { ...report, code, results, url: DOCSHARE_BASE_URL };
}
type Answer = { status?: number; headers?: Record<string, string>; json?: unknown };
const good = (path: string, more: Answer = {}): Answer => ({ json: /analytics|usage/.test(path) ? {} : [], ...more });

test('a valid key needs one read per group and no write, and is not printed', async () => {
  sandbox.log.clear();
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  const { code, stdout, stderr } = await runMcp(['doctor', '--json'], { env });
  const report = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(report).toMatchObject({ ok: true, calls: 10, denied_scopes: [] });
  expect(sandbox.log.entries().map(({ method }) => method)).toEqual(Array(10).fill('GET'));
  expect(Object.keys(report.configuration)).toEqual(expect.arrayContaining(['Claude Desktop', 'opencode', 'Goose']));
  expect(stdout).toContain(sandbox.url);
  expect(stdout + stderr).not.toContain(env.DOCSHARE_API_KEY);
  expect(stdout + stderr).not.toMatch(SECRETS_AND_STACKS);
});

test.each<[string, Record<string, string>, RegExp]>([
  ['no key', {}, /DOCSHARE_API_KEY/],
  ['no base URL', { DOCSHARE_API_KEY: secret }, /DOCSHARE_BASE_URL/],
  ['an invalid base URL', { DOCSHARE_API_KEY: secret, DOCSHARE_BASE_URL: 'nowhere' }, /base URL/],
  [
    'an unreachable service',
    { DOCSHARE_API_KEY: secret, DOCSHARE_BASE_URL: 'http://127.0.0.1:9/api/v1' },
    /If your network needs a proxy/,
  ],
])('%s fails with a message that says what to do', async (_, env, words) => {
  const { code, stdout } = await doctor(env);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED /m);
  expect(stdout).toMatch(words);
});

test('the settings printed for hosts contain no password and no query of the base URL', async () => {
  const { stdout } = await doctor({ DOCSHARE_BASE_URL: 'https://me:a_password@docs.test/api/v1/?token=a_query' }, true);
  expect(stdout).toContain('https://docs.test/api/v1"');
  expect(stdout).not.toMatch(/a_password|a_query/);
});

test('a service that is fine is reported with its clock and remaining calls', async () => {
  const { results, calls, readable_scopes, denied_scopes, code } = await examine(({ path }) =>
    good(path, { headers: { date: new Date().toUTCString(), 'x-ratelimit-remaining': '97' } }),
  );
  expect(results).toMatchObject({
    address: 'ok: The service is reachable.',
    key: 'ok: The key is accepted.',
    clock: texts.okMachinesClockCorrect,
    links: 'ok: Readable (links:read).',
    limit: texts.ok97CallsLeft,
  });
  expect([code, calls, readable_scopes.length, denied_scopes]).toEqual([0, 10, 10, []]);
});

test('a wrong clock and an unknown limit are reported', async () => {
  const date = new Date(Date.now() - 3_600_000).toUTCString();
  const { results } = await examine(({ path }) => good(path, { headers: { date, 'x-ratelimit-remaining': 'some' } }));
  expect(results['clock']).toMatch(
    /^warning: This machine’s clock differs from the service’s by 3(59\d|60\d) s\. Turn on network time\.$/,
  );
  expect(results['limit']).toBe(texts.unknownServiceDoesReport);
  const untimed = await examine(({ path }) => good(path, { headers: { date: '' } }));
  expect(untimed.results['clock']).toBe(texts.unknownServiceDoesSend);
});

test('a missing scope is a warning, and is left out of the scopes to set', async () => {
  const { results, denied_scopes, ...report } = await examine(({ path }) =>
    good(path, { status: { links: 403, analytics: 404, rooms: 501, datarooms: 501 }[path.split('/')[1] ?? ''] ?? 200 }),
  );
  expect(results['links']).toBe(texts.warningKeyLacksScope);
  expect(results['analytics']).toBe('ok: Readable (analytics:read).');
  expect(results['rooms']).toMatch(/^unknown: /);
  expect(denied_scopes).toEqual(['links:read']);
  expect(report.DOCSHARE_SCOPES.split(' ')).toEqual(SCOPES.filter((scope) => scope !== 'links:read'));
});

test.each([
  ['rejects the key', 401, 'key', 'failed'],
  ['rejects only the first read', 403, 'key', 'ok'],
  ['is down', 501, 'key', 'unknown'],
  ['does not have this path', 404, 'address', 'failed'],
] as const)('reports a service that %s', async (_, status, name, state) => {
  const { results, calls } = await examine(() => ({ status, json: { message: 'no' } }));
  expect(results[name]).toMatch(new RegExp(`^${state}: `));
  if (state === 'failed') expect([calls, results['limit']]).toEqual([1, undefined]);
});

test('a service that goes away is not called for the other groups, as each call would time out', async () => {
  const service = await openLoopback(async ({ path }) => {
    // The service closes after its first response.
    setImmediate(() => void service.close());
    return { ...good(path), headers: { connection: 'close' } };
  });
  const { calls, results } = await examine(service.url);
  expect([calls, service.requests.length]).toEqual([2, 1]);
  expect(results['links']).toMatch(/^unknown: /);
});

const list = { at: ['rows'], size: { default: 10, max: 40, param: 'rows' }, query: {} };
const answer = { status: 200, media: 'application/json', headers: {}, body: { type: 'object' as const }, seen: 2 };

test.each<[string, (path: string, url: string) => Partial<ServiceProfile> | undefined, RegExp]>([
  ['matches it', (_, service) => ({ service }), new RegExp(`^ok: ${texts.serviceMatchesProfile2026}$`)],
  [
    'no longer matches it',
    (_, service) => ({ service, operations: { 'links.list': { response: answer, list } } }),
    /^warning: .*no longer matches its profile \(operations\.links\.list\.list\.at\)/,
  ],
  [
    'has another URL',
    () => ({ service: 'https://api.example.org/api/v1' }),
    /^failed: DOCSHARE_PROFILE: .*is for https:\/\/api\.example\.org/,
  ],
  ['has no such file', () => undefined, /^failed: DOCSHARE_PROFILE: The profile .*none\.json can't be read \(ENOENT\)/],
])('the profile is checked against a service that %s, and the other checks run', async (_, createProfile, words) => {
  const service = await closeAfterTest(openLoopback(({ path }) => good(path, { json: { items: [{ id: 1 }] } })));
  const path = join(folder, '\u001b[2Jnone.json');
  const profile = createProfile(path, service.url);
  const written = join(folder, `${Math.random()}.json`);
  writeFileSync(written, JSON.stringify({ ...NOTHING_LEARNED, ...profile }));
  const { results, checks } = await examine(service.url, profile ? written : path);
  expect(results['profile']).toMatch(words);
  // Control characters in a path are removed.
  expect(results['profile']).not.toContain('\u001b');
  expect(checks.length).toBeGreaterThan(5);
});
