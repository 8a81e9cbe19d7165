import { htmlToText } from '../api-errors/html-text.ts';
import { isUploadUrlExpired } from '../assumptions/index.ts';
import { UploadError } from '../errors.ts';
import type { DocumentUpload } from '../operations/objects.ts';
import { createExcerpt, redactSecrets } from '../redact/redact.ts';
import { isRetryableStatus } from '../retry/retry.ts';

/** Explains a storage's response other than 2xx, with the missing header if it names one. Retryable if a new session is worth a try. */
export function explainStorageRejection(
  rejection: { status: number; text: string; retryAfterMs: number | undefined },
  session: DocumentUpload,
) {
  const { status, text, retryAfterMs } = rejection;
  // Short values are common words.
  const secrets = [
    ...[session.token, session.storageKey, session.uploadUrl].filter(({ length }) => length >= 8),
    ...findUrlSecrets(session.uploadUrl),
  ];
  const quotedText = createExcerpt(htmlToText(redactSecrets(text, secrets)), { limit: 300, secrets });
  const quotedSentence = quotedText === '' ? '' : ` The storage said: "${quotedText}"`;
  if (status !== 403) {
    const error = new UploadError(`The storage rejected the upload (status ${status}).${quotedSentence}`, {
      status,
      retryAfterMs,
    });
    // 410 means that the one-time URL is gone: a new one may work.
    return { error, retryable: status === 410 || isRetryableStatus(status, true), waitMs: retryAfterMs };
  }
  const header = findMissingHeader(text, Object.keys(session.headers));
  if (header !== undefined) {
    const message = `The storage rejected the upload (status 403): the signed header ${header} is missing.${quotedSentence}`;
    return { error: new UploadError(message, { status, header }), retryable: false };
  }
  const isExpired = isUploadUrlExpired(text);
  const reason = isExpired
    ? 'the one-time URL was used before or has expired.'
    : 'a signed header is missing or was changed, or the one-time URL was used before.';
  const message = `The storage rejected the upload (status 403): ${reason}${quotedSentence}`;
  return { error: new UploadError(message, { status }), retryable: isExpired };
}

/** Storages quote the URL's signature and token without the rest. */
function findUrlSecrets(url: string): string[] {
  const { search } = new URL(url, 'https://relative.invalid');
  // Some read a plus literally, others as a space.
  const values = [...new URLSearchParams(search.replaceAll('+', '%2B')).values()];
  // Shorter values are times and names of algorithms or headers.
  return values
    .filter(({ length }) => length >= 20)
    .flatMap((value) => (value.includes('+') ? [value, value.replaceAll('+', ' ')] : [value]));
}

/** Returns a header that the storage names (in XML or text); unsent headers come first. */
function findMissingHeader(text: string, sentHeaders: readonly string[]): string | undefined {
  const mentionedHeaders = [
    ...text.matchAll(
      /\b(?:x-[a-z]+(?:-[a-z0-9]+)+|content-(?:type|md5|encoding|disposition|language)|cache-control)\b/gi,
    ),
  ]
    .map(([name]) => name.toLowerCase())
    // Parameters of the URL and response headers, which an error may repeat.
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
