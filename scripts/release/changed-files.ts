import { readFileSync } from 'node:fs';
import { applyEdits, modify } from 'jsonc-parser';

type Path = (string | number)[];

/** Where the version stands by hand. All other manifests are made from the first of these. */
const VERSION_PATHS: Readonly<Record<string, readonly Path[]>> = {
  'package.json': [['version']],
  // The Zapier app's version is this manifest's.
  'zapier/package.json': [['version']],
  'package-lock.json': [['version'], ['packages', '', 'version'], ['packages', 'zapier', 'version']],
};

/** Each file that a release changes, with its text then. @throws Error where one does not say what it should. */
export function createReleaseFiles({
  from,
  to,
  day,
}: {
  from: string;
  to: string;
  day: string;
}): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [path, paths] of Object.entries(VERSION_PATHS)) {
    let text = readFileSync(path, 'utf8');
    for (const jsonPath of paths) {
      const found = jsonPath.reduce<unknown>(
        (value, step) => (value as Record<string | number, unknown>)?.[step],
        JSON.parse(text),
      );
      if (found !== from)
        throw new Error(
          `${path} says ${String(found)} at ${jsonPath.join('.')}, and package.json ${from}: make them one first`,
        );
      // No formatting asked for: nothing else of the file moves.
      text = applyEdits(text, modify(text, jsonPath, to, {}));
    }
    files.set(path, text);
  }
  return files.set('CHANGELOG.md', releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), { to, day }));
}

/** The changelog with its "Unreleased" part under the version and the day. @throws Error where nothing stands in it. */
export function releaseChangelog(changelog: string, { to, day }: { to: string; day: string }): string {
  const heading = '## Unreleased\n';
  const start = changelog.indexOf(heading);
  if (start < 0) throw new Error('CHANGELOG.md has no part "## Unreleased"');
  const remainder = changelog.slice(start + heading.length);
  const end = remainder.search(/^## /m);
  const changes = (end < 0 ? remainder : remainder.slice(0, end)).trim();
  if (!/^- /m.test(changes))
    throw new Error('CHANGELOG.md says nothing under "## Unreleased": a release says what changed');
  const olderReleases = end < 0 ? '' : `\n\n${remainder.slice(end)}`;
  return `${changelog.slice(0, start)}${heading}\n## ${to} — ${day}\n\n${changes}${olderReleases.trimEnd()}\n`;
}
