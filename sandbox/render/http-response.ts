import type { Readable } from 'node:stream';

/** A response before it is sent; faults can still change it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | Readable | null;
  /** Sends the text without its end, like a gateway that gives up. */
  readonly isTruncated?: true;
}

export function createJsonResponse(input: {
  status: number;
  value: unknown;
  contentType?: string | undefined;
  headers?: Record<string, string>;
}): HttpResponse {
  return {
    status: input.status,
    headers: { 'content-type': input.contentType ?? 'application/json', ...input.headers },
    body: JSON.stringify(input.value),
  };
}
