import type { DocumentRecord, Version } from './records.ts';

export function getLatestVersion(document: DocumentRecord): Version {
  const version = document.versions.at(-1);
  if (!version) throw new Error(`Document ${document.id} has no version`);
  return version;
}
