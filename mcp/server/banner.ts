import { resolve } from 'node:path';
import { getCurrentLaunchCommand, getTypedCommand, quoteArgument } from '../setup/launch-command.ts';

/** Prints to a terminal what started and how to connect a host. */
export function printBanner(options: {
  server: { readonly url: string };
  /** URL of the sandbox's pages; undefined without a sandbox. */
  pagesUrl: string | undefined;
  data: string | undefined;
  /** Settings without which tools don't work. */
  missing: readonly string[];
}): void {
  const { server, pagesUrl, data, missing } = options;
  const { command, args } = getCurrentLaunchCommand();
  const isHttp = server.url.startsWith('http');
  const storageText = data === undefined ? 'in memory (use --data DIR to keep it)' : resolve(data);
  const sandboxArgs = `${pagesUrl ? ' --sandbox' : ''}${data === undefined ? '' : ` --data ${quoteArgument(resolve(data))}`}`;
  const addCommand = isHttp
    ? `claude mcp add --transport http docshare ${server.url}`
    : `claude mcp add docshare ${quoteArgument('--')} ${[command, ...args].map((part) => quoteArgument(part)).join(' ')}${sandboxArgs}`;
  const lines = [
    `Docshare MCP server${pagesUrl ? ', running on a local sandbox with demo data' : ''}.`,
    isHttp
      ? `Listening at ${server.url}.`
      : 'Waiting for an MCP client on stdin. MCP hosts start this command themselves.',
    ...(missing.length > 0
      ? [
          `Not set: ${missing.join(', ')}. Tools fail without: run setup, which asks, or use --sandbox, which needs neither.`,
        ]
      : []),
    '',
    ...(pagesUrl ? [`  Sandbox console   ${pagesUrl}/`, `  Sandbox data      ${storageText}`] : []),
    `  Claude Code       ${addCommand}`,
    `  Other hosts       ${getTypedCommand()} setup HOST${sandboxArgs}`,
    '',
    'Press Ctrl-C to stop.',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
