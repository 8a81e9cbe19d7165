import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not `cmd /c start`, which interprets characters of the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const FAILURE_TIMEOUT_MS = 2000;

/**
 * Opens a URL in the user's browser. Returns false if there is none: neither a display nor `BROWSER`, no such program, or
 * `BROWSER=none`.
 */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const opener = COMMANDS[process.platform] ?? findOpener(env);
  if (env['BROWSER'] === 'none' || !opener) return false;
  const [command, ...args] = opener;
  // Imported late, because no start needs it.
  const { spawn } = await import('node:child_process');
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

/** Remote development sets `BROWSER` to a program that opens URLs on the user's own machine. */
function findOpener(env: NodeJS.ProcessEnv): readonly [string] | undefined {
  const { BROWSER: browser = '', DISPLAY: display, WAYLAND_DISPLAY: wayland } = env;
  if (/^[^\s:%]+$/.test(browser)) return [browser];
  return display || wayland ? ['xdg-open'] : undefined;
}
