import { REQUEST_ID_HEADERS } from '../assumptions/index.ts';
import { createExcerpt } from '../redact/redact.ts';

/** A response whose body was read as text, decoded and bounded. */
export interface TextResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False if the body exceeds the maximum size or was cut off. */
  readonly complete: boolean;
  /** Why it is not complete, such as `was cut off`. */
  readonly truncationReason?: string;
  /** True if it exceeds the maximum size. */
  readonly isTooLarge?: boolean;
  /** System code of a local cause. */
  readonly code?: string;
}

/** Returns the service's ID of the request, if a header has one. */
export function getRequestId(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string | undefined {
  const id = REQUEST_ID_HEADERS.map((name) => headers[name]).find((value) => value);
  return id === undefined ? undefined : createExcerpt(id, { limit: 100, secrets });
}
