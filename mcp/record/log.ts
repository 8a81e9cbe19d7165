import { REDACTED, redact } from '../../src/answer/redact.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Fields = Readonly<Record<string, unknown>>;

/** Structured lines on stderr, from `error` (this server failed) to `debug` (every call). */
export type Log = Readonly<Record<Exclude<LogLevel, 'silent'>, (event: string, fields?: Fields) => void>>;

const TEXT_LIMIT = 300;

/** A log that writes `level` and what is graver. Texts are redacted and clipped; `secrets` never stand in a line. */
export function createLog(options: {
  level: LogLevel;
  secrets?: readonly string[];
  /** What stands in every line. */
  always?: Fields;
  write?: (line: string) => void;
}): Log {
  const { level, secrets = [], always = {} } = options;
  const { write, writeSoon } = options.write
    ? { write: options.write, writeSoon: options.write }
    : createLines();
  const at =
    (own: LogLevel) =>
    (event: string, fields: Fields = {}) => {
      if (LOG_LEVELS.indexOf(own) > LOG_LEVELS.indexOf(level)) return;
      const clean = Object.entries(fields).map(([name, value]) => [name, cleanValue(name, value, secrets)]);
      const line = {
        time: new Date().toISOString(),
        level: own,
        event,
        ...always,
        ...Object.fromEntries(clean),
      };
      const tell = own === 'error' || own === 'warn' ? write : writeSoon;
      tell(`${JSON.stringify(line)}\n`);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

const FLUSH_DELAY_MS = 20;

/**
 * Lines on stderr. A write there waits for the reader's pipe, and a busy server has a line for each call: what is no
 * trouble is written some lines at a time, at the latest when the process ends.
 */
function createLines(): Record<'write' | 'writeSoon', (line: string) => void> {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = '';
    if (lines !== '') process.stderr.write(lines);
  };
  process.once('exit', flush);
  return {
    write(line) {
      waiting += line;
      flush();
    },
    writeSoon(line) {
      waiting += line;
      timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
    },
  };
}

function cleanValue(name: string, value: unknown, secrets: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  // Redacted before it is cut: half a secret would no longer be found.
  return /key|token|secret|password/i.test(name) ? REDACTED : redact(value, secrets).slice(0, TEXT_LIMIT);
}

/** The line by which a start is known: on stderr at every level. */
export function writeReady(fields: Fields): void {
  process.stderr.write(`${JSON.stringify({ event: 'ready', ...fields })}\n`);
}
