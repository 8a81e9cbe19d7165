import { Writable } from 'node:stream';

/**
 * Reserves stdout for the protocol; everything else that writes to it goes to stderr.
 * @returns the only stream that still writes to stdout.
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
