import type { EventEmitter } from 'node:events';

/** Collects the output of streams; returns a function for the text until now. */
export function collectText(...streams: readonly EventEmitter[]): () => string {
  let text = '';
  for (const stream of streams)
    stream.on('data', (chunk) => {
      text += chunk;
    });
  return () => text;
}
