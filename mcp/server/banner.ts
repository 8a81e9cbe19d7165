import { resolve } from 'node:path';
import { getCurrentLaunchCommand, getShellCommand, quoteArgument } from '../setup/launch-command.ts';

/** Prints to a terminal what started and how to connect a host. */
export function printBanner(options: {
  /** `publicUrl` is set for a hosted server only. */
  server: { readonly url: string; readonly publicUrl?: string | undefined };
  /** Its pages and its key; undefined without a sandbox. */
  sandbox: { readonly origin: string; readonly key: string } | undefined;
  data: string | undefined;
  /** Settings without which tools don't work. */
  missing: readonly string[];
}): void {
  const { server, sandbox, data, missing } = options;
  const { url, publicUrl } = server;
  const { command, args } = getCurrentLaunchCommand();
  const isHttp = url.startsWith('http');
  // Without a sign-in or a sandbox, each request carries the key.
  const needsKey = isHttp && publicUrl === undefined && sandbox === undefined;
  const storageText = data === undefined ? 'in memory (use --data DIR to keep it)' : resolve(data);
  const sandboxArgs = `${sandbox ? ' --sandbox' : ''}${data === undefined ? '' : ` --data ${quoteArgument(resolve(data))}`}`;
  const addCommand = isHttp
    ? `claude mcp add --transport http docshare ${publicUrl ?? url}${needsKey ? ' --header "Authorization: Bearer KEY"' : ''}`
    : `claude mcp add docshare ${quoteArgument('--')} ${[command, ...args].map((part) => quoteArgument(part)).join(' ')}${sandboxArgs}`;
  const setupArgs = isHttp ? ` --url ${new URL(publicUrl ?? url).origin}` : sandboxArgs;
  const lines = [
    `Docshare MCP server${sandbox ? ', running on a local sandbox with demo data' : ''}.`,
    isHttp ? `Listening at ${url}.` : 'Waiting for an MCP client on stdin. MCP hosts start this command themselves.',
    ...(missing.length > 0
      ? [
          `Not set: ${missing.join(', ')}. Tools fail without: run setup, which asks, or use --sandbox, which needs neither.`,
        ]
      : []),
    '',
    ...(sandbox ? [`  Sandbox console   ${sandbox.origin}/`, `  Sandbox data      ${storageText}`] : []),
    ...(sandbox && publicUrl !== undefined ? [`  Key to sign in    ${sandbox.key}`] : []),
    `  Claude Code       ${addCommand}`,
    `  Other hosts       ${needsKey ? `${url} with the header Authorization: Bearer KEY` : `${getShellCommand()} setup HOST${setupArgs}`}`,
    '',
    'Press Ctrl-C to stop.',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
