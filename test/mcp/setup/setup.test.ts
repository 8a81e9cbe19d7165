import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { collectText } from '../../support/collect-text.ts';
import { mcpMain, sandboxMain } from '../../support/entry.ts';
import { runMcp } from '../../support/run-mcp.ts';
import { fileIn, hosts, KEY, newHome, type nobody, setup, setupProcess, writeIn } from '../../support/setup-run.ts';
import { texts } from '../texts.ts';

test('a package that npx ran from a file is not added to a host, which could not start it again', async () => {
  const home = newHome();
  const fetched = join(home, '.npm/_npx/0a1b');
  mkdirSync(fetched, { recursive: true });
  const dependencies = { 'docshare-mcp': 'file:../../../docshare-mcp-1.2.3.tgz' };
  writeFileSync(join(fetched, 'package.json'), JSON.stringify({ dependencies }));
  const from = join(fetched, 'node_modules/.bin/docshare-mcp');
  const { code, out } = await setup(home, ['cursor', '--yes'], { main: from });
  expect({ code, out }).toMatchObject({
    code: 1,
    out: expect.stringContaining(`npm install --global ${join(home, 'docshare-mcp-1.2.3.tgz')}`),
  });
  writeFileSync(join(fetched, 'package.json'), JSON.stringify({ dependencies: { 'docshare-mcp': '^1.2.3' } }));
  expect((await setup(home, ['cursor', '--yes'], { main: from })).code).toBe(0);
});

/** Two of them run as processes to test the exit; the rejections themselves are the same. */
test.each([
  ['a process', ['cursr'], 'Did you mean cursor?'],
  ['the job', ['cursor', 'vscode'], 'one host'],
  ['the job', ['cursor', '--http'], 'Unknown option --http.'],
  ['the job', ['--yes'], texts.yesNeedsHostDocshare],
  ['the job', ['cursor', '--print', '--groups', 'linsk'], 'Unknown group "linsk". Known: '],
  ['the job', ['cursor', '--key=sk_live_1'], 'Unknown option --key. Did you mean --env-key?'],
  ['the job', ['sk_live_1'], 'Unknown host. Known: '],
  ['a process', ['cursor', '--yes', '--confirm', 'maybe'], 'Invalid value of --confirm'],
  ['the job', ['cursor', '--yes', '--base-url', 'docs.example.com'], 'base URL'],
  ['the job', ['cursor', '--yes', '--base-url', 'https://ada:pw@docs.example.com/api/v1'], 'base URL'],
  ['the job', ['cursor', '--yes', '--base-url', 'http://docs.example.com/api/v1'], 'base URL'],
  ['the job', ['zed', '--yes', '--env-key'], "Zed can't read a key"],
  ['the job', ['cursor', '--yes', '--files', `/decks/\${userHome}`], 'would replace'],
  ['the job', ['cursor', '--yes', '--audit', '-'], texts.auditIsStdout2],
  ['the job', ['cursor', '--yes', '--file', 'a', '--file', 'b'], '--file is set twice'],
  ['the job', ['', '--yes'], texts.setupNeedsNameHost],
  ['the job', ['cursor', '--print', '--remove'], "--print can't be combined with --remove"],
])('%s: setup %s is rejected with a sentence', async (how, args, words) => {
  const home = newHome();
  const { code, out } = await (how === 'a process' ? setupProcess : setup)(home, args);
  expect(out).toContain(words);
  expect(out.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
  expect(existsSync(fileIn(home, 'cursor'))).toBe(false);
});

test.each(hosts.filter(({ placeholderPattern }) => placeholderPattern).map(({ id }) => id))(
  '%s gets no URL that contains one of its placeholders',
  async (id) => {
    const { code, out } = await setup(newHome(), [id, '--yes', '--base-url', `https://docs.test/\${env:A}`]);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('would replace') });
  },
);

test.each([
  ['with a quote and a backslash', 'cursor', 'dsk_"q\\b\'', undefined],
  ['with a dollar, for a host that replaces it', 'gemini', 'dsk_$HOME', '--env-key'],
  ['with a dollar, for a host that does not', 'zed', 'dsk_$HOME', undefined],
  ['with a space', 'cursor', 'dsk one', 'invalid characters'],
  ['that is empty', 'cursor', ' ', 'DOCSHARE_API_KEY is missing'],
])('a key %s in %s is stored completely or rejected', async (_, id, key, words) => {
  const home = newHome();
  const { out } = await setup(home, [id, '--yes'], { env: { DOCSHARE_API_KEY: key } });
  const file = fileIn(home, id);
  if (words !== undefined) {
    expect(out).toContain(words);
    expect(existsSync(file)).toBe(false);
  } else {
    const { mcpServers, context_servers } = JSON.parse(readFileSync(file, 'utf8'));
    expect((mcpServers ?? context_servers).docshare.env.DOCSHARE_API_KEY).toBe(key);
  }
});

/** A user who types these answers in order. */
function userAnswering(answers: string[]): typeof nobody & { readonly asked: string[] } {
  const asked: string[] = [];
  const next = (question: string) => {
    asked.push(question);
    return answers.shift() ?? '';
  };
  return {
    isInteractive: true,
    asked,
    ask: async (question, options) => next(`${question}${options?.secret ? '<hidden>' : ''}`),
    confirm: async (question) => /^y/i.test(next(question)),
  };
}

test('setup asks for the URL, for the key without showing it, and before the change', async () => {
  const home = newHome();
  const env = { DOCSHARE_API_KEY: '', DOCSHARE_BASE_URL: '' };
  const person = userAnswering(['~/decks', 'https://docs.example.com/api/v1/', KEY, 'y']);
  const { code, out } = await setup(home, ['cursor'], { env: { ...env, DOCSHARE_BASE_URL: '  ' }, person });
  expect({ code, asked: person.asked }).toEqual({
    code: 0,
    asked: [
      expect.stringContaining('Folders'),
      expect.stringContaining('Base URL'),
      expect.stringMatching(/API key.*<hidden>/),
      'Create this file?',
    ],
  });
  expect(out).toContain(texts.keyWillWrittenFile);
  expect(JSON.parse(readFileSync(fileIn(home, 'cursor'), 'utf8')).mcpServers.docshare).toMatchObject({
    args: [mcpMain, '--files', join(home, 'decks')],
    env: { DOCSHARE_BASE_URL: 'https://docs.example.com/api/v1', DOCSHARE_API_KEY: KEY },
  });
  const before = readFileSync(fileIn(home, 'cursor'));
  expect(await setup(home, ['cursor', '--remove'], { person: userAnswering(['n']) })).toMatchObject({
    code: 1,
    out: expect.stringContaining('Nothing was changed'),
  });
  expect(readFileSync(fileIn(home, 'cursor'))).toEqual(before);
});

test('printed settings contain no key, and the links match the file', async () => {
  const home = newHome();
  expect((await setup(home, ['goose', '--print', '--sandbox'])).out).toContain('    envs: {}\n');
  for (const { id, form } of hosts) {
    const { out } = await setup(home, [id, '--print', '--read-only']);
    expect(out, id).toContain('--read-only');
    expect(out, id).toContain('https://docs.example.com/api/v1');
    const link = out.match(/^(cursor|vscode|lmstudio|goose):\S+$/m)?.[0];
    expect(link !== undefined, id).toBe(['cursor', 'vscode', 'lm-studio', 'goose'].includes(id));
    const json = form === 'json' ? JSON.parse(out.slice(out.indexOf('{'), out.indexOf('\n}\n') + 2)) : undefined;
    const entry = json && (json.mcpServers ?? json.servers ?? json.context_servers ?? json.mcp).docshare;
    if (link?.includes('config=')) {
      const config = new URL(link).searchParams.get('config') ?? '';
      expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual(entry);
    } else if (link?.startsWith('vscode:')) {
      expect(JSON.parse(decodeURIComponent(link.split('?')[1] ?? ''))).toEqual({
        name: 'docshare',
        ...entry,
        inputs: json.inputs,
      });
    } else if (link) expect(new URL(link).searchParams.getAll('arg')).toEqual([mcpMain, '--read-only']);
  }
});

test('for a host with its own command, setup prints the command to add and to remove the server', async () => {
  const home = newHome();
  const file = writeIn(home, 'codex', '# mine\nmodel = "gpt-6"\n');
  const { code, out } = await setup(home, ['codex', '--yes', '--files', '/my decks']);
  expect({ code, out }).toMatchObject({
    code: 2,
    out: expect.stringMatching(/codex mcp add docshare .* '\/my decks'[\s\S]*Nothing was changed\. You must/),
  });
  expect(await setup(home, ['codex', '--remove'])).toMatchObject({
    code: 2,
    out: expect.stringContaining('codex mcp remove docshare'),
  });
  expect(readFileSync(file, 'utf8')).toBe('# mine\nmodel = "gpt-6"\n');
});

test('a stale lock is taken over', async () => {
  const home = newHome();
  const file = fileIn(home, 'cursor');
  mkdirSync(dirname(file), { recursive: true });
  const lock = `${file}.docshare-new`;
  writeFileSync(lock, KEY);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(lock, longAgo, longAgo);
  expect((await setup(home, ['cursor', '--yes'])).code).toBe(0);
  expect(existsSync(lock)).toBe(false);
});

test.each([['--help'], ['-h'], ['cursor', '--print', '-h']])('setup %s %s %s prints its usage', async (...args) => {
  const { code, out } = await setup(newHome(), args.filter(Boolean));
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Usage: docshare-mcp setup/) });
});

const OTHER = '{"mcpServers":{"docshare":{"command":"/opt/docshare","args":["serve"],"env":{"TOKEN":"t"}}}}';

test.each([
  [mcpMain, ['--help']],
  [mcpMain, ['setup']],
  [mcpMain, ['setup', 'cursor', '--print', '--sandbox']],
  [sandboxMain, ['--help']],
])('%s %j exits cleanly if the reader of its output has closed the pipe', async (file, args) => {
  const child = spawn(process.execPath, [file, ...args], {
    env: { HOME: newHome(), PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const getErrors = collectText(child.stderr);
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(getErrors()).toBe('');
});

test('a relative HOME is ignored, so nothing is written into the working folder', async () => {
  for (const HOME of ['relative', './x']) {
    const { code, out } = await setup(newHome(), ['cursor', '--yes'], { env: { HOME } });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('--file') });
  }
});

test('a server without a home folder starts, keeps its state in memory, and says so', async () => {
  const folder = newHome();
  const env = { HOME: 'relative', DOCSHARE_API_KEY: KEY, DOCSHARE_BASE_URL: 'http://127.0.0.1:9/api/v1' };
  const { code, stderr } = await runMcp([], { cwd: folder, env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/"event":"state_in_memory".*"code":"NO_HOME"/);
  expect(readdirSync(folder)).toEqual([]);
});

test('another server of the same name is backed up and restored when ours is removed', async () => {
  const home = newHome();
  const file = writeIn(home, 'cursor', OTHER);
  expect((await setup(home, ['cursor', '--sandbox'])).out).toContain('another server named docshare');
  await setup(home, ['cursor', '--yes', '--sandbox']);
  expect(readFileSync(`${file}.before-docshare`, 'utf8')).toBe(OTHER);
  await setup(home, ['cursor', '--yes', '--sandbox', '--read-only']);
  expect(readFileSync(`${file}.before-docshare`, 'utf8')).toBe(OTHER);
  await setup(home, ['cursor', '--yes', '--remove']);
  expect(readFileSync(file, 'utf8')).toBe(OTHER);
  expect(existsSync(`${file}.before-docshare`)).toBe(false);
});

test('a host counts as installed by its own files, not by the home folder', async () => {
  const home = newHome();
  expect((await setup(home, [])).out).toMatch(/claude-code +not found/);
  mkdirSync(join(home, '.claude'));
  writeIn(home, 'cursor', '{}');
  expect((await setup(home, [])).out).toMatch(/claude-code +found[\s\S]*cursor +found/);
});

test('setup reports a folder for files that does not exist yet', async () => {
  const { out } = await setup(newHome(), ['cursor', '--yes', '--sandbox', '--files', '/none/of it']);
  expect(out).toContain('The folder /none/of it does not exist yet');
});

test.each([
  [['-h'], 0, /^Usage: docshare-mcp/],
  [['-v'], 0, /^\d+\.\d+\.\d+\n$/],
])('%j is answered in complete sentences', async (args, code, said) => {
  const { code: exitCode, stdout, stderr } = await runMcp(args);
  expect([exitCode, stdout + stderr]).toEqual([code, expect.stringMatching(said)]);
});
