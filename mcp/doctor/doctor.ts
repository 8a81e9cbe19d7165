import { version } from '../../src/version.ts';
import { configurationFor } from '../setup/host-text.ts';
import { type HostDefinition, hosts, type LaunchConfig } from '../setup/hosts.ts';
import { getCurrentLaunchCommand, shellQuote } from '../setup/launch-command.ts';
import { serverInfo } from '../setup/server-info.ts';
import { type Check, checkSettings, type DoctorResult, getUsableScopes } from './checks.ts';

const STATE_LABELS: Readonly<Record<Check['state'], string>> = {
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
  /** What is checked in the place of the service; `dataFolder` is the folder that hosts are told to keep theirs in. */
  sandbox?: { url: string; key: string; dataFolder: string } | undefined;
  json: boolean;
  print: (text: string) => void;
}): Promise<number> {
  const { env, sandbox, json, print } = options;
  // An empty text, so that the client does not look into the process's own environment.
  const apiKey = sandbox?.key ?? env['DOCSHARE_API_KEY']?.trim() ?? '';
  const baseUrl = sandbox?.url ?? env['DOCSHARE_BASE_URL'] ?? '';
  // The sandbox is another service than the one that was learned.
  const profile = sandbox ? undefined : env['DOCSHARE_PROFILE']?.trim();
  const result = await checkSettings({ apiKey, baseUrl, profile });
  const ok = !result.checks.some(({ state }) => state === 'failed');
  const scopes = getUsableScopes(result);
  if (json) {
    const { checks, readableScopes, deniedScopes, calls } = result;
    const configuration = getHostConfigurations(
      sandbox ? { dataFolder: sandbox.dataFolder } : { baseUrl: redactUrl(baseUrl) },
    );
    const report = {
      ok,
      calls,
      checks,
      readable_scopes: readableScopes,
      denied_scopes: deniedScopes,
      DOCSHARE_SCOPES: scopes.join(' '),
      configuration,
    };
    print(`${JSON.stringify(report, null, 2)}\n`);
  } else print(formatReport(result, { scopes: scopes.join(' '), ok, dataFolder: sandbox?.dataFolder }));
  return ok ? 0 : 1;
}

function formatReport(
  result: DoctorResult,
  options: {
    scopes: string;
    ok: boolean;
    dataFolder: string | undefined;
  },
): string {
  const { scopes, ok, dataFolder } = options;
  const checks = result.checks.map(
    ({ name, state, message }) => `${STATE_LABELS[state]}  ${name.padEnd(10)}  ${message}`,
  );
  return [
    ...checks,
    '',
    ok ? `All that matters works (${result.calls} calls).` : 'Mend what FAILED, then run the doctor again.',
    '',
    'Scopes the key may have (write scopes are not tried): hides the tools it can’t use.',
    `DOCSHARE_SCOPES="${scopes}"`,
    '',
    dataFolder === undefined
      ? 'docshare-mcp setup HOST puts the server into a host’s settings, after asking.'
      : `docshare-mcp setup HOST --sandbox --data ${shellQuote(dataFolder)} lets a host go on with this sandbox at each start.`,
    '',
  ].join('\n');
}

/** Settings as each host reads them, for the service or for a sandbox that is kept; no key stands in them. */
export function getHostConfigurations(
  target: { readonly baseUrl: string } | { readonly dataFolder: string },
): Readonly<Record<string, unknown>> {
  const launchCommand = getCurrentLaunchCommand(version);
  const { apiKey, baseUrl } = serverInfo.settings;
  const createLaunchConfig = (host: HostDefinition): LaunchConfig =>
    'dataFolder' in target
      ? {
          ...launchCommand,
          args: [...launchCommand.args, '--sandbox', '--data', target.dataFolder],
          env: {},
          key: undefined,
        }
      : {
          ...launchCommand,
          env: { [baseUrl.env]: target.baseUrl },
          key: (host.asksForKey ? host.getKeyReference?.(apiKey.env) : undefined) ?? apiKey.placeholder,
        };
  return Object.fromEntries(
    hosts.map((host) => {
      const text = configurationFor(host, createLaunchConfig(host));
      return [host.title, host.form === 'json' ? JSON.parse(text) : text];
    }),
  );
}

/** An address that may be printed: without a user, a password or a query. */
function redactUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'https://YOUR_HOST/api/v1';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.replace(/\/$/, '');
}
