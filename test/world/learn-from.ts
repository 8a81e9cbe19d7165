import { type Learned, type LearnOptions, learn } from '../../learn/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { withoutWaiting } from './without-socket.ts';

/** Learns from a sandbox whose clock stands still, but for more than half a second with each call. */
export function learnFrom(sandbox: Sandbox, options: LearnOptions = {}): Promise<Learned> {
  const transport = withoutWaiting(sandbox, 600);
  return learn({ apiKey: sandbox.key(), baseUrl: sandbox.url, transport, ...options });
}
