import { spawn } from 'node:child_process';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not `cmd /c start`, which interprets characters of the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const FAILURE_TIMEOUT_MS = 2000;

/** Opens a URL in the user's browser. Returns false if there is none: no display, no such program, or `BROWSER=none`. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const hasDisplay = COMMANDS[process.platform] !== undefined || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (env['BROWSER'] === 'none' || !hasDisplay) return Promise.resolve(false);
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env });
    // Some openers stay until the browser is closed.
    const timer = setTimeout(() => resolve(true), FAILURE_TIMEOUT_MS);
    const finish = (isOpened: boolean) => {
      clearTimeout(timer);
      resolve(isOpened);
    };
    child.once('error', () => finish(false)).once('exit', (code) => finish(code === 0));
    child.unref();
  });
}
