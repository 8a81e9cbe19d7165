import { version } from '../../src/version.ts';
import { configurationFor } from '../setup/host-words.ts';
import { type Host, hosts, type Wanted } from '../setup/hosts.ts';
import { offer } from '../setup/offer.ts';
import { ownStartLine, quoted } from '../setup/start-line.ts';
import { type Check, checkSettings, type Findings, usableScopes } from './checks.ts';

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
  const apiKey = sandbox?.key ?? env['DOCSHARE_API_KEY']?.trim() ?? '';
  const baseUrl = sandbox?.url ?? env['DOCSHARE_BASE_URL'] ?? '';
  // The sandbox is another service than the one that was learned.
  const profile = sandbox ? undefined : env['DOCSHARE_PROFILE']?.trim();
  const findings = await checkSettings({ apiKey, baseUrl, profile });
  const ok = !findings.checks.some(({ state }) => state === 'failed');
  const scopes = usableScopes(findings);
  if (json) {
    const { checks, readable, refused, calls } = findings;
    const configuration = hostConfigurations(
      sandbox ? { keptIn: sandbox.keptIn } : { baseUrl: safeAddress(baseUrl) },
    );
    const report = { ok, calls, checks, readable, refused, DOCSHARE_SCOPES: scopes.join(' '), configuration };
    print(`${JSON.stringify(report, null, 2)}\n`);
  } else print(formatReport(findings, { scopes: scopes.join(' '), ok, keptIn: sandbox?.keptIn }));
  return ok ? 0 : 1;
}

function formatReport(
  findings: Findings,
  parts: {
    scopes: string;
    ok: boolean;
    keptIn: string | undefined;
  },
): string {
  const { scopes, ok, keptIn } = parts;
  const checks = findings.checks.map(
    ({ name, state, message }) => `${MARKS[state]}  ${name.padEnd(10)}  ${message}`,
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
      ? 'docshare-mcp setup HOST puts the server into a host’s settings, after asking.'
      : `docshare-mcp setup HOST --sandbox --data ${quoted(keptIn)} lets a host go on with this sandbox at each start.`,
    '',
  ].join('\n');
}

/** Settings as each host reads them, for the service or for a sandbox that is kept; no key stands in them. */
export function hostConfigurations(
  target: { readonly baseUrl: string } | { readonly keptIn: string },
): Readonly<Record<string, unknown>> {
  const start = ownStartLine(version);
  const { apiKey, baseUrl } = offer.settings;
  const wanted = (host: Host): Wanted =>
    'keptIn' in target
      ? { ...start, args: [...start.args, '--sandbox', '--data', target.keptIn], env: {}, key: undefined }
      : {
          ...start,
          env: { [baseUrl.env]: target.baseUrl },
          key: (host.asksForKey ? host.reference?.(apiKey.env) : undefined) ?? apiKey.placeholder,
        };
  return Object.fromEntries(
    hosts.map((host) => {
      const text = configurationFor(host, wanted(host));
      return [host.title, host.form === 'json' ? JSON.parse(text) : text];
    }),
  );
}

/** An address that may be printed: without a user, a password or a query. */
function safeAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'https://YOUR_HOST/api/v1';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.replace(/\/$/, '');
}
