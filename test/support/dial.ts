import { connect } from 'node:net';
import { collectText } from './collect-text.ts';

/** Opens a connection for messages that `fetch` cannot send. Its errors are ignored: a test reads what it received. */
export function dial(origin: string) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined);
  return { socket, said: collectText(socket) };
}
