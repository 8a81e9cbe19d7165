type Sqlite = typeof import('node:sqlite');

let loaded: Sqlite | undefined;

/** Node's SQLite, without the warning that Node prints where it still counts as experimental: stderr is our log. */
export function loadSqlite(): Sqlite {
  if (loaded) return loaded;
  const { emitWarning } = process;
  const quiet = (warning: string | Error, ...rest: unknown[]) => {
    if (!/^SQLite is an experimental/.test(String(warning)))
      Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = quiet as typeof process.emitWarning;
  try {
    // Without a pause between the two lines, so that no other warning can be lost.
    loaded = process.getBuiltinModule('node:sqlite');
    return loaded;
  } finally {
    process.emitWarning = emitWarning;
  }
}
