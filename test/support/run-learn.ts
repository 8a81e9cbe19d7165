import { runLearn } from '../../learn/cli/run-learn.ts';

/** Runs `docshare learn` in this process. Returns its exit code and its whole output. */
export async function runLearnCommand(
  args: readonly string[],
  { env }: { readonly env: NodeJS.ProcessEnv },
): Promise<{ code: number; printed: string }> {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  return { code: await runLearn(args, { env, print, printStatus: print }), printed };
}

/** Returns the environment of a run against this service. */
export const learnEnvironment = (baseUrl: string, apiKey: string) => ({
  DOCSHARE_API_KEY: apiKey,
  DOCSHARE_BASE_URL: baseUrl,
});
