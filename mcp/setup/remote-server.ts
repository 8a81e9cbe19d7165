import type { Entry, HostDefinition } from './hosts.ts';
import { shellQuote } from './launch-command.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';

/** The endpoint of a hosted server, from what a person was given. @throws SetupError for what can't be one. */
export function parseEndpointUrl(input: string): string {
  const text = input.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)))
    throw new SetupError('--url takes the https:// address of a hosted server. Nothing was changed.');
  if (url.username || url.password || url.search || url.hash)
    throw new SetupError(
      '--url takes a plain address: no password, no query. The sign-in happens in the browser. Nothing was changed.',
    );
  // People are given the address of the site as often as that of the endpoint.
  return url.pathname === '/' ? `${url.origin}/mcp` : url.href;
}

/** The entry of a server elsewhere, in its host's form. @throws SetupError where the host's file takes none. */
export function getRemoteEntry(host: HostDefinition, url: string): Entry {
  if (!host.createRemoteEntry)
    throw new SetupError(`${host.getRemoteHelp?.(url) ?? host.nextSteps} Nothing was changed.`);
  if (host.placeholderPattern?.test(url))
    throw new SetupError(`${host.title} would replace a part of ${url}. Nothing was changed.`);
  return host.createRemoteEntry(url);
}

/** What stands in the host's file, in its own form. */
export function renderRemoteConfig(host: HostDefinition, url: string): string {
  const entry = getRemoteEntry(host, url);
  if (host.form === 'json')
    return JSON.stringify({ [host.serversKey]: { [serverInfo.name]: entry } }, null, 2);
  const pairs = Object.entries(entry).map(([name, value]) => [name, JSON.stringify(value)] as const);
  if (host.form === 'toml')
    return [
      `[${host.serversKey}.${serverInfo.name}]`,
      ...pairs.map(([name, value]) => `${name} = ${value}`),
    ].join('\n');
  return [
    `${host.serversKey}:`,
    `  ${serverInfo.name}:`,
    ...pairs.map(([name, value]) => `    ${name}: ${value}`),
  ].join('\n');
}

/** The host's own command that does the same; undefined where it has none. */
export function getRemoteAddCommand(host: HostDefinition, url: string): string | undefined {
  const address = /^[\w@%+=:,./-]+$/.test(url) ? url : shellQuote(url);
  if (host.id === 'claude-code')
    return `claude mcp add --scope user --transport http ${serverInfo.name} ${address}`;
  if (host.id === 'codex') return `codex mcp add ${serverInfo.name} --url ${address}`;
  return undefined;
}

/** The link that adds it at a click; undefined where the host knows none. */
export function getRemoteInstallLink(host: HostDefinition, url: string): string | undefined {
  const entry = getRemoteEntry(host, url);
  const encodeConfig = () => encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
  if (host.id === 'cursor')
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverInfo.name}&config=${encodeConfig()}`;
  if (host.id === 'vscode')
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverInfo.name, ...entry }))}`;
  return undefined;
}
