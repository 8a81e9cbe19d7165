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
    return Response.json(
      { error: this.code, error_description: this.message },
      { status: this.status, headers: { 'cache-control': 'no-store' } },
    );
  }
}
