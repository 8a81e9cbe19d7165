import type { Readable } from 'node:stream';

/** A finished answer, before it goes out: faults can still change it. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | Readable | null;
  /** The text goes out without its end, as a gateway leaves it that gives up. */
  readonly cutShort?: true;
}

export function jsonReply(input: {
  status: number;
  value: unknown;
  contentType?: string;
  headers?: Record<string, string>;
}): Reply {
  return {
    status: input.status,
    headers: { 'content-type': input.contentType ?? 'application/json', ...input.headers },
    body: JSON.stringify(input.value),
  };
}
