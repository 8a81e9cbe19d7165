import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Tasks } from './pdf-thread.ts';

/** A PDF of a megabyte can decompress to gigabytes or contain cycles, so CPU time and memory are limited. */
const MAX_CPU_MS = 3_000;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const CHECK_INTERVAL_MS = 50;
const IDLE_TIMEOUT_MS = 10_000;

type Input<T extends keyof Tasks> = Parameters<Tasks[T]>[0];
type Output<T extends keyof Tasks> = Awaited<ReturnType<Tasks[T]>>;

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let lastTask: Promise<unknown> = Promise.resolve();

function startThread(): Worker {
  const name = `./pdf-thread${extname(import.meta.url)}`;
  // Output is discarded: reading it would keep the process alive despite unref().
  const opened = new Worker(new URL(name, import.meta.url), { execArgv: [], stdout: true, stderr: true });
  opened.unref();
  opened.once('exit', () => {
    if (thread === opened) thread = undefined;
  });
  return opened;
}

/**
 * Runs a task on an untrusted PDF in a worker thread, one at a time.
 *
 * @throws Error if the file can't be read or exceeds the limits
 */
export function runPdfTask<T extends keyof Tasks>(task: T, input: Input<T>): Promise<Output<T>> {
  const result = lastTask.then(() => run(task, input));
  lastTask = result.catch(() => null);
  return result;
}

function run<T extends keyof Tasks>(task: T, input: Input<T>): Promise<Output<T>> {
  clearTimeout(idle);
  thread ??= startThread();
  const worker = thread;
  const before = process.memoryUsage.rss();
  const getCpuMs = trackCpuTime(worker);
  return new Promise<Output<T>>((resolve, reject) => {
    const end = (complete: () => void) => {
      clearInterval(monitor);
      worker.removeAllListeners('message').removeAllListeners('error').off('exit', onExit);
      idle = setTimeout(() => {
        // Cleared first: terminating takes time, and the next task needs a new thread.
        if (thread === worker) thread = undefined;
        void worker.terminate();
      }, IDLE_TIMEOUT_MS).unref();
      complete();
    };
    const abort = (error: Error) => {
      clearInterval(monitor);
      worker.off('exit', onExit);
      if (thread === worker) thread = undefined;
      // Waits until the thread's memory is free, because the next task is measured from there.
      void worker.terminate().then(() => end(() => reject(error)));
    };
    const onExit = () => end(() => reject(new Error('The PDF worker ended unexpectedly')));
    const monitor = setInterval(() => {
      if (process.memoryUsage.rss() - before > MAX_MEMORY_BYTES || getCpuMs() > MAX_CPU_MS)
        abort(new Error('Reading this PDF exceeds the memory or CPU limit'));
    }, CHECK_INTERVAL_MS);
    worker.once('message', ({ value, error }: { value: Output<T>; error?: string }) =>
      end(() => (error === undefined ? resolve(value) : reject(new Error(error)))),
    );
    worker.once('error', abort);
    worker.once('exit', onExit);
    worker.postMessage({ task, input });
  });
}

/** Measures the thread's CPU time, not elapsed time: a busy machine may pause it for minutes. */
function trackCpuTime(worker: Worker): () => number {
  let [before, now] = [0, 0];
  const readCpuUsage = (onUsage: (micros: number) => void) =>
    worker.cpuUsage().then(
      ({ user, system }) => onUsage(user + system),
      // The thread has ended; its exit event rejects the task.
      () => undefined,
    );
  void readCpuUsage((micros) => {
    [before, now] = [micros, micros];
  });
  return () => {
    void readCpuUsage((micros) => {
      now = micros;
    });
    return (now - before) / 1000;
  };
}
