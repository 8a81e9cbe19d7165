import { readProfile } from '../../src/profile/read-profile.ts';
import { formatCount } from '../format-count.ts';
import { isEmptyResult, type LearnResult } from '../learn.ts';
import { diffProfiles } from '../report/diff-profiles.ts';

/**
 * Learns the service again and prints what changed since the profile was learned (`docshare learn --check`).
 * @returns the exit code: 0 if nothing changed, 1 if something changed, 2 if the run ended early.
 */
export async function checkService(
  {
    path,
    baseUrl,
    runLearning,
  }: { path: string; baseUrl: string; runLearning: (keepNames: boolean) => Promise<LearnResult> },
  print: (text: string) => void,
): Promise<number> {
  const before = await readProfile(path, baseUrl);
  const result = await runLearning(before.learned.names === 'kept');
  const { profile, stopReason } = result;
  // An outage, or a web page instead of the API, is not a change of the service.
  if (isEmptyResult(result)) {
    print(`${stopReason ?? 'The service did not respond.'} Nothing was compared.\n`);
    return 2;
  }
  const changes = diffProfiles(before, profile);
  const since = `since ${before.learned.at.slice(0, 16).replace('T', ' ')} UTC`;
  for (const change of changes) print(`${change}\n`);
  const summary = changes.length === 0 ? 'No changes' : formatCount(changes.length, 'change');
  print(`${summary} ${since}, based on ${formatCount(profile.learned.calls, 'call')}.\n`);
  if (stopReason !== undefined) print(`The run ended early: ${stopReason}\n`);
  if (changes.length > 0) return 1;
  return stopReason === undefined ? 0 : 2;
}
