import { readFileSync } from 'node:fs';
import { applyEdits, modify } from 'jsonc-parser';

type Path = (string | number)[];

/** Where the version stands by hand. All other manifests are made from the first of these. */
const PLACES: Readonly<Record<string, readonly Path[]>> = {
  'package.json': [['version']],
  // The Zapier app's version is this manifest's.
  'zapier/package.json': [['version']],
  'package-lock.json': [['version'], ['packages', '', 'version'], ['packages', 'zapier', 'version']],
};

/** Each file that a release changes, with its text then. @throws Error where one does not say what it should. */
export function changedFiles({
  from,
  to,
  day,
}: {
  from: string;
  to: string;
  day: string;
}): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [path, places] of Object.entries(PLACES)) {
    let text = readFileSync(path, 'utf8');
    for (const place of places) {
      const found = place.reduce<unknown>(
        (value, step) => (value as Record<string | number, unknown>)?.[step],
        JSON.parse(text),
      );
      if (found !== from)
        throw new Error(
          `${path} says ${String(found)} at ${place.join('.')}, and package.json ${from}: make them one first`,
        );
      // No formatting asked for: nothing else of the file moves.
      text = applyEdits(text, modify(text, place, to, {}));
    }
    files.set(path, text);
  }
  return files.set('CHANGELOG.md', released(readFileSync('CHANGELOG.md', 'utf8'), { to, day }));
}

/** The changelog with its "Unreleased" part under the version and the day. @throws Error where nothing stands in it. */
export function released(changelog: string, { to, day }: { to: string; day: string }): string {
  const head = '## Unreleased\n';
  const start = changelog.indexOf(head);
  if (start < 0) throw new Error('CHANGELOG.md has no part "## Unreleased"');
  const rest = changelog.slice(start + head.length);
  const end = rest.search(/^## /m);
  const news = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (!/^- /m.test(news))
    throw new Error('CHANGELOG.md says nothing under "## Unreleased": a release says what changed');
  const older = end < 0 ? '' : `\n\n${rest.slice(end)}`;
  return `${changelog.slice(0, start)}${head}\n## ${to} — ${day}\n\n${news}${older.trimEnd()}\n`;
}
