import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parseHostedSettings } from '../../../../mcp/hosted/hosted-settings.ts';
import { resolveAllowedFolders } from '../../../../mcp/server/allowed-folders.ts';
import { readHostedSecrets } from '../../../../mcp/server/hosted-secrets.ts';
import { type Command, CommandLineError, parseCommandLine } from '../../../../mcp/server/parse-command-line.ts';
import { StateConfigError } from '../../../../mcp/state/encryptor.ts';
import { sanitizeForTerminal } from '../../../../src/sanitize-for-terminal.ts';
import { texts } from '../../../mcp/texts.ts';
import { createFolderForTest } from '../../../support/cleanup.ts';

const args = (line: string) => line.split(' ').filter(Boolean);

test.each([
  ['--', /^Unknown option --\. Known options: --groups, /],
  ['serve', /^The only positional arguments are/],
  ['--redonly', /^Unknown option --redonly\. Did you mean --read-only\? Known options: --groups, /],
  ['-q', /^Unknown option '-q'\. See --help\.$/],
  ['--json', texts.jsonWorksDoctorDocshare],
  ['--public-url https://a.test', '--public-url works only with --hosted.'],
  ['--drain 3', '--drain works only with --hosted.'],
  ['--hosted --http', texts.httpCantCombinedHosted],
  ['--hosted --replica a/b', texts.replicaMustContainLetters],
  ['--hosted --port 8080 --metrics-port 8080', texts.metricsPortMustDiffer],
  ['--confirm never', 'Invalid value of --confirm. Use auto, always, unattended, off.'],
  ['--data d', '--data works only with --sandbox.'],
  ['--port 3999', '--port works only with --http or --hosted.'],
  ['--host 0.0.0.0', '--host works only with --http or --hosted.'],
  ['--hosted --files .', /^--files can't be combined with --hosted: /],
  ['--audit -', /^--audit - is stdout, which carries MCP .* Use a file\.$/],
  ['--groups=', texts.groupsTakesNamesGroups],
  ['--groups links --groups=,', /^Invalid value of --groups. Use names/],
  ['--http --tools=', texts.toolsTakesNamesTools],
  ['--exclude=', texts.excludeTakesNamesTools],
  ['--hosted --allow-origin=', texts.allowOriginTakesOrigin],
  ['--hosted --public-url=', 'Invalid value of --public-url. Use an address such as https://mcp.example.com.'],
  ['--files . --files=', 'Invalid value of --files. Use a folder.'],
  ['--audit a --audit b', texts.auditGivenTwiceLeave],
  ['--audit=--read-only', texts.auditReadBegins],
  ['--audit', '--audit has no value. Write the value right after it. See --help.'],
  ['--files --read-only', texts.filesValueWhatFollows],
  ['--read-only=yes', "Option '--read-only' does not take an argument. See --help."],
  ['--sandbox --data=', 'Invalid value of --data. Use a folder.'],
  ['--http --host=', texts.hostTakesAddressMachine],
  ['--audit=', 'Invalid value of --audit. Use a file.'],
  ['--state=', 'Invalid value of --state. Use a folder, or memory.'],
  ['--http --port 65536', texts.portTakesWholeNumber],
  ['--hosted --metrics-port -1', /^--metrics-port has no value: the next argument starts/],
  ['--hosted --metrics-port=none', texts.metricsPortTakesWhole],
  ['--hosted --replicas 0', texts.replicasTakesWholeNumber],
  ['--hosted --drain 301', texts.drainTakesWholeNumber],
  ['--log-level loud', 'Invalid value of --log-level. Use silent, error, warn, info, debug.'],
])('docshare-mcp %s is rejected', (line, message) => {
  expect(() => parseCommandLine(args(line))).toThrow(CommandLineError);
  expect(() => parseCommandLine(args(line))).toThrow(message);
});

test('a command line without options has safe defaults', () => {
  expect(parseCommandLine([])).toMatchObject({
    groups: undefined,
    readOnly: false,
    sandbox: false,
    confirm: 'auto',
    files: [],
    http: false,
    host: '127.0.0.1',
    port: 3000,
    hosted: false,
    allowOrigins: [],
    metricsPort: undefined,
    replicas: undefined,
    drainMs: 5000,
    logLevel: 'info',
    doctor: false,
  });
});

test('options are parsed, lists are separated by commas or spaces', () => {
  const line = [
    '--hosted --groups links,rooms --groups billing --tools a --exclude b --read-only --confirm always --host ::1 --port 0',
    '--public-url https://a.test --access-ttl 1d --trust-proxy 1 --allow-origin https://b.test',
    '--metrics-port 9 --replica r.1 --replicas 3 --drain 0 --log-level debug --audit f --state memory',
  ].join(' ');
  expect(parseCommandLine(args(line))).toMatchObject({
    hosted: true,
    groups: ['links', 'rooms', 'billing'],
    tools: ['a'],
    exclude: ['b'],
    readOnly: true,
    confirm: 'always',
    host: '::1',
    port: 0,
    allowOrigins: ['https://b.test'],
    metricsPort: 9,
    replica: 'r.1',
    replicas: 3,
    drainMs: 0,
    logLevel: 'debug',
    audit: 'f',
    state: 'memory',
  });
  expect(parseCommandLine(args('--files x --files y')).files).toEqual(['x', 'y']);
  expect(parseCommandLine(args('--hosted --audit -')).audit).toBe('-');
  expect(parseCommandLine(args('--read-only --read-only')).readOnly).toBe(true);
  expect(parseCommandLine(args('doctor --json --sandbox --data d'))).toMatchObject({
    doctor: true,
    json: true,
    sandbox: true,
    data: 'd',
  });
  expect(parseCommandLine(args('-h -v'))).toMatchObject({ help: true, version: true });
});

describe('a hosted server', () => {
  const hosted = (line = '') => parseCommandLine(args(`--hosted ${line}`));
  const settings = (line = '', baseUrl: string | undefined = 'https://docs.test/api/v1') =>
    parseHostedSettings(hosted(line), { DOCSHARE_BASE_URL: baseUrl });

  test.each([
    ['--host 0.0.0.0', /^--hosted needs --public-url, the https:\/\/ URL/],
    ['--public-url mcp.example.com', /^--public-url mcp\.example\.com is not a valid URL. Use one such as/],
    ['--public-url https://me@a.test', / is not a valid URL. Use one such as/],
    ['--public-url https://:word@a.test', / is not a valid URL. Use one such as/],
    ['--public-url http://a.test', / must start with https:\/\/, because API keys and tokens are sent to it\./],
    ['--public-url https://a.test/mcp', / must not have a path. The endpoint will be https:\/\/a\.test\/mcp\.$/],
    ['--public-url https://a.test/?x=1', / must not have a path/],
    ['--access-ttl 8', texts.accessTtlMust1],
    ['--access-ttl 0m', /^--access-ttl must be/],
    ['--access-ttl 31d', /^--access-ttl must be/],
    ['--trust-proxy 10', texts.trustProxyMustNumber],
    ['--trust-proxy yes', /^--trust-proxy must be/],
    ['--allow-origin a.test', texts.allowOriginTestOrigin],
    ['--allow-origin https://a.test/x', /^--allow-origin https:/],
  ])('with %s does not start', (line, message) => {
    expect(() => settings(line)).toThrow(CommandLineError);
    expect(() => settings(line)).toThrow(message);
  });

  test.each([
    [' ', /^--hosted needs DOCSHARE_BASE_URL, the URL of the API \(ends in \/api\/v1\)\./],
    ['nope', /The base URL must be a web address.*https:\/\/docs\.example\.com\/api\/v1/],
    ['http://docs.test/api/v1', /^DOCSHARE_BASE_URL: .* must start with https:/],
    ['https://me:word@docs.test/api/v1', /The base URL must not contain a user name/],
  ])('without a sandbox does not start for the base URL %j', (baseUrl, message) => {
    expect(() => settings('', baseUrl)).toThrow(CommandLineError);
    expect(() => settings('', baseUrl)).toThrow(message);
    expect(settings('--sandbox', baseUrl).publicUrl).toBeUndefined();
  });

  test('with an invalid Redis URL does not start, and the error does not quote it', () => {
    const start = () => parseHostedSettings(hosted('--sandbox'), { DOCSHARE_REDIS_URL: 'redis://me:word@h/x' });
    expect(start).toThrow(StateConfigError);
    expect(start).toThrow(/^DOCSHARE_REDIS_URL must be redis:\/\/host(?!.*word@h)/);
    const said = (error: unknown) => String((error as Error).message);
    try {
      start();
    } catch (error) {
      // The terminal shows the message unchanged.
      expect(sanitizeForTerminal(said(error), {})).toBe(said(error));
    }
  });

  test.each([
    ['', undefined],
    ['--host ::1', undefined],
    ['--host localhost', undefined],
    ['--public-url https://A.test/', 'https://a.test'],
    ['--public-url http://localhost:4000', 'http://localhost:4000'],
    ['--public-url http://[::1]:4000', 'http://[::1]:4000'],
  ])('with %j has the public URL %s', (line, publicUrl) => {
    expect(settings(line).publicUrl).toBe(publicUrl);
  });

  test.each([
    ['1m', 60_000],
    ['8h', 28_800_000],
    ['30d', 2_592_000_000],
  ])('tokens expire after %s', (ttl, ms) => {
    expect(settings(`--access-ttl ${ttl}`).accessTtlMs).toBe(ms);
  });

  test('trusts no proxy and no website by default', () => {
    expect(settings()).toMatchObject({ proxies: 0, allowOrigins: [], accessTtlMs: 28_800_000 });
    expect(settings('--trust-proxy 2 --allow-origin https://A.test/')).toMatchObject({
      proxies: 2,
      allowOrigins: ['https://a.test'],
    });
  });

  const SECRET = '1f0c9d8b7a6e5f4d3c2b1a0918273645';
  test.each<[string, Partial<Command>, string | undefined, RegExp]>([
    ['none with a public URL', { publicUrl: 'https://a.test' }, undefined, /^--hosted needs DOCSHARE_SECRETS/],
    ['blanks', { publicUrl: 'https://a.test' }, ' , , ', /^--hosted needs DOCSHARE_SECRETS/],
    ['a short one', {}, 'short', /^DOCSHARE_SECRETS: each secret needs at least 32 random characters/],
    ['a repeated letter', {}, 'x'.repeat(64), /^DOCSHARE_SECRETS: each secret/],
    ['words', {}, 'correct-horse-battery-staple-correct', /^DOCSHARE_SECRETS: each secret/],
    ['a short one after a long one', { sandbox: true }, `${SECRET},short`, /^DOCSHARE_SECRETS: each secret/],
  ])('rejects weak secrets: %s', (_, more, given, message) => {
    const command = { ...hosted(), ...more };
    expect(() => readHostedSecrets(command, { DOCSHARE_SECRETS: given })).toThrow(message);
  });

  test('has its secrets in the given order, or a random one without a public URL', () => {
    const command = hosted('--public-url https://a.test');
    const env = { DOCSHARE_SECRETS: `${SECRET}a, ${SECRET}b\n` };
    expect(readHostedSecrets(command, env)).toEqual([`${SECRET}a`, `${SECRET}b`]);
    const [own = ''] = readHostedSecrets(hosted(), {});
    expect(own.length).toBeGreaterThanOrEqual(32);
    expect(readHostedSecrets(hosted(), {})).not.toEqual([own]);
    expect(readHostedSecrets({ ...command, sandbox: true }, {})).toHaveLength(1);
  });
});

test('two ports may both be chosen by the system', () => {
  const { port, metricsPort } = parseCommandLine(args('--hosted --port 0 --metrics-port 0'));
  expect([port, metricsPort]).toEqual([0, 0]);
});

test.each<[string, string, object, readonly string[]]>([
  ['its working folder by default', '', {}, [process.cwd()]],
  ['no folder over HTTP', '--http', {}, []],
  ['no folder if it is hosted', '', { hosted: true }, []],
])('a server may read %s', (_, line, more, folders) => {
  expect(resolveAllowedFolders({ ...parseCommandLine(args(line)), ...more })).toEqual(folders);
});

test.each([
  ['Documents', ['Documents']],
  ['.cursor', []],
  ['/', []],
])('a server started in the folder %s of the home folder may read %j', (name, folders) => {
  const home = createFolderForTest('docshare-home-');
  mkdirSync(resolve(home, name), { recursive: true });
  vi.stubEnv('HOME', home);
  vi.spyOn(process, 'cwd').mockReturnValue(resolve(home, name));
  expect(resolveAllowedFolders(parseCommandLine([]))).toEqual(folders.map((folder) => join(home, folder)));
});
