import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDoctor } from '../../mcp/doctor/doctor.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { mcpMain } from '../support/entry.ts';

const SECRETS_AND_STACKS = /sk_live|\n\s+at |node_modules\/(?!node\/bin|\.bin\/node\b)/;
const secret = 'sk_live_NEVER_SHOW_ME_1234567890';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.close());

/** As a process, for its streams and how it ends. */
async function doctorProcess(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [mcpMain, 'doctor', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  expect(stdout + stderr).not.toMatch(SECRETS_AND_STACKS);
  return { code, stdout };
}

async function doctor(env: Record<string, string>) {
  let stdout = '';
  const print = (text: string) => {
    stdout += text;
  };
  const code = await runDoctor({ env, sandbox: undefined, json: false, print });
  expect(stdout).not.toMatch(SECRETS_AND_STACKS);
  return { code, stdout };
}

test('a good key: one read for each group, nothing written, and the key stands nowhere', async () => {
  sandbox.log.clear();
  const key = sandbox.key();
  const { code, stdout } = await doctorProcess(['--json'], { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: sandbox.url });
  const report = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(report).toMatchObject({ ok: true, calls: 10, denied_scopes: [] });
  expect(sandbox.log.entries().map(({ method }) => method)).toEqual(Array(10).fill('GET'));
  expect(Object.keys(report.configuration)).toEqual([
    'Claude Desktop',
    'Claude Code',
    'Cursor',
    'VS Code',
    'LM Studio',
    'Gemini CLI',
    'Zed',
    'Windsurf',
    'Codex',
    'Goose',
  ]);
  expect(stdout).toContain(sandbox.url);
  expect(stdout).not.toContain(key);
});

test('a narrow key: the missing scopes are named, and DOCSHARE_SCOPES leaves them out', async () => {
  const env = { DOCSHARE_API_KEY: sandbox.key(['links:read', 'documents:read']), DOCSHARE_BASE_URL: sandbox.url };
  const { code, stdout } = await doctor(env);
  expect(code).toBe(0);
  expect(stdout).toMatch(/warning {2}billing +The key lacks the scope billing:read/);
  const line = stdout.match(/^DOCSHARE_SCOPES="(.*)"$/m)?.[1] ?? '';
  expect(line.split(' ')).toContain('links:read');
  expect(line).not.toContain('billing:read');
});

test.each([
  ['no key', {}, 'DOCSHARE_API_KEY'],
  ['no base URL', { DOCSHARE_API_KEY: secret }, 'DOCSHARE_BASE_URL'],
  ['nobody there', { DOCSHARE_API_KEY: secret, DOCSHARE_BASE_URL: 'http://127.0.0.1:9/api/v1' }, 'base URL'],
])('%s fails with a sentence that says what to do', async (_, env, words) => {
  const { code, stdout } = await doctor(env as Record<string, string>);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED /m);
  expect(stdout).toContain(words);
});

test('a wrong key stops at the first call', async () => {
  sandbox.log.clear();
  const { code, stdout } = await doctorProcess([], { DOCSHARE_API_KEY: secret, DOCSHARE_BASE_URL: sandbox.url });
  expect(code).toBe(1);
  expect(stdout).toMatch(/FAILED +key .*Settings → API keys/);
  expect(sandbox.log.entries()).toHaveLength(1);
});
