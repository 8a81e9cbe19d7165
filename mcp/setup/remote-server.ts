import type { Entry, HostDefinition } from './hosts.ts';
import { shellQuote } from './launch-command.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';

/** Parses `--url` to the endpoint of a hosted server. @throws SetupError for an invalid URL. */
export function parseEndpointUrl(input: string): string {
  const text = input.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)))
    throw new SetupError('--url must be the https:// URL of a hosted server. Nothing was changed.');
  if (url.username || url.password || url.search || url.hash)
    throw new SetupError(
      '--url must not contain a password, query or fragment; you sign in in the browser. Nothing was changed.',
    );
  // People often pass the site instead of the endpoint.
  return url.pathname === '/' ? `${url.origin}/mcp` : url.href;
}

/** Returns the entry for a remote server. @throws SetupError if the host's file supports none. */
export function getRemoteEntry(host: HostDefinition, url: string): Entry {
  if (!host.createRemoteEntry)
    throw new SetupError(`${host.getRemoteHelp?.(url) ?? host.nextSteps} Nothing was changed.`);
  if (host.placeholderPattern?.test(url))
    throw new SetupError(`${host.title} would replace a part of ${url}. Nothing was changed.`);
  return host.createRemoteEntry(url);
}

/** Renders the remote entry in the host's file format. */
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

/** Returns the host's own command to add it, if it has one. */
export function getRemoteAddCommand(host: HostDefinition, url: string): string | undefined {
  const address = /^[\w@%+=:,./-]+$/.test(url) ? url : shellQuote(url);
  if (host.id === 'claude-code')
    return `claude mcp add --scope user --transport http ${serverInfo.name} ${address}`;
  if (host.id === 'codex') return `codex mcp add ${serverInfo.name} --url ${address}`;
  return undefined;
}
