import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { copyExampleFiles } from './example-files.ts';
import { joinStart } from './join-start.ts';

/** Bundles the built server with its dependencies, so that it installs alone and starts in half the time. */
export async function bundleServer({
  buildFolder,
  outFolder,
}: {
  buildFolder: string;
  outFolder: string;
}): Promise<void> {
  // The embedded sandbox starts a worker thread from its own file.
  const thread = join(buildFolder, 'sandbox/pdf/pdf-thread.js');
  const metafile = await bundle({
    rootFolder: buildFolder,
    entries: {
      main: join(buildFolder, 'mcp/main.js'),
      start: join(buildFolder, 'mcp/start-loader.js'),
      'pdf-thread': thread,
    },
    outFolder,
  });
  joinStart(outFolder, metafile);
  copyExampleFiles({ built: buildFolder, into: outFolder });
}
