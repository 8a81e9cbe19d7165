import { htmlToText } from '../api-errors/html-text.ts';
import { isSessionExpired } from '../assumptions/index.ts';
import { UploadError } from '../errors.ts';
import type { UploadSession } from '../operations/documents.ts';
import { excerpt, redactSecrets } from '../redact/redact.ts';
import { isUploadRetried } from '../retry/retry.ts';

export interface StorageFailure {
  readonly error: Error;
  /** Whether a fresh session is worth a try. */
  readonly retryable: boolean;
  readonly waitMs?: number | undefined;
}

/** What a storage's answer other than 2xx means, in words that say which header is missing where it names one. */
export function explainStorageRejection(
  rejection: { status: number; text: string; retryAfterMs: number | undefined },
  session: UploadSession,
): StorageFailure {
  const { status, text, retryAfterMs } = rejection;
  // Short ones are parts of plain words.
  const secrets = [
    ...[session.token, session.storageKey, session.uploadUrl].filter(({ length }) => length >= 8),
    ...findUrlSecrets(session.uploadUrl),
  ];
  const quotedText = excerpt(htmlToText(redactSecrets(text, secrets)), { limit: 300, secrets });
  const quotedSentence = quotedText === '' ? '' : ` It said: "${quotedText}"`;
  if (status !== 403) {
    const error = new UploadError(`The storage refused the bytes (status ${status}).${quotedSentence}`, {
      status,
      retryAfterMs,
    });
    return { error, retryable: isUploadRetried(status), waitMs: retryAfterMs };
  }
  const header = findMissingHeader(text, Object.keys(session.headers));
  if (header !== undefined) {
    const message = `The storage refused the bytes (status 403): the signed header ${header} is missing.${quotedSentence}`;
    return { error: new UploadError(message, { status, header }), retryable: false };
  }
  const isExpired = isSessionExpired(text);
  const reason = isExpired
    ? 'the one-time address is spent or has expired.'
    : 'a signed header is missing or was changed, or the one-time address is spent.';
  return {
    error: new UploadError(`The storage refused the bytes (status 403): ${reason}${quotedSentence}`, {
      status,
    }),
    retryable: isExpired,
  };
}

/** Storages quote what they compare: the signature of the address, and the token that goes with it, by themselves. */
function findUrlSecrets(url: string): string[] {
  const { search } = new URL(url, 'https://relative.invalid');
  // A plus is itself to some, who may have been given it bare, and a blank to others.
  const values = [...new URLSearchParams(search.replaceAll('+', '%2B')).values()];
  // Shorter ones are times, names of methods and of headers.
  return values
    .filter(({ length }) => length >= 20)
    .flatMap((value) => (value.includes('+') ? [value, value.replaceAll('+', ' ')] : [value]));
}

/** A header that the storage names (in the usual XML or in words), one that was not sent before one that was. */
function findMissingHeader(text: string, sentHeaders: readonly string[]): string | undefined {
  const mentionedHeaders = [
    ...text.matchAll(
      /\b(?:x-[a-z]+(?:-[a-z0-9]+)+|content-(?:type|md5|encoding|disposition|language)|cache-control)\b/gi,
    ),
  ]
    .map(([name]) => name.toLowerCase())
    // Parameters of the address itself and headers of the answer, which an error may echo.
    .filter(
      (name) =>
        !/^x-amz-(algorithm|credential|date|expires|signature|signedheaders|security-token|request-id|id-2)$/.test(
          name,
        ),
    );
  const sentNames = sentHeaders.map((name) => name.toLowerCase());
  const unsentHeader = mentionedHeaders.find((name) => !sentNames.includes(name));
  const isBlamed = /missing|required|must (?:be|carry|have|include)|not (?:sent|present|found)/i.test(text);
  return unsentHeader ?? (isBlamed ? mentionedHeaders[0] : undefined);
}
