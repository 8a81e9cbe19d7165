import { readFileSync } from 'node:fs';
import { applyEdits, modify } from 'jsonc-parser';

type Path = (string | number)[];

/** Places of the version in hand-written files. All other manifests are generated from the first. */
const VERSION_PATHS: Readonly<Record<string, readonly Path[]>> = {
  'package.json': [['version']],
  // Also the version of the Zapier app.
  'zapier/package.json': [['version']],
  'package-lock.json': [['version'], ['packages', '', 'version'], ['packages', 'zapier', 'version']],
};

/** Returns the new text of each file that a release changes. @throws Error if a file has an unexpected version. */
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
          `${path} has version ${String(found)} at ${jsonPath.join('.')}, but package.json has ${from}. Make them equal first.`,
        );
      // No formatting options, so the rest of the file stays unchanged.
      text = applyEdits(text, modify(text, jsonPath, to, {}));
    }
    files.set(path, text);
  }
  return files.set('CHANGELOG.md', releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), { to, day }));
}

/**
 * Returns the changelog with its heading `## Unreleased` or `## X.Y.Z - Unreleased` replaced by version and date.
 * @throws Error if the section is missing, empty or announces another version.
 */
export function releaseChangelog(changelog: string, { to, day }: { to: string; day: string }): string {
  const heading = changelog.match(/^## (?:(\d+\.\d+\.\d+) - )?Unreleased$/m);
  if (heading === null) throw new Error('CHANGELOG.md has no section "## Unreleased"');
  const [line, announced] = heading;
  if (announced !== undefined && announced !== to)
    throw new Error(
      `CHANGELOG.md announces ${announced}, but this release is ${to}. Choose another of patch, minor and major, or correct the heading.`,
    );
  const before = changelog.slice(0, heading.index);
  const after = changelog.slice(before.length + line.length);
  const [changes = ''] = after.split(/^## /m);
  if (!/^- /m.test(changes)) throw new Error(`CHANGELOG.md lists nothing under "${line}". Add at least one change.`);
  return `${before}## ${to} - ${day}${after}`;
}
