/** Builds the artefact of Zapier's Lambda while other tests run: all tests of the app wait for it. */
import { unzipArtefact } from './zapier-artefact.ts';

export function setup(): () => Promise<void> {
  // Each test that needs the artefact reports its own error.
  const built = unzipArtefact().catch(() => undefined);
  return async () => {
    await built;
  };
}
