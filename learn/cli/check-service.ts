import { readProfile } from '../../src/profile/read-profile.ts';
import { isEmptyResult, type LearnResult } from '../learn.ts';
import { formatCount } from '../probes/format-count.ts';
import { diffProfiles } from '../report/diff-profiles.ts';

/**
 * `docshare learn --check`: asks again, and says what changed since the profile was learned.
 * @returns the exit code: 0 where nothing changed, 1 where something did, 2 where it could not be asked to the end.
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
  // A service that is down, or a page in its place, did not move on.
  if (isEmptyResult(result)) {
    print(`${stopReason ?? 'No answer came.'} Nothing could be compared.\n`);
    return 2;
  }
  const changes = diffProfiles(before, profile);
  const since = `since ${before.learned.at.slice(0, 16).replace('T', ' ')} UTC`;
  for (const change of changes) print(`${change}\n`);
  const changeCount = changes.length === 1 ? 'One thing changed' : `${changes.length} things changed`;
  print(
    `${changes.length === 0 ? 'Nothing changed' : changeCount} ${since}, as far as ${formatCount(profile.learned.calls, 'call')} can tell.\n`,
  );
  if (stopReason !== undefined) print(`It ended early: ${stopReason}\n`);
  if (changes.length > 0) return 1;
  return stopReason === undefined ? 0 : 2;
}
