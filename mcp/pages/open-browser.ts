import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not `cmd /c start`, which interprets characters of the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const FAILURE_TIMEOUT_MS = 2000;

/** Opens a URL in the user's browser. Returns false if there is none: no display, no such program, or `BROWSER=none`. */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const hasDisplay = COMMANDS[process.platform] !== undefined || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (env['BROWSER'] === 'none' || !hasDisplay) return false;
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env });
  child.unref();
  return Promise.race([
    once(child, 'exit').then(
      ([code]) => code === 0,
      () => false,
    ),
    // Some openers stay until the browser is closed.
    setTimeout(FAILURE_TIMEOUT_MS, true),
  ]);
}
