import type { JsonObject } from '../../src/answer/fields.ts';
import type { Progress } from './progress.ts';

/** Files to and from people, where their disk is not this server's; a hosted server has it. */
export interface HandOverDoor {
  /**
   * How it stands about a file that a person or a host hands over: the address for it, how far it is, or what came of it.
   * @throws ToolError for an unknown `handOver`, or more open at once than may be.
   */
  upload(
    wanted: WantedFile,
    options: { signal: AbortSignal | undefined; progress: Progress },
  ): Promise<HandedOver>;
  /** A one-time address of this server that streams an agreement's file through. */
  download(agreement: { id: string; name: string }): Promise<{ url: string; secondsLeft: number }>;
}

export interface WantedFile {
  /** One that was begun before. */
  readonly handOver?: string | undefined;
  readonly name?: string | undefined;
  /** The document that gets a new version. */
  readonly documentId?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

export type HandedOver =
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
  | { readonly kind: 'done'; readonly id: string; readonly answer: JsonObject }
  /** Whether the document exists is not known. */
  | { readonly kind: 'unknown'; readonly id: string; readonly message: string };
