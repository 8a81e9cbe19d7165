/**
 * The same answer, without the SDK's word that its connection stays: that is between Node and the client, who may have
 * asked for its end. An answer that ends it says so still.
 */
export function withoutKeepAlive(response: Response): Response {
  if (response.headers.get('connection')?.toLowerCase() === 'keep-alive')
    response.headers.delete('connection');
  return response;
}
