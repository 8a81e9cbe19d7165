import { readProfile } from '../../src/profile/read-profile.ts';
import { changesBetween } from '../check/changes.ts';
import type { Learned } from '../learn.ts';

/**
 * `docshare learn --check`: asks again, and says what changed since the profile was learned.
 * @returns the exit code: 0 where nothing changed, 1 where something did, 2 where it could not be asked to the end.
 */
export async function checkService(
  { path, baseUrl, ask }: { path: string; baseUrl: string; ask: (keepNames: boolean) => Promise<Learned> },
  print: (text: string) => void,
): Promise<number> {
  const before = await readProfile(path, baseUrl);
  const { profile, ended } = await ask(before.learned.names === 'kept');
  const changes = changesBetween(before, profile);
  const since = `since ${before.learned.at.slice(0, 16).replace('T', ' ')} UTC`;
  for (const change of changes) print(`${change}\n`);
  const many = changes.length === 1 ? 'One thing changed' : `${changes.length} things changed`;
  print(
    `${changes.length === 0 ? 'Nothing changed' : many} ${since}, as far as ${profile.learned.calls} calls tell.\n`,
  );
  if (ended !== undefined) print(`It ended early: ${ended}\n`);
  if (changes.length > 0) return 1;
  return ended === undefined ? 0 : 2;
}
