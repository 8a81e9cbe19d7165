import type { Version } from '../state/records.ts';

/** An upload inside the request, already on disk. */
export interface ReceivedFile {
  readonly key: string;
  readonly fileName: string | null;
  readonly contentType: string;
  readonly size: number;
}

/** A file to return; the profile decides between a URL, a redirect and the bytes. */
export interface FileView {
  readonly name: string;
  readonly version: Version;
}
