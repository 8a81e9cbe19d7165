export const RELEASE_LEVELS = ['patch', 'minor', 'major'] as const;
export type ReleaseLevel = (typeof RELEASE_LEVELS)[number];

/** Returns the next version. @throws Error if the current one is not MAJOR.MINOR.PATCH */
export function nextVersion(version: string, level: ReleaseLevel): string {
  const [, major, minor, patch] = version.match(/^(\d+)\.(\d+)\.(\d+)$/) ?? [];
  if (major === undefined) throw new Error(`${version} is not a version of the form 1.2.3`);
  if (level === 'major') return `${Number(major) + 1}.0.0`;
  if (level === 'minor') return `${major}.${Number(minor) + 1}.0`;
  return `${major}.${minor}.${Number(patch) + 1}`;
}
