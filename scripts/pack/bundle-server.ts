import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { copyExampleFiles } from './example-files.ts';

/** Bundles the built server in one piece: nothing else has to be installed, and it starts in half the time. */
export async function bundleServer({
  buildFolder,
  outFolder,
}: {
  buildFolder: string;
  outFolder: string;
}): Promise<void> {
  // The sandbox that comes along starts a thread, by its file.
  const thread = join(buildFolder, 'sandbox/pdf/pdf-thread.js');
  await bundle({
    rootFolder: buildFolder,
    entries: { main: join(buildFolder, 'mcp/main.js'), 'pdf-thread': thread },
    outFolder,
  });
  copyExampleFiles({ built: buildFolder, into: outFolder });
}
