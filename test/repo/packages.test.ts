import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { build } from 'esbuild';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCacheFolder } from '../../mcp/compile-cache.ts';
import { buildPackages, PACKAGES } from '../../scripts/pack/build-packages.ts';
import { bundle } from '../../scripts/pack/bundle.ts';
import { MAX_SERVER_BYTES, measurePackage } from '../../scripts/pack/check-packages.ts';
import { type LanguageServer, startLanguageServer } from '../../scripts/pack/language-server.ts';
import { HOVER_CLAIMS, TYPE_CLAIMS } from '../../scripts/pack/type-claims.ts';
import { createFolderForFile } from '../support/cleanup.ts';
import { learnedProfile, writeProfile } from '../support/learned-service.ts';
import { tools as menu } from '../support/mcp-parts.ts';
import { root } from '../support/root-folder.ts';
import { openScripted } from '../support/scripted-service.ts';

const run = promisify(execFile);
// A folder name with a space, as on many desktops.
const folder = createFolderForFile('docshare packages ');
const modules = join(folder, 'node_modules');
const env = { PATH: process.env['PATH'] ?? '', HOME: folder };

beforeAll(async () => {
  // The best compression takes 15 seconds; `npm run pack` checks the compressed size.
  await buildPackages(modules, { quality: 5 });
  // The client's own dependencies, as npm would install them.
  for (const name of ['undici', 'zod', 'p-queue', 'eventemitter3', 'p-timeout', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  mkdirSync(join(modules, '.bin'));
  for (const name of ['docshare-mcp', 'docshare-sandbox'])
    symlinkSync(`../${name}/bin.cjs`, join(modules, '.bin', name));
}, 120_000);

const filesOf = (name: string) =>
  readdirSync(join(modules, name), { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(modules, name, file)).isFile(),
  );
const manifestOf = (name: string) => JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));

test('the client has three dependencies, the server and the sandbox none', () => {
  const asked = PACKAGES.map((name) => Object.keys(manifestOf(name).dependencies ?? {}));
  expect(asked).toEqual([['p-queue', 'undici', 'zod'], [], []]);
  expect(manifestOf('docshare').peerDependenciesMeta).toEqual({ '@opentelemetry/api': { optional: true } });
});

test.each(PACKAGES)('%s contains no source maps, sources or paths of this machine', (name) => {
  for (const file of filesOf(name).filter((one) => /\.(c?js|d\.ts|json|md)$/.test(one))) {
    const text = readFileSync(join(modules, name, file), 'utf8');
    expect(text, file).not.toMatch(/sourceMappingURL=(?!data:)\S|(?:from|import\()\s*['"]\.[^'"]*\.ts['"]/);
    expect(text.includes(root), file).toBe(false);
  }
  expect(filesOf(name).filter((file) => /\.map$|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('the server is at most 4.1 MB, including its licences and the modules of the hosted server', () => {
  const { own, pdfjs } = measurePackage(join(modules, 'docshare-mcp'));
  expect(own).toBeLessThanOrEqual(MAX_SERVER_BYTES.own);
  expect(pdfjs).toBeLessThanOrEqual(MAX_SERVER_BYTES.pdfjs * 1.15);
  expect(MAX_SERVER_BYTES.own + MAX_SERVER_BYTES.pdfjs).toBeLessThanOrEqual(4_100_000);
  const licences = readFileSync(join(modules, 'docshare-mcp/dist/LICENCES.txt'), 'utf8');
  for (const name of ['undici', 'zod', 'hono', '@modelcontextprotocol/server', 'pdf-lib'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
});

test('the packaged server, started through the npm link, acts only on a ticked form', async () => {
  const client = new Client({ name: 't', version: '1' }, { capabilities: { elicitation: {} } });
  const answers: object[] = [{ confirm: 'true' }, { confirm: [] }, { confirm: true }];
  const asked: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    // A person needs a second to read.
    await sleep(1100);
    return { action: 'accept' as const, content: answers[asked.length - 1] as Record<string, string> };
  });
  const command = join(modules, '.bin/docshare-mcp');
  await client.connect(new StdioClientTransport({ command, args: ['--sandbox'], env, stderr: 'ignore' }));
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent;
  expect((await client.listTools()).tools).toHaveLength(menu.length);
  expect(await call('list_documents', { limit: 3 })).toMatchObject({ items: expect.any(Array) });
  const { items } = (await call('list_links', { limit: 3 })) as { items: { id: string }[] };
  const outcomes = [];
  for (const { id } of items) outcomes.push(await call('delete_link', { id }));
  await client.close();
  expect(asked).toHaveLength(3);
  expect(outcomes).toEqual([
    expect.objectContaining({ done: false, outcome: 'not_shown' }),
    expect.objectContaining({ done: false, outcome: 'not_shown' }),
    expect.not.objectContaining({ done: false }),
  ]);
});

const OLD = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`;
/** Returns how a program ends on a Node that seems to be an old one. */
const runOnOldNode = (program: string): Promise<object> =>
  run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(OLD)}`, program], { env }).catch(
    (error: Error) => error,
  );

test.each(['docshare-mcp', 'docshare-sandbox'])('%s names the required version on an old Node', async (name) => {
  const sentence = `${name} needs Node 22.19 or newer; this is 20.20.2. Update Node and try again.\n`;
  expect(await runOnOldNode(join(modules, '.bin', name))).toMatchObject({ code: 1, stderr: sentence });
});

test.each(['docshare', 'docshare-sandbox'])('importing %s on an old Node gives the version message', async (name) => {
  const program = join(folder, 'old.mjs');
  writeFileSync(program, `import * as all from '${name}';\nconsole.log(all);\n`);
  const stderr = expect.stringContaining(`Error: ${name} needs Node 22.19 or newer; this is 20.20.2.`);
  expect(await runOnOldNode(program)).toMatchObject({ code: 1, stdout: '', stderr });
});

test('a program uses the client and the sandbox as packages, reads a PDF in the browser and shares it', async () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { createClient } from 'docshare';
import { createSandbox } from 'docshare-sandbox';
const sandbox = await createSandbox({ seed: 1, clock: 'manual' });
const client = createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url });
const { items: [document] } = await client.documents.list();
const link = await client.links.create({ document_id: document.id, email_required: true });
const worker = await fetch(sandbox.origin + '/assets/pdfjs/legacy/build/pdf.worker.min.mjs');
const pages = document.page_count;
console.log(JSON.stringify({ url: link.url, worker: worker.status, size: (await worker.text()).length, pages }));
await client.close();
await sandbox.close();
`,
  );
  const { stdout } = await run(process.execPath, [program], { env });
  expect(JSON.parse(stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
    worker: 200,
    size: readFileSync(join(root, 'node_modules/pdfjs-dist/legacy/build/pdf.worker.min.mjs'), 'utf8').length,
    pages: expect.any(Number),
  });
});

test('the packaged sandbox draws each of its documents and adds signatures to a PDF with a form and an image', async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage();
  pdf.getForm().createTextField('name').addToPage(page);
  page.drawImage(await pdf.embedPng(readFileSync(join(root, 'zapier/assets/logo.png'))));
  const content = Buffer.from(await pdf.save()).toString('base64');
  const program = join(folder, 'drawings.mjs');
  writeFileSync(
    program,
    `import { createSandbox } from 'docshare-sandbox';
const sandbox = await createSandbox({ seed: 1 });
const headers = { authorization: 'Bearer ' + sandbox.key(), 'content-type': 'application/json' };
const call = async (method, path, body) =>
  (await fetch(sandbox.url + path, { method, headers, body: body && JSON.stringify(body) })).json();
const read = async (url) => Buffer.from(await (await fetch(url)).arrayBuffer());
const sizes = [];
for (const { id, size } of (await call('GET', '/documents')).data)
  sizes.push([size, (await read((await call('GET', '/documents/' + id)).download_url)).length]);
const { id: document_id } = await call('POST', '/documents', { name: 'Form', content: '${content}' });
const recipients = [{ name: 'Ann', email: 'ann@example.com' }];
const { id } = await call('POST', '/agreements', { name: 'Form', document_id, recipients });
await call('POST', '/agreements/' + id + '/send', {});
await sandbox.sign(id, { email: 'ann@example.com' });
const signed = await read((await call('GET', '/agreements/' + id + '/document')).url);
console.log(JSON.stringify({ sizes, signed: signed.toString('base64') }));
await sandbox.close();
`,
  );
  const { stdout } = await run(process.execPath, [program], { env, maxBuffer: 1e8 });
  const { sizes, signed } = JSON.parse(stdout);
  expect(sizes.length).toBeGreaterThan(5);
  for (const [told, read] of sizes) expect(read).toBe(told);
  const joined = await PDFDocument.load(Buffer.from(signed, 'base64'));
  expect([joined.getPageCount(), joined.getForm().getFields().length]).toEqual([2, 1]);
});

const PROGRAM = `import { createClient, type Methods } from 'docshare';
import { createSandbox, type Fixtures, sandboxForTests } from 'docshare-sandbox';
const fixtures: Fixtures = { links: [{ id: 'l', document_id: 'd', visits: [{ email: 'a@b.c', pages: [3] }] }] };
const sandbox = await createSandbox({ fixtures });
const client = createClient({ apiKey: sandbox.key(['links:read']), baseUrl: sandbox.url });
const methods: Methods = client;
const link = await methods.links.create({ document_id: 'd', email_required: true });
const url: string = link.url;
// @ts-expect-error: the gate is called email_required.
await client.links.create({ document_id: 'd', email_requred: true });
for await (const { id } of client.documents.list({}, { signal: AbortSignal.timeout(1000) })) console.log(id, url);
const [room] = await client.rooms.list().collect(1);
const roomId: string | number | undefined = room?.id;
// @ts-expect-error: the API document names no field of a room.
console.log(roomId, room?.name);
// @ts-expect-error: there is no such operation.
await sandbox.log.waitFor({ operation: 'links.creat' });
export { sandboxForTests };
`;

/** Reads the program once, as an editor does, for hover texts and diagnostics. */
let editor: LanguageServer;
const options = { module: 'nodenext', target: 'es2024', strict: true, types: ['node'], noEmit: true };
beforeAll(async () => {
  const files = ['types.mts', 'hover.mts'];
  for (const file of files) writeFileSync(join(folder, file), file === 'types.mts' ? PROGRAM : '');
  const config = { compilerOptions: { ...options, exactOptionalPropertyTypes: true }, files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  editor = await startLanguageServer(join(root, 'node_modules/typescript/bin/tsc'), folder);
});
afterAll(() => editor.close());

test('an editor shows the doc comment of a hovered symbol', async () => {
  const shown = await editor.hover({
    prelude:
      "import { createClient, type Link } from 'docshare';\nconst client = createClient();\ndeclare const link: Link;",
    expressions: ['client.links.create', 'client.agreements.send', 'client.upload', 'link.id', 'link.email_required'],
  });
  expect(shown).toEqual([
    expect.stringContaining('Creates a share link for a document'),
    expect.stringContaining('Sends an agreement for signature.'),
    expect.stringContaining('Uploads a file of any size'),
    expect.stringContaining('ID of the object'),
    expect.stringContaining('True if visitors must enter'),
  ]);
});

test('the file from `docshare learn --openapi` types the client, and editors show a sentence per field', async () => {
  const learned = join(folder, 'learned');
  mkdirSync(learned);
  const profile = writeProfile(learned, learnedProfile('https://api.example.com/api/v1'));
  const args = [join(modules, 'docshare/bin.cjs'), 'learn', '--openapi', '--out', learned];
  await run(process.execPath, args, { env: { ...env, DOCSHARE_PROFILE: profile } });
  const [, documented = ''] =
    /```typescript\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/client.md'), 'utf8')) ?? [];
  for (const [file, text] of Object.entries({
    'claims.mts': TYPE_CLAIMS,
    'documented.mts': documented,
    'hover.mts': '',
  }))
    writeFileSync(join(learned, file), text);
  const config = { compilerOptions: options, include: ['*.mts', '*.d.ts'] };
  writeFileSync(join(learned, 'tsconfig.json'), JSON.stringify(config));
  const learnedEditor = await startLanguageServer(join(root, 'node_modules/typescript/bin/tsc'), learned);
  try {
    for (const file of ['claims.mts', 'documented.mts', 'docshare.api.d.ts'])
      expect(await learnedEditor.getErrors(join(learned, file))).toEqual([]);
    const { prelude, sentences } = HOVER_CLAIMS;
    const shown = await learnedEditor.hover({ prelude, expressions: Object.keys(sentences) });
    expect(shown).toEqual(Object.values(sentences).map((sentence) => expect.stringContaining(sentence)));
    expect(shown.join()).not.toMatch(/Zod|\bz\.|_zod/);
  } finally {
    await learnedEditor.close();
  }
});

/** The declarations that a package includes, starting with its own. */
function declarationsFrom(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g))
    declarationsFrom(join(path, '..', `${name}.d.ts`), seen);
  return seen;
}

test('the types of the packages are self-contained and match the sources', async () => {
  const own = ['docshare/dist/index.d.ts', 'docshare-sandbox/types/sandbox/index.d.ts'].map((entry) => [
    ...declarationsFrom(join(modules, entry)),
  ]);
  expect(own.map(({ length }) => length)).toEqual([expect.toSatisfy((n) => n > 50), expect.toSatisfy((n) => n > 15)]);
  // Declarations of dependencies are skipped; all of ours are checked.
  for (const file of [join(folder, 'types.mts'), ...own.flat()]) expect(await editor.getErrors(file)).toEqual([]);
});

const CALL = "\nconst { items } = await client.links.list();\nconsole.log(items.length, 'links');\n";

test.each([
  ['parseEvent', "import { parseEvent } from 'docshare';\nconsole.log(parseEvent('{}').kind ?? '0 links');\n", 11_000],
  [
    'the client over fetch',
    `import { createFetchTransport, defineClient } from 'docshare';
const { DOCSHARE_API_KEY: apiKey, DOCSHARE_BASE_URL: baseUrl } = process.env;
const client = defineClient({ apiKey, baseUrl, transport: createFetchTransport() });${CALL}`,
    110_000,
  ],
  // Without `require`, esbuild's ESM bundles cannot load undici.
  ['createClient', `import { createClient } from 'docshare';\nconst client = createClient();${CALL}`, 350_000],
])('an ESM bundle of %s starts and is at most the documented size', async (_, program, maxBytes) => {
  const service = await openScripted([(_, response) => void response.end('{"data":[]}')]);
  const outfile = join(folder, 'bundle.mjs');
  writeFileSync(join(folder, 'entry.mjs'), program);
  await build({
    entryPoints: [join(folder, 'entry.mjs')],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  expect(gzipSync(readFileSync(outfile)).length).toBeLessThan(maxBytes);
  const settings = { DOCSHARE_API_KEY: 'key', DOCSHARE_BASE_URL: `${service.origin}/api/v1` };
  expect((await run(process.execPath, [outfile], { env: { ...env, ...settings } })).stdout).toBe('0 links\n');
});

test('bundles get the same names in any folder, so a new build reuses the compile cache of the last one', async () => {
  const names = ['one', 'another'].map(async (name) => {
    const from = join(folder, name);
    mkdirSync(from);
    writeFileSync(join(from, 'main.js'), "console.log(await import('./part.js'));\n");
    writeFileSync(join(from, 'part.js'), 'export const part = 1;\n');
    await bundle({ rootFolder: from, entries: { main: join(from, 'main.js') }, outFolder: join(from, 'whole') });
    return readdirSync(join(from, 'whole')).sort();
  });
  const [one, another] = await Promise.all(names);
  expect(one).toEqual(['LICENCES.txt', expect.stringMatching(/^part-|^chunk-/), 'main.js']);
  expect(another).toEqual(one);
});

test('the compile cache is in the cache folder of the system, and otherwise disabled', () => {
  const folderOf = (given: Record<string, string>, platform: NodeJS.Platform) =>
    getCacheFolder({ HOME: '/home/a', ...given }, platform);
  expect(folderOf({}, 'linux')).toBe('/home/a/.cache/docshare/compiled');
  expect(folderOf({ XDG_CACHE_HOME: '/c' }, 'linux')).toBe('/c/docshare/compiled');
  expect(folderOf({ XDG_CACHE_HOME: 'relative' }, 'linux')).toBe('/home/a/.cache/docshare/compiled');
  expect(folderOf({}, 'darwin')).toBe('/home/a/Library/Caches/docshare/compiled');
  expect(folderOf({ LOCALAPPDATA: '/l' }, 'win32')).toBe('/l/docshare/compiled');
  expect(folderOf({ HOME: 'relative' }, 'linux')).toBeUndefined();
});

/** Lists the tools of the packaged server in an environment, and the files it left in the folder. */
async function listUnder(given: Record<string, string>) {
  const client = new Client({ name: 't', version: '1' });
  const args = [join(modules, 'docshare-mcp/bin.cjs')];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...env, ...given }, stderr: 'ignore' }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}

test('two simultaneous starts with an empty cache, and one with a file instead of a cache folder, list all tools', async () => {
  const cache = join(folder, 'a cache');
  expect(await Promise.all([1, 2].map(() => listUnder({ XDG_CACHE_HOME: cache })))).toEqual([menu.length, menu.length]);
  const compiled = join(cache, 'docshare/compiled');
  const start = join(compiled, `start-${process.version}-${process.arch}.bin`);
  const first = readFileSync(start);
  const { length } = first;
  expect(readdirSync(compiled)).toHaveLength(2);
  // Damaged code is not run, and replaced.
  for (const bytes of [Buffer.alloc(length), Buffer.from(first).fill(0, length - 9), Buffer.alloc(9)]) {
    writeFileSync(start, bytes);
    expect(await listUnder({ XDG_CACHE_HOME: cache })).toBe(menu.length);
    const replaced = readFileSync(start);
    expect(replaced.equals(bytes)).toBe(false);
    expect(replaced.subarray(0, 66)).toEqual(first.subarray(0, 66));
  }
  expect(statSync(join(cache, 'docshare/compiled')).mode & 0o077).toBe(0);
  const file = join(folder, 'no folder');
  writeFileSync(file, '');
  for (const place of [file, '/proc/nowhere']) expect(await listUnder({ XDG_CACHE_HOME: place })).toBe(menu.length);
  expect(await listUnder({ HOME: '', XDG_CACHE_HOME: '' })).toBe(menu.length);
});

test('compiled code that other users could have written is not executed', async () => {
  const cache = join(folder, 'open cache');
  mkdirSync(join(cache, 'docshare/compiled'), { recursive: true });
  chmodSync(join(cache, 'docshare/compiled'), 0o777);
  expect(await listUnder({ XDG_CACHE_HOME: cache })).toBe(menu.length);
  expect(readdirSync(join(cache, 'docshare/compiled'))).toEqual([]);
});
