import { readProfile } from '../../src/profile/read-profile.ts';
import { changesBetween } from '../check/changes.ts';
import { counted } from '../counted.ts';
import { isNothingLearned, type Learned } from '../learn.ts';

/**
 * `docshare learn --check`: asks again, and says what changed since the profile was learned.
 * @returns the exit code: 0 where nothing changed, 1 where something did, 2 where it could not be asked to the end.
 */
export async function checkService(
  { path, baseUrl, ask }: { path: string; baseUrl: string; ask: (keepNames: boolean) => Promise<Learned> },
  print: (text: string) => void,
): Promise<number> {
  const before = await readProfile(path, baseUrl);
  const learned = await ask(before.learned.names === 'kept');
  const { profile, ended } = learned;
  // A service that is down, or a page in its place, did not move on.
  if (isNothingLearned(learned)) {
    print(`${ended ?? 'No answer came.'} Nothing could be compared.\n`);
    return 2;
  }
  const changes = changesBetween(before, profile);
  const since = `since ${before.learned.at.slice(0, 16).replace('T', ' ')} UTC`;
  for (const change of changes) print(`${change}\n`);
  const many = changes.length === 1 ? 'One thing changed' : `${changes.length} things changed`;
  print(
    `${changes.length === 0 ? 'Nothing changed' : many} ${since}, as far as ${counted(profile.learned.calls, 'call')} can tell.\n`,
  );
  if (ended !== undefined) print(`It ended early: ${ended}\n`);
  if (changes.length > 0) return 1;
  return ended === undefined ? 0 : 2;
}
