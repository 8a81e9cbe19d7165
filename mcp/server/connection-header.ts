/** Removes the SDK's `connection: keep-alive`: Node decides, because the client may have asked to close. */
export function withoutKeepAlive(response: Response): Response {
  if (response.headers.get('connection')?.toLowerCase() === 'keep-alive') response.headers.delete('connection');
  return response;
}
