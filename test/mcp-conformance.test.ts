import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'docshare-conformance-'));

let server: ChildProcess;
let url = '';
beforeAll(async () => {
  server = spawn(process.execPath, [`${root}mcp/main.ts`, '--http', '--port', '0', '--sandbox'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  server.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  while (!/"ready".*\n/.test(stderr)) await once(server.stderr ?? server, 'data');
  url = JSON.parse(stderr.split('\n').find((line) => line.includes('"ready"')) ?? '{}').url;
});
afterAll(async () => {
  const ended = once(server, 'close');
  server.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs the official suite; its exit code says only that fixtures are missing, so its files are read. */
async function judge(revision: string): Promise<{ scenario: string; checks: Check[] }[]> {
  const out = join(folder, revision);
  const suite = `${root}node_modules/.bin/conformance`;
  const args = [suite, 'server', '--url', url, '--requirements', revision, '-o', out];
  await new Promise<void>((resolve) => {
    execFile(process.execPath, args, { timeout: 90_000, maxBuffer: 16 * 1024 * 1024 }, () => resolve());
  });
  return readdirSync(out).map((name) => ({
    scenario: name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, ''),
    checks: JSON.parse(readFileSync(join(out, name, 'checks.json'), 'utf8')) as Check[],
  }));
}

/** Checks that can't pass here, each because it calls a tool, prompt or resource made only for the suite. */
const NEEDS_FIXTURE =
  /Expected InputRequiredResult|Prerequisite failed|\btest_|test:\/\/|json_schema_2020_12_tool|not found|Tool .* not|Resource not found/i;
/** Scenarios of capabilities that this server does not claim, and of extensions that no revision requires. */
const NOT_CLAIMED =
  /^(logging-set-level|resources-(un)?subscribe|tasks-.*|json-schema-2020-12|http-custom-header-server-validation)$/;

/** Scenarios that need no fixture: all of their checks pass. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-ignore-extra-params',
    'input-required-result-validate-input',
  ],
};

test.each(Object.keys(WHOLE))(
  'revision %s: what needs no fixture passes, and nothing else fails than for want of one',
  async (revision) => {
    const results = await judge(revision);
    expect(results.length).toBeGreaterThan(30);
    const failed = results.flatMap(({ scenario, checks }) =>
      checks.filter(({ status }) => status === 'FAILURE').map((check) => ({ scenario, ...check })),
    );
    const whole = WHOLE[revision] ?? [];
    expect(results.map(({ scenario }) => scenario)).toEqual(expect.arrayContaining([...whole]));
    expect(failed.filter(({ scenario }) => whole.includes(scenario))).toEqual([]);
    const unexplained = failed
      .filter(({ scenario }) => !NOT_CLAIMED.test(scenario))
      .filter(({ errorMessage = '' }) => !NEEDS_FIXTURE.test(errorMessage))
      .map(({ scenario, id, errorMessage }) => `${scenario} ${id}: ${errorMessage}`);
    expect(unexplained).toEqual([]);
    const invalid = results.flatMap(({ checks }) =>
      checks.filter(({ id, status }) => id === 'wire-schema-valid' && status === 'FAILURE'),
    );
    expect(invalid).toEqual([]);
  },
  120_000,
);
