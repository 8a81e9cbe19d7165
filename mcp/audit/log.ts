import { REDACTED, redact } from '../../src/redact/redact.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type ServerLogLevel = (typeof LOG_LEVELS)[number];

type Fields = Readonly<Record<string, unknown>>;

/** Structured log on stderr, from `error` (this server failed) to `debug` (every call). */
export type Log = Readonly<Record<Exclude<ServerLogLevel, 'silent'>, (event: string, fields?: Fields) => void>>;

const MAX_TEXT_LENGTH = 300;

/** Creates a log that writes `level` and above. Strings are redacted and clipped; `secrets` never appear. */
export function createLog(options: {
  level: ServerLogLevel;
  secrets?: readonly string[];
  /** Added to every line. */
  baseFields?: Fields;
  write?: (line: string) => void;
}): Log {
  const { level, secrets = [], baseFields = {} } = options;
  const { write, writeSoon } = options.write
    ? { write: options.write, writeSoon: options.write }
    : createStderrWriter();
  const createLevel =
    (lineLevel: ServerLogLevel) =>
    (event: string, fields: Fields = {}) => {
      if (LOG_LEVELS.indexOf(lineLevel) > LOG_LEVELS.indexOf(level)) return;
      const clean = Object.entries(fields).map(([name, value]) => [name, redactValue(name, value, secrets)]);
      const line = {
        time: new Date().toISOString(),
        level: lineLevel,
        event,
        ...baseFields,
        ...Object.fromEntries(clean),
      };
      const output = lineLevel === 'error' || lineLevel === 'warn' ? write : writeSoon;
      output(`${JSON.stringify(line)}\n`);
    };
  return {
    error: createLevel('error'),
    warn: createLevel('warn'),
    info: createLevel('info'),
    debug: createLevel('debug'),
  };
}

const FLUSH_DELAY_MS = 20;

/** Writes to stderr, which blocks on the reader's pipe: `writeSoon` batches lines, flushed at the latest on exit. */
function createStderrWriter(): Record<'write' | 'writeSoon', (line: string) => void> {
  let buffer = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    process.off('exit', flush);
    const lines = buffer;
    buffer = '';
    process.stderr.write(lines);
  };
  return {
    write(line) {
      buffer += line;
      flush();
    },
    writeSoon(line) {
      buffer += line;
      if (timer) return;
      process.once('exit', flush);
      timer = setTimeout(flush, FLUSH_DELAY_MS).unref();
    },
  };
}

function redactValue(name: string, value: unknown, secrets: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  // Redacted before clipping: half a secret would not be found.
  return /key|token|secret|password/i.test(name) ? REDACTED : redact(value, secrets).slice(0, MAX_TEXT_LENGTH);
}

/** Announces that the server is ready, at every log level. */
export function logReady(fields: Fields): void {
  process.stderr.write(`${JSON.stringify({ event: 'ready', ...fields })}\n`);
}
