/** For `npm run coverage` only: counts the lines of processes that a test starts with its own environment. */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const folder = process.env['NODE_V8_COVERAGE'];
const { spawn, execFile } = childProcess;
type Options = { env?: NodeJS.ProcessEnv } | undefined;

function covered(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => {
    const { env } = (isOptions(arg) ? arg : {}) as NonNullable<Options>;
    return env ? { ...(arg as object), env: { ...env, NODE_V8_COVERAGE: folder } } : arg;
  });
}

const isOptions = (arg: unknown): arg is object => typeof arg === 'object' && arg !== null && !Array.isArray(arg);

if (folder !== undefined && !('isCovering' in spawn)) {
  const through = <Call extends (...args: never[]) => unknown>(call: Call) =>
    Object.assign((...args: unknown[]) => call(...(covered(args) as never[])), { isCovering: true });
  Object.assign(childProcess, {
    spawn: through(spawn as never),
    execFile: Object.assign(through(execFile as never), promisified(execFile)),
  });
  syncBuiltinESMExports();
}

/** `promisify` finds the custom form of `execFile` under a symbol. */
function promisified(call: object): object {
  const custom = Symbol.for('nodejs.util.promisify.custom');
  const own = (call as Record<symbol, (...args: unknown[]) => unknown>)[custom];
  return own ? { [custom]: (...args: unknown[]) => own(...covered(args)) } : {};
}
