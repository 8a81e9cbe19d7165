import type { JsonObject } from '../../src/records/fields.ts';
import type { Approval } from './approval.ts';
import type { ProgressReporter } from './progress-reporter.ts';

/** Transfers files between users and a hosted server, which share no disk. */
export interface FileTransfer {
  /**
   * Opens an upload, or returns the status of the one with `uploadTicket`.
   * @throws ToolError for an unknown `uploadTicket`, or if too many uploads are open.
   */
  upload(
    uploadRequest: UploadRequest,
    options: { signal: AbortSignal | undefined; progress: ProgressReporter },
  ): Promise<UploadStatus>;
  /** Takes a slot to fetch a URL and returns a function that frees it; undefined if there is none left. */
  startFetch(): (() => void) | undefined;
  /** Creates a one-time URL of this server that streams an agreement's file. */
  download(agreement: { id: string; name: string }): Promise<{ url: string; secondsLeft: number }>;
}

export interface UploadRequest {
  /** Ticket of an earlier request. */
  readonly uploadTicket?: string | undefined;
  readonly name?: string | undefined;
  /** Document to add a new version to. */
  readonly documentId?: string | undefined;
  readonly sizeBytes?: number | undefined;
  readonly approvedBy?: Approval | undefined;
  /** Reads the state of that document that the user approved. */
  readonly describe?: () => Promise<Replacement | undefined>;
}

/** State of the document that a new version replaces. */
export interface Replacement {
  /** Names the document, and who sees it. */
  readonly text: string;
  /** Hash of its name and the places that show it, as far as read: a new version is not saved if they differ by then. */
  readonly places: string;
}

export type UploadStatus =
  /** No file yet, or the last attempt failed (`failure`) and can be repeated. */
  | {
      readonly kind: 'waiting';
      readonly id: string;
      readonly url: string;
      readonly secondsLeft: number;
      readonly limitBytes: number;
      readonly failure: JsonObject | undefined;
    }
  | { readonly kind: 'running'; readonly id: string; readonly sentBytes: number; readonly totalBytes: number }
  | { readonly kind: 'done'; readonly id: string; readonly result: JsonObject }
  /** It is unknown whether the document was created. */
  | { readonly kind: 'unknown'; readonly id: string; readonly message: string };
