import { DocshareError } from '../../src/errors.ts';
import { sanitizeForTerminal } from '../../src/sanitize-for-terminal.ts';
import type { CommandIo } from './command-io.ts';
import { LEARN_USAGE, parseLearnOptions } from './learn-options.ts';

/** Runs `docshare learn` and returns the exit code. Each mode imports only what it needs. */
export async function runLearn(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const command = parseLearnOptions(args);
    if (command.help) {
      io.print(LEARN_USAGE);
      return 0;
    }
    if (command.openapi) {
      const { generateOpenApi } = await import('./generate-openapi.ts');
      return await generateOpenApi(command, io);
    }
    if (command.cleanupProcess) {
      const { runCleanupProcess } = await import('../write/cleanup-process.ts');
      await runCleanupProcess(process.stdin);
      return 0;
    }
    const [{ learnAndWrite }, { ensureFolder }] = await Promise.all([
      import('./learn-and-write.ts'),
      import('../write/atomic-file.ts'),
    ]);
    // Checked before the first call, so that the results can be written.
    if (!command.check) await ensureFolder(command.out);
    return await learnAndWrite(command, io);
  } catch (error) {
    if (!(error instanceof DocshareError)) throw error;
    io.printStatus(`${sanitizeForTerminal(error.message, io.env)}\n`);
    return 2;
  }
}
