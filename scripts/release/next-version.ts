export const PARTS = ['patch', 'minor', 'major'] as const;
export type Part = (typeof PARTS)[number];

/** The version after this one. @throws Error for what is no plain version. */
export function nextVersion(version: string, part: Part): string {
  const [, major, minor, patch] = version.match(/^(\d+)\.(\d+)\.(\d+)$/) ?? [];
  if (major === undefined) throw new Error(`${version} is no version of the form 1.2.3`);
  if (part === 'major') return `${Number(major) + 1}.0.0`;
  if (part === 'minor') return `${major}.${Number(minor) + 1}.0`;
  return `${major}.${minor}.${Number(patch) + 1}`;
}
