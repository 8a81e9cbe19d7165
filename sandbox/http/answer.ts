import type { Readable } from 'node:stream';

/** A finished answer, before it goes out: faults can still change it. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | Readable | null;
}

export function jsonAnswer(input: {
  status: number;
  value: unknown;
  contentType?: string;
  headers?: Record<string, string>;
}): Answer {
  return {
    status: input.status,
    headers: { 'content-type': input.contentType ?? 'application/json', ...input.headers },
    body: JSON.stringify(input.value),
  };
}
