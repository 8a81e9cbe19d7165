import { type Check, checkSettings, type Findings, usableScopes } from './checks.ts';
import { launchCommand, quoted } from './launch.ts';

const KEY_PLACE = 'YOUR_KEY';
const MARKS: Readonly<Record<Check['state'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  failed: 'FAILED ',
  unknown: 'unknown',
};

/**
 * Checks the settings and prints the report: to stdout, since no protocol runs here. The key is never printed.
 * @returns the exit code: 1 where a check failed.
 */
export async function runDoctor(options: {
  env: NodeJS.ProcessEnv;
  /** What is checked in the place of the service; `keptIn` is the folder that hosts are told to keep theirs in. */
  sandbox?: { url: string; key: string; keptIn: string } | undefined;
  json: boolean;
  print: (text: string) => void;
}): Promise<number> {
  const { env, sandbox, json, print } = options;
  // An empty text, so that the client does not look into the process's own environment.
  const apiKey = sandbox?.key ?? env['DOCSHARE_API_KEY'] ?? '';
  const baseUrl = sandbox?.url ?? env['DOCSHARE_BASE_URL'] ?? '';
  const findings = await checkSettings({ apiKey, baseUrl });
  const ok = !findings.checks.some(({ state }) => state === 'failed');
  const scopes = usableScopes(findings);
  const configuration = hostConfigurations(
    sandbox ? { keptIn: sandbox.keptIn } : { baseUrl: safeAddress(baseUrl) },
  );
  if (json) {
    const { checks, readable, refused, calls } = findings;
    const report = { ok, calls, checks, readable, refused, DOCSHARE_SCOPES: scopes.join(' '), configuration };
    print(`${JSON.stringify(report, null, 2)}\n`);
  } else print(reportOf(findings, { scopes: scopes.join(' '), configuration, ok, keptIn: sandbox?.keptIn }));
  return ok ? 0 : 1;
}

function reportOf(
  findings: Findings,
  parts: {
    scopes: string;
    configuration: Readonly<Record<string, unknown>>;
    ok: boolean;
    keptIn: string | undefined;
  },
): string {
  const { scopes, configuration, ok, keptIn } = parts;
  const checks = findings.checks.map(
    ({ name, state, message }) => `${MARKS[state]}  ${name.padEnd(10)}  ${message}`,
  );
  const hosts = Object.entries(configuration).map(
    ([host, value]) => `${host}:\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`,
  );
  return [
    ...checks,
    '',
    ok ? `All that matters works (${findings.calls} calls).` : 'Mend what FAILED, then run the doctor again.',
    '',
    'Scopes the key may have (write scopes are not tried): hides the tools it can’t use.',
    `DOCSHARE_SCOPES="${scopes}"`,
    '',
    keptIn === undefined
      ? `Configuration for hosts; put your key in the place of ${KEY_PLACE}.`
      : `Configuration for hosts: each start goes on with the sandbox in ${keptIn}.`,
    '',
    ...hosts.flatMap((host) => [host, '']),
  ].join('\n');
}

/** Settings as each host reads them, for the service or for a sandbox that is kept; no key stands in them. */
export function hostConfigurations(
  target: { readonly baseUrl: string } | { readonly keptIn: string },
): Readonly<Record<string, unknown>> {
  const { command, main } = launchCommand();
  const isSandbox = 'keptIn' in target;
  const args = isSandbox ? [main, '--sandbox', '--data', target.keptIn] : [main];
  const env = isSandbox ? {} : { DOCSHARE_BASE_URL: target.baseUrl, DOCSHARE_API_KEY: KEY_PLACE };
  const server = { command, args, ...(isSandbox ? {} : { env }) };
  const flags = Object.entries(env).map(([name, value]) => `-e ${name}=${quoted(value)} `);
  return {
    'Claude Desktop (claude_desktop_config.json)': { mcpServers: { docshare: server } },
    'Claude Code': `claude mcp add docshare ${flags.join('')}-- ${[command, ...args].map(quoted).join(' ')}`,
    'Cursor (.cursor/mcp.json)': { mcpServers: { docshare: server } },
    'VS Code (.vscode/mcp.json)': isSandbox
      ? { servers: { docshare: { type: 'stdio', ...server } } }
      : {
          inputs: [
            { type: 'promptString', id: 'docshare-key', description: 'Docshare API key', password: true },
          ],
          servers: {
            docshare: {
              type: 'stdio',
              ...server,
              // The host's own placeholder: it asks for the key and keeps it.
              env: { ...env, DOCSHARE_API_KEY: `$${'{input:docshare-key}'}` },
            },
          },
        },
  };
}

/** An address that may be printed: without a user, a password or a query. */
function safeAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'https://YOUR_HOST/api/v1';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.replace(/\/$/, '');
}
