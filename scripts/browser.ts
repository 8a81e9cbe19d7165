/**
 * The Chromium that the browser tests drive: `CHROMIUM_PATH`, else one of the system's. Run as a script it installs
 * Debian's package where there is none and the machine allows it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @throws Error that says how to get one. */
export function findBrowser(): string {
  const path = [process.env.CHROMIUM_PATH, ...PLACES].find((place) => place && existsSync(place));
  if (!path) {
    throw new Error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  }
  return path;
}

function installBrowser(): void {
  try {
    findBrowser();
  } catch (error) {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
      console.error(error instanceof Error ? error.message : error);
      return;
    }
    console.error("Installing Debian's chromium for the browser tests …");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    try {
      execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
      execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
        stdio: 'ignore',
        env,
      });
    } catch {
      console.error('Chromium could not be installed: the browser tests will fail.');
    }
  }
}

if (import.meta.main) installBrowser();
