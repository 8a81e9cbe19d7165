/** Removes the SDK's `connection: keep-alive`: Node decides, because the client may have asked to close. */
export function removeKeepAlive(response: Response): Response {
  if (response.headers.get('connection')?.toLowerCase() === 'keep-alive') response.headers.delete('connection');
  return response;
}
