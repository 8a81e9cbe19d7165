import type { JsonObject } from '../../src/records/fields.ts';
import type { ProgressReporter } from './progress-reporter.ts';

/** Files to and from people, where their disk is not this server's; a hosted server has it. */
export interface FileTransfer {
  /**
   * How it stands about a file that a person or a host hands over: the address for it, how far it is, or what came of it.
   * @throws ToolError for an unknown `uploadTicket`, or more open at once than may be.
   */
  upload(
    uploadRequest: UploadRequest,
    options: { signal: AbortSignal | undefined; progress: ProgressReporter },
  ): Promise<UploadStatus>;
  /** A one-time address of this server that streams an agreement's file through. */
  download(agreement: { id: string; name: string }): Promise<{ url: string; secondsLeft: number }>;
}

export interface UploadRequest {
  /** One that was begun before. */
  readonly uploadTicket?: string | undefined;
  readonly name?: string | undefined;
  /** The document that gets a new version. */
  readonly documentId?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

export type UploadStatus =
  /** Nobody has given the file yet, or what came was refused (`failure`) and may come again. */
  | {
      readonly kind: 'waiting';
      readonly id: string;
      readonly url: string;
      readonly secondsLeft: number;
      readonly limitBytes: number;
      readonly failure: JsonObject | undefined;
    }
  | { readonly kind: 'running'; readonly id: string; readonly sentBytes: number; readonly totalBytes: number }
  /** As an upload answers. */
  | { readonly kind: 'done'; readonly id: string; readonly result: JsonObject }
  /** Whether the document exists is not known. */
  | { readonly kind: 'unknown'; readonly id: string; readonly message: string };
