import { runLearn } from '../../learn/cli/run-learn.ts';

/** Runs `docshare learn` in this process. Returns its exit code and its whole output. */
export async function runLearnCommand(
  args: readonly string[],
  { env, onStatus }: { readonly env: NodeJS.ProcessEnv; readonly onStatus?: () => void },
): Promise<{ code: number; printed: string }> {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const printStatus = (text: string) => {
    print(text);
    onStatus?.();
  };
  return { code: await runLearn(args, { env, print, printStatus }), printed };
}

/** Returns the environment of a run against this service. */
export const learnEnvironment = (baseUrl: string, apiKey: string) => ({
  DOCSHARE_API_KEY: apiKey,
  DOCSHARE_BASE_URL: baseUrl,
});
