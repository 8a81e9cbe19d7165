type Sqlite = typeof import('node:sqlite');

let loaded: Sqlite | undefined;

/** Loads Node's SQLite without its experimental warning, because stderr is our log. */
export function loadSqlite(): Sqlite {
  if (loaded) return loaded;
  const { emitWarning } = process;
  const quiet = (warning: string | Error, ...rest: unknown[]) => {
    if (!/^SQLite is an experimental/.test(String(warning))) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = quiet as typeof process.emitWarning;
  try {
    // Synchronous, so that no other warning can be lost.
    loaded = process.getBuiltinModule('node:sqlite');
    return loaded;
  } finally {
    process.emitWarning = emitWarning;
  }
}
