/**
 * The same answer, without the SDK's word that its connection stays: that is between Node and the client, who may have
 * asked for its end. An answer that ends it says so still.
 */
export function withoutKeepAlive(answer: Response): Response {
  if (answer.headers.get('connection')?.toLowerCase() === 'keep-alive') answer.headers.delete('connection');
  return answer;
}
