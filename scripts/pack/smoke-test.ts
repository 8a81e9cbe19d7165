import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { runNpm } from '../run-npm.ts';
import { PACKAGES } from './build-packages.ts';
import { hoverWithLanguageService } from './language-service.ts';
import { REFERENCE_SERVER } from './reference-server.ts';
import { smokeTestHosted } from './smoke-test-hosted.ts';
import { startStandInModel } from './stand-in-model.ts';
import { HOVER_CLAIMS, TYPE_CLAIMS } from './type-claims.ts';

const NODES = { 24: 'node@24' };
const LIMITS = { bytes: 4_000_000, peerRatio: 0.5 };

const CLIENT_PROGRAM = `
import { createClient, NotFoundError } from 'docshare';
const client = createClient();
const { id } = await client.upload({ path: process.argv[2] }, { name: 'Deck' });
const link = await client.links.create({ document_id: id, email_required: true });
const gone = await client.documents.get({ id: 'gone' }).catch((error) => error);
console.log(JSON.stringify({ link: link.url.startsWith('http'), gone: gone instanceof NotFoundError }));
await client.close();
`;
const SANDBOX_TEST = `
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sandboxForTests } from 'docshare-sandbox';
const sandbox = sandboxForTests({ beforeAll: before, beforeEach, afterAll: after });
test('a link is made', async () => {
  const answer = await fetch(sandbox().url + '/links', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + sandbox().key(), 'content-type': 'application/json' },
    body: JSON.stringify({ document_id: (await (await fetch(sandbox().url + '/documents', { headers: { authorization: 'Bearer ' + sandbox().key() } })).json()).data[0].id }),
  });
  assert.equal(answer.status, 201);
  assert.equal((await fetch(sandbox().origin + '/assets/pdfjs/legacy/build/pdf.min.mjs')).status, 200);
});
`;

interface InstalledPackage {
  readonly folder: string;
  readonly ms: number;
}

/** Installs into an empty folder, whose name has a space, as a user would. */
function install(parent: string, ...specs: readonly string[]): InstalledPackage {
  const folder = mkdtempSync(join(parent, 'empty folder '));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const startedAt = performance.now();
  runNpm(['install', '--silent', '--no-audit', '--no-fund', ...specs], { cwd: folder, stdio: 'pipe' });
  return { folder, ms: performance.now() - startedAt };
}

function measure(folder: string): { packages: number; bytes: number } {
  const modules = join(folder, 'node_modules');
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).map((name) => join(modules, name));
  const packages = files.filter((file) => /node_modules[\\/](@[^\\/]+[\\/])?[^\\/@.]+[\\/]package\.json$/.test(file));
  const bytes = files.map((file) => statSync(file)).reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  return { packages: packages.length, bytes };
}

/**
 * Installs each tarball in an empty folder and uses it on each Node version; prints sizes and times beside those of the
 * fastest peer. @throws Error if one does not work or is too large
 */
export async function smokeTestPackages(tarballs: Readonly<Record<string, string>>): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'docshare-try-'));
  try {
    const nodes: Record<string, string> = { [process.versions.node]: process.execPath };
    for (const [major, spec] of Object.entries(NODES)) {
      const { folder } = install(parent, spec);
      nodes[major] = resolve(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
    }
    const installed = Object.fromEntries(PACKAGES.map((name) => [name, install(parent, tarballs[name] ?? '')]));
    for (const [version, node] of Object.entries(nodes)) {
      await smokeTest(node, installed, parent);
      const hosted = await smokeTestHosted(
        node,
        join(installed['docshare-mcp']?.folder ?? '', 'node_modules/docshare-mcp/bin.cjs'),
      );
      console.log(`  works on Node ${version}: client, server over stdio, sandbox in a test, ${hosted}`);
    }
    const folder = installed['docshare']?.folder ?? '';
    await checkTypes(parent, { folder, bin: join(folder, 'node_modules/docshare/bin.cjs') });
    checkTestingPage(parent, tarballs);
    await checkFunctionCallingPage(parent, { tarballs, sandboxBin: getBin(installed, 'docshare-sandbox') });
    const peer = install(parent, REFERENCE_SERVER.spec);
    // The fastest run: others may be slow because the machine is busy.
    const repeats = [1, 2, 3, 4].map(() => install(parent, tarballs['docshare-mcp'] ?? ''));
    const installMs = Math.min(installed['docshare-mcp']?.ms ?? 0, ...repeats.map(({ ms }) => ms));
    const rows = { ...installed, [REFERENCE_SERVER.name]: peer };
    for (const [name, { folder, ms }] of Object.entries(rows)) {
      const { packages, bytes } = measure(folder);
      const time = ((name === 'docshare-mcp' ? installMs : ms) / 1000).toFixed(2);
      console.log(
        `  ${name.padEnd(20)}${String(packages).padStart(4)} packages ${(bytes / 1e6).toFixed(1).padStart(6)} MB  installed in ${time} s`,
      );
    }
    const { packages, bytes } = measure(installed['docshare-mcp']?.folder ?? '');
    if (packages !== 1 || bytes > LIMITS.bytes || installMs > peer.ms * LIMITS.peerRatio)
      throw new Error(
        `docshare-mcp must be one package of at most ${LIMITS.bytes} bytes, installed in ${LIMITS.peerRatio} of the time of ${REFERENCE_SERVER.name}.`,
      );
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** The program itself: its link is a batch file on Windows. */
function getBin(installed: Readonly<Record<string, InstalledPackage>>, name: string): string {
  return join(installed[name]?.folder ?? '', 'node_modules', name, 'bin.cjs');
}

async function smokeTest(
  node: string,
  installed: Readonly<Record<string, InstalledPackage>>,
  parent: string,
): Promise<void> {
  const getFolder = (name: string) => installed[name]?.folder ?? '';
  const bin = (name: string) => getBin(installed, name);
  const { PATH = '', SystemRoot = '' } = process.env;
  const env = { PATH, SystemRoot, HOME: parent, USERPROFILE: parent };
  const client = new Client({ name: 'try', version: '1.0.0' });
  const args = [bin('docshare-mcp'), '--sandbox', '--data', join(parent, `kept ${Math.random()}`)];
  const transport = new StdioClientTransport({ command: node, args, env, stderr: 'pipe', cwd: parent });
  let output = '';
  transport.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  await client.connect(transport);
  const { structuredContent } = await client.callTool({ name: 'list_documents', arguments: { limit: 1 } });
  if (!JSON.stringify(structuredContent).includes('"id"')) throw new Error(`No documents: ${output}`);
  await client.close();

  writeFileSync(join(getFolder('docshare'), 'client.mjs'), CLIENT_PROGRAM);
  writeFileSync(join(getFolder('docshare-sandbox'), 'sandbox.test.mjs'), SANDBOX_TEST);
  execFileSync(node, ['--test', 'sandbox.test.mjs'], { cwd: getFolder('docshare-sandbox'), env, stdio: 'pipe' });
  await withSandbox(node, { bin: bin('docshare-sandbox'), env }, async (address) => {
    const clientEnv = { ...env, DOCSHARE_BASE_URL: address.url, DOCSHARE_API_KEY: address.key };
    const file = join(parent, 'deck.pdf');
    writeFileSync(file, '%PDF-1.4\n%%EOF\n');
    const options = { cwd: getFolder('docshare'), env: clientEnv, encoding: 'utf8', stdio: 'pipe' } as const;
    const clientResult = JSON.parse(execFileSync(node, ['client.mjs', file], options));
    const learned = execFileSync(node, [bin('docshare'), 'learn', '--out', parent], options);
    const recheck = execFileSync(node, [bin('docshare-mcp'), 'learn', '--check', '--out', parent], options);
    if (!learned.includes('confirmed') || !recheck.includes('No changes'))
      throw new Error(`The learner returned ${learned}${recheck}`);
    if (!clientResult.link || !clientResult.gone)
      throw new Error(`The client returned ${JSON.stringify(clientResult)}`);
  });
}

/** Starts the sandbox's bin and reads its address from the output. */
async function withSandbox(
  node: string,
  { bin, env }: { bin: string; env: Record<string, string> },
  use: (address: { url: string; key: string }) => Promise<void>,
): Promise<void> {
  const child = spawn(node, [bin, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  try {
    for await (const chunk of child.stdout) {
      output += chunk;
      const url = /base URL +(\S+)/i.exec(output)?.[1];
      const key = /API key +(\S+)/.exec(output)?.[1];
      if (!url || !key || !output.includes('Ctrl-C')) continue;
      await use({ url, key });
      return;
    }
    throw new Error(`The sandbox did not start: ${output}`);
  } finally {
    child.kill();
    await ended;
  }
}

/** Checks the types of a learned service with TypeScript 5.9; the tests use TypeScript 7. */
async function checkTypes(parent: string, { folder, bin }: { folder: string; bin: string }): Promise<void> {
  execFileSync(process.execPath, [bin, 'learn', '--openapi', '--out', parent], { env: {}, stdio: 'pipe' });
  const types = 'docshare.api.d.ts';
  cpSync(join(parent, types), join(folder, types));
  writeFileSync(join(folder, 'claims.mts'), TYPE_CLAIMS);
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: true, noEmit: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['claims.mts', types] }));
  const typescript = join(install(parent, 'typescript@5.9').folder, 'node_modules/typescript/lib');
  execFileSync(process.execPath, [join(typescript, 'tsc.js'), '-p', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { prelude, sentences } = HOVER_CLAIMS;
  const shown = await hoverWithLanguageService(join(typescript, 'typescript.js'), {
    folder,
    prelude: `import type {} from './${types}';\n${prelude}`,
    expressions: Object.keys(sentences),
  });
  for (const [index, sentence] of Object.values(sentences).entries())
    if (!shown[index]?.includes(sentence)) throw new Error(`TypeScript 5.9 shows "${shown[index]}", not "${sentence}"`);
  console.log('  TypeScript 5.9 accepts the types of a learned service and shows a sentence per field');
}

/** Runs the programs of docs/testing-your-code.md that need MSW or jest. */
function checkTestingPage(parent: string, tarballs: Readonly<Record<string, string>>): void {
  const page = readFileSync('docs/testing-your-code.md', 'utf8');
  const [share = '', ...tests] = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const { docshare: client = '', 'docshare-sandbox': sandbox = '' } = tarballs;
  const { folder } = install(parent, client, sandbox, 'msw@3', 'jest@30', '@jest/globals@30');
  writeFileSync(join(folder, 'share.js'), share);
  const test = join(folder, 'share.test.js');
  const jest = ['--experimental-vm-modules', join(folder, 'node_modules/jest/bin/jest.js')];
  for (const [name, args] of Object.entries({ 'msw/node': ['--test', test], '@jest/globals': jest })) {
    writeFileSync(test, tests.find((block) => block.includes(`from '${name}'`)) ?? '');
    execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' });
  }
  console.log('  the programs with MSW and jest pass');
}

/** Runs the programs of docs/function-calling.md with the providers' packages and a fake model. */
async function checkFunctionCallingPage(
  parent: string,
  { tarballs, sandboxBin }: { tarballs: Readonly<Record<string, string>>; sandboxBin: string },
): Promise<void> {
  const page = readFileSync('docs/function-calling.md', 'utf8');
  const programs = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const packages = ['openai@7', '@anthropic-ai/sdk@1', 'ai@7', '@ai-sdk/openai@4'];
  const { folder } = install(parent, tarballs['docshare'] ?? '', ...packages);
  const model = await startStandInModel([
    { name: 'list_links', args: () => ({ limit: 1 }) },
    { name: 'delete_link', args: ([links = '{}']) => ({ id: JSON.parse(links).items[0].id }) },
  ]);
  const { PATH = '', SystemRoot = '' } = process.env;
  await withSandbox(process.execPath, { bin: sandboxBin, env: { PATH, SystemRoot } }, async ({ url, key }) => {
    const env = {
      ...{ PATH, SystemRoot, DOCSHARE_BASE_URL: url, DOCSHARE_API_KEY: key },
      ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'stand-in' },
      ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', ANTHROPIC_MODEL: 'stand-in' },
    };
    for (const [index, program] of programs.entries()) {
      const file = join(folder, `program-${index}.mjs`);
      writeFileSync(file, program);
      const run = promisify(execFile)(process.execPath, [file], { cwd: folder, env });
      run.child.stdout?.on('data', (printed) => {
        if (`${printed}`.includes('Approve?')) run.child.stdin?.write('yes\n');
      });
      const { stdout } = await run;
      if (!/Approve\?[\s\S]*"deleted":true/.test(stdout))
        throw new Error(`Function calling, program ${index}: ${stdout}`);
    }
  });
  model.close();
  console.log(`  ${programs.length} programs call the tools by ${packages.join(', ')}`);
}
