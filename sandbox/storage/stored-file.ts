import type { Version } from '../state/records.ts';

/** An upload that came inside the request, already on disk. */
export interface ReceivedFile {
  readonly key: string;
  readonly fileName: string | null;
  readonly contentType: string;
  readonly size: number;
}

/** A file as the service gives it: the profile decides between an address, a redirect and the bytes. */
export interface FileView {
  readonly name: string;
  readonly version: Version;
}
