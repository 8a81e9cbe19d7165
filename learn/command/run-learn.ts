import { DocshareError } from '../../src/errors.ts';
import { sanitizeForTerminal } from '../../src/for-terminal.ts';
import type { Doors } from './doors.ts';
import { LEARN_USAGE, parseLearn } from './options.ts';

/** `docshare learn`: gives the exit code. Each way of it loads what it needs: a janitor needs nothing of the learner. */
export async function runLearn(args: readonly string[], doors: Doors): Promise<number> {
  try {
    const command = parseLearn(args);
    if (command.help) {
      doors.print(LEARN_USAGE);
      return 0;
    }
    if (command.openapi) {
      const { makeOpenApi } = await import('./make-openapi.ts');
      return await makeOpenApi(command, doors);
    }
    if (command.janitor) {
      const { beJanitor } = await import('../write/janitor.ts');
      await beJanitor(process.stdin);
      return 0;
    }
    const [{ learnAndWrite }, { asOnlyOne }, { openFolder }] = await Promise.all([
      import('./learn-and-write.ts'),
      import('./one-at-work.ts'),
      import('./write-files.ts'),
    ]);
    const run = () => learnAndWrite(command, doors);
    if (command.check) return await run();
    // Before the first call: what was learned must have a place.
    await openFolder(command.out);
    return await asOnlyOne(command.out, run);
  } catch (error) {
    if (!(error instanceof DocshareError)) throw error;
    doors.tell(`${sanitizeForTerminal(error.message, doors.env)}\n`);
    return 2;
  }
}
