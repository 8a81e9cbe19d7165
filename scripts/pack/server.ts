import { join } from 'node:path';
import { bundle } from './bundle.ts';

/** Bundles the built server in one piece: nothing else has to be installed, and it starts in half the time. */
export async function bundleServer({ built, into }: { built: string; into: string }): Promise<void> {
  // The sandbox that comes along starts a thread, by its file.
  const thread = join(built, 'sandbox/pdf/pdf-thread.js');
  await bundle({ from: built, entries: { main: join(built, 'mcp/main.js'), 'pdf-thread': thread }, into });
}
