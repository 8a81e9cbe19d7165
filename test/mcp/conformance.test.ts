import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderForFile } from '../support/cleanup.ts';
import { collectText } from '../support/collect-text.ts';
import { createFixturesFactory } from '../support/conformance-fixtures.ts';
import { mcpMain } from '../support/entry.ts';
import { serveHttp } from '../support/mcp-http.ts';
import { root } from '../support/root-folder.ts';

const folder = createFolderForFile('docshare-conformance-');

afterAll(async () => {
  const ended = once(server, 'close');
  server.kill();
  await Promise.all([ended, fixtures.close()]);
});
const fixtures = await serveHttp(createFixturesFactory());
const server = spawn(process.execPath, [mcpMain, '--http', '--port', '0', '--sandbox'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const getErrorOutput = collectText(server.stderr);
while (!/"ready".*\n/.test(getErrorOutput())) await once(server.stderr, 'data');
const realUrl = /"url":"([^"]+)"/.exec(getErrorOutput())?.[1] ?? '';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
}

/** The suite's check of all traffic. It is part of every scenario and says nothing about the scenario itself. */
const WIRE = 'wire-schema-valid';

type Verdicts = ReadonlyMap<string, readonly Check[]>;

/** Runs the official suite and reads its result files, because its exit code also passes scenarios without checks. */
async function judge(
  revision: string,
  which: { name: string; url: string },
  selection = ['--requirements', revision],
): Promise<Verdicts> {
  const out = join(folder, which.name, revision);
  const args = [`${root}node_modules/.bin/conformance`, 'server', '--url', which.url, ...selection, '-o', out];
  await new Promise<void>((resolve) => {
    execFile(process.execPath, args, { timeout: 90_000, maxBuffer: 16 * 1024 * 1024 }, () => resolve());
  });
  return new Map(
    readdirSync(out).map((name) => [
      name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, ''),
      JSON.parse(readFileSync(join(out, name, 'checks.json'), 'utf8')),
    ]),
  );
}

/** Without a failure or a warning, and with at least one check of its own that passed. */
function isPassed(checks: readonly Check[] = []): boolean {
  const bad = checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING');
  return !bad && checks.some(({ id, status }) => status === 'SUCCESS' && id !== WIRE);
}

const failuresOf = (checks: readonly Check[] = []) =>
  checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id);

const NO_RESUMING = 'Not required: streams that are taken up again need a store of events, and no tool runs so long.';
const NO_TASKS = 'The extension io.modelcontextprotocol/tasks is optional and not declared: no tool outlives its call.';

interface Revision {
  readonly scenarios: number;
  /** Scenarios that need no fixture and therefore pass on the real server. */
  readonly real: readonly string[];
  /** Scenarios that pass on neither server, each with the reason. */
  readonly expectedFailures: Readonly<Record<string, string>>;
}

const REVISIONS: Readonly<Record<string, Revision>> = {
  '2025-11-25': {
    scenarios: 33,
    real: ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'],
    expectedFailures: { 'server-sse-polling': NO_RESUMING },
  },
  '2026-07-28': {
    scenarios: 50,
    real: [
      'tools-list',
      'server-sse-multiple-streams',
      'resources-list',
      'sep-2164-resource-not-found',
      'prompts-list',
      'dns-rebinding-protection',
      'caching',
      'http-header-validation',
      'input-required-result-unsupported-methods',
    ],
    expectedFailures: {
      'tasks-lifecycle': NO_TASKS,
      'tasks-capability-negotiation': NO_TASKS,
      'tasks-wire-fields': NO_TASKS,
      'tasks-request-state-removal': NO_TASKS,
      'tasks-mrtr-input': NO_TASKS,
      'tasks-request-headers': NO_TASKS,
      'tasks-dispatch-and-envelope': NO_TASKS,
      'tasks-status-notifications': NO_TASKS,
      'tasks-required-task-error': NO_TASKS,
      'tasks-mrtr-composition': NO_TASKS,
    },
  },
};

/** The checks of `server-stateless` that call tools of the suite; the real server passes all others. */
const STATELESS_FIXTURES = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
];

describe.each(Object.entries(REVISIONS))('revision %s', (revision, expected) => {
  let onReal: Verdicts;
  let onFixtures: Verdicts;
  beforeAll(async () => {
    onReal = await judge(revision, { name: 'real', url: realUrl });
    onFixtures = await judge(revision, { name: 'fixtures', url: fixtures.url });
  }, 200_000);

  test('scenarios without fixtures pass on the real server', () => {
    expect(onReal.size).toBe(expected.scenarios);
    expect(expected.real.filter((scenario) => !isPassed(onReal.get(scenario)))).toEqual([]);
    if (onReal.has('server-stateless')) expect(failuresOf(onReal.get('server-stateless'))).toEqual(STATELESS_FIXTURES);
  });

  test('all scenarios pass with the fixtures, except the expected failures', () => {
    expect(onFixtures.size).toBe(expected.scenarios);
    const failed = [...onFixtures.keys()].filter((scenario) => !isPassed(onFixtures.get(scenario)));
    expect(failed.sort()).toEqual(Object.keys(expected.expectedFailures).sort());
  });

  test('every message of both servers matches the schema of the revision', () => {
    const invalid = [onReal, onFixtures].flatMap((verdicts) =>
      [...verdicts].filter(([, checks]) => failuresOf(checks).includes(WIRE)).map(([scenario]) => scenario),
    );
    expect(invalid).toEqual([]);
  });
});

test.each([
  ['sep-2640-skills-enumeration', 'real'],
  ['sep-2640-skills-manifest', 'real'],
  ['sep-2640-skills-directory', 'fixtures'],
])('%s, which is not a requirement, passes on the %s server', async (scenario, name) => {
  const url = name === 'real' ? realUrl : fixtures.url;
  const [checks] = (await judge(scenario, { name, url }, ['--scenario', scenario])).values();
  expect(failuresOf(checks)).toEqual([]);
  expect(isPassed(checks)).toBe(true);
});
