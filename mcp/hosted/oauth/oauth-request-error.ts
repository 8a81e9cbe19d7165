/** Seconds after which a 503 may be retried: failed look-ups of apps are cached as long. */
export const RETRY_AFTER_S = 30;

/** OAuth error response (RFC 6749 §5.2 and related). Its message is for developers of the host. */
export class OAuthRequestError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }

  toResponse(): Response {
    const { code, message, status } = this;
    const retryHeaders = status === 503 ? { 'retry-after': String(RETRY_AFTER_S) } : {};
    const headers = { 'cache-control': 'no-store', ...retryHeaders };
    return Response.json({ error: code, error_description: message }, { status, headers });
  }
}
