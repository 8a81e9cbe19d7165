import { Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol: whatever else writes to it (a stray print, a warning of a library) goes to stderr.
 * @returns the one stream that still leads to stdout.
 */
export function guardStdout(): Writable {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      write(chunk, (error) => done(error ?? null));
    },
  });
  stdout.on('error', (error) => output.destroy(error));
  stdout.write = process.stderr.write.bind(process.stderr);
  return output;
}
