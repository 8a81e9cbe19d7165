import { wordsOfMarkup } from '../answer/markup.ts';
import { excerpt, withoutSecrets } from '../answer/redact.ts';
import { isSessionSpent } from '../assumptions/index.ts';
import { UploadError } from '../errors.ts';
import type { UploadSession } from '../operations/documents.ts';

export interface PutFailure {
  readonly error: Error;
  /** Whether a fresh session is worth a try. */
  readonly again: boolean;
  readonly waitMs?: number | undefined;
}

/** What a storage's answer other than 2xx means, in words that say which header is missing where it names one. */
export function explainRefusal(
  answer: { status: number; text: string; retryAfterMs: number | undefined },
  session: UploadSession,
): PutFailure {
  const { status, text, retryAfterMs } = answer;
  // Short ones are parts of plain words.
  const secrets = [
    ...[session.token, session.storageKey, session.uploadUrl].filter(({ length }) => length >= 8),
    ...signaturesIn(session.uploadUrl),
  ];
  const said = excerpt(wordsOfMarkup(withoutSecrets(text, secrets)), { limit: 300, secrets });
  const words = said === '' ? '' : ` It said: "${said}"`;
  if (status !== 403) {
    const again = status >= 500 || status === 408 || status === 410 || status === 425 || status === 429;
    const error = new UploadError(`The storage refused the bytes (status ${status}).${words}`, {
      status,
      retryAfterMs,
    });
    return { error, again, waitMs: retryAfterMs };
  }
  const header = missingHeader(text, Object.keys(session.headers));
  if (header !== undefined) {
    const message = `The storage refused the bytes (status 403): the signed header ${header} is missing.${words}`;
    return { error: new UploadError(message, { status, header }), again: false };
  }
  const spent = isSessionSpent(text);
  const why = spent
    ? 'the one-time address is spent or has expired.'
    : 'a signed header is missing or was changed, or the one-time address is spent.';
  return {
    error: new UploadError(`The storage refused the bytes (status 403): ${why}${words}`, { status }),
    again: spent,
  };
}

/** Storages quote what they compare: the signature of the address, and the token that goes with it, by themselves. */
function signaturesIn(address: string): string[] {
  const { search } = new URL(address, 'https://relative.invalid');
  // A plus is itself to some, who may have been given it bare, and a blank to others.
  const values = [...new URLSearchParams(search.replaceAll('+', '%2B')).values()];
  // Shorter ones are times, names of methods and of headers.
  return values
    .filter(({ length }) => length >= 20)
    .flatMap((value) => (value.includes('+') ? [value, value.replaceAll('+', ' ')] : [value]));
}

/** A header that the storage names (in the usual XML or in words), one that was not sent before one that was. */
function missingHeader(text: string, sent: readonly string[]): string | undefined {
  const named = [
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
  const known = sent.map((name) => name.toLowerCase());
  const unsent = named.find((name) => !known.includes(name));
  const blamed = /missing|required|must (?:be|carry|have|include)|not (?:sent|present|found)/i.test(text);
  return unsent ?? (blamed ? named[0] : undefined);
}
