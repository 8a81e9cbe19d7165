import { renderHostConfig } from '../setup/host-text.ts';
import { hosts } from '../setup/hosts.ts';
import { getCurrentLaunchCommand, getShellCommand, quoteArgument } from '../setup/launch-command.ts';
import { getPrintableLaunchConfig } from '../setup/launch-config.ts';
import { checkSettings, type DoctorResult, getUsableScopes } from './checks.ts';

/** Checks the settings and prints a report without the key. @returns the exit code: 1 if a check failed. */
export async function runDoctor(options: {
  env: NodeJS.ProcessEnv;
  /** Checked instead of the service; `dataFolder` is the folder in the suggested host settings. */
  sandbox?: { url: string; key: string; dataFolder: string } | undefined;
  json: boolean;
  print: (text: string) => void;
}): Promise<number> {
  const { env, sandbox, json, print } = options;
  // Empty instead of undefined, so that the client does not read the process's environment.
  const apiKey = sandbox?.key ?? env['DOCSHARE_API_KEY']?.trim() ?? '';
  const baseUrl = sandbox?.url ?? env['DOCSHARE_BASE_URL'] ?? '';
  // The profile belongs to another service than the sandbox.
  const profile = sandbox ? undefined : env['DOCSHARE_PROFILE']?.trim();
  const result = await checkSettings({ apiKey, baseUrl, profile });
  const ok = !result.checks.some(({ state }) => state === 'failed');
  const scopes = getUsableScopes(result);
  if (json) {
    const { checks, readableScopes, deniedScopes, calls } = result;
    const configuration = getHostConfigurations(sandbox ? sandbox.dataFolder : { url: redactUrl(baseUrl) });
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
  options: { scopes: string; ok: boolean; dataFolder: string | undefined },
): string {
  const { scopes, ok, dataFolder } = options;
  const checks = result.checks.map(({ name, state, message }) => {
    const label = state === 'failed' ? 'FAILED' : state;
    return `${label.padEnd(7)}  ${name.padEnd(10)}  ${message}`;
  });
  const nextSteps = [
    'Set DOCSHARE_SCOPES to hide tools that this key can’t use (write scopes are not tested):',
    `DOCSHARE_SCOPES="${scopes}"`,
    '',
    dataFolder === undefined
      ? `To add the server to a host’s settings, run ${getShellCommand()} setup HOST.`
      : `To use this sandbox in a host, run ${getShellCommand()} setup HOST --sandbox --data ${quoteArgument(dataFolder)}.`,
    '',
  ];
  return [
    ...checks,
    '',
    ok ? `No problems found (${result.calls} calls).` : 'Fix the checks that FAILED, then run doctor again.',
    '',
    ...(result.readableScopes.length + result.deniedScopes.length > 0 ? nextSteps : []),
  ].join('\n');
}

/** Returns the settings for each host without a key, for the service or for a sandbox in a folder. */
function getHostConfigurations(target: { readonly url: string } | string): Readonly<Record<string, unknown>> {
  const { command, args, env } = getCurrentLaunchCommand();
  const isSandbox = typeof target === 'string';
  const start = { command, args: isSandbox ? [...args, '--sandbox', '--data', target] : args, ...(env ? { env } : {}) };
  const url = isSandbox ? undefined : target.url;
  return Object.fromEntries(
    hosts.map((host) => {
      const text = renderHostConfig(host, getPrintableLaunchConfig(host, { start, url, envKey: false }));
      return [host.title, host.form === 'json' ? JSON.parse(text) : text];
    }),
  );
}

/** Removes user, password and query from a URL. */
function redactUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'https://YOUR_HOST/api/v1';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.replace(/\/$/, '');
}
