export interface Connection {
  /**
   * Returns the bytes of a file, or of a range of it (`end` is exclusive). Tries again until the network is back.
   *
   * @throws Error with the server's explanation if it refuses the request
   */
  fetchBytes(url: string, range?: { start: number; end: number }): Promise<Uint8Array<ArrayBuffer>>;
  /** Makes an error whose message is meant for the reader. */
  createError(message: string): Error;
  /** Returns the message for the reader, or undefined for an internal error. */
  getMessage(error: unknown): string | undefined;
}

/**
 * Runs in the browser: loads files, shows how much has arrived, and offers to try again when the connection is
 * lost. Sent as source, so it must not reference anything outside itself.
 */
export function createConnection(): Connection {
  const MIN_DELAY_MS = 500;
  const MAX_DELAY_MS = 8_000;
  const progress = { loaded: 0, total: 0 };
  const waiting = new Set<() => void>();
  let interrupted = 0;
  class ReaderError extends Error {}

  const banner = document.createElement('div');
  banner.id = 'connection';
  banner.setAttribute('role', 'status');
  document.body.append(banner);
  const retryAll = () => {
    for (const retry of [...waiting]) retry();
  };
  window.addEventListener('online', retryAll);

  function showBanner(): void {
    if (interrupted > 0 === banner.hasChildNodes()) return;
    const button = Object.assign(document.createElement('button'), { textContent: 'Try again', onclick: retryAll });
    banner.replaceChildren(...(interrupted > 0 ? ['Connection lost, retrying…', button] : []));
  }

  function showProgress(): void {
    const target = document.getElementById('opening');
    const percent = Math.min(99, Math.round((100 * progress.loaded) / progress.total));
    if (target && progress.total > 0) target.textContent = `Loading… ${percent} %`;
  }

  function waitForRetry(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const retry = () => {
        clearTimeout(timer);
        waiting.delete(retry);
        resolve();
      };
      const timer = setTimeout(retry, ms);
      waiting.add(retry);
    });
  }

  async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
    const { headers, body } = response;
    progress.total += Number(headers.get('x-decoded-length') ?? headers.get('content-length'));
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = body?.getReader();
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done || !value) break;
      chunks.push(value);
      progress.loaded += value.length;
      showProgress();
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  async function request(url: string, headers: Record<string, string>) {
    const response = await fetch(url, { headers }).catch(() => null);
    if (!response || response.status >= 500 || response.status === 429) return null;
    if (response.ok) return readBody(response).catch(() => null);
    const isText = response.headers.get('content-type')?.startsWith('text/plain');
    throw new ReaderError(isText ? await response.text() : 'This link has expired or was deleted.');
  }

  return {
    async fetchBytes(url, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end - 1}` } : {};
      let delay = MIN_DELAY_MS;
      let bytes = await request(url, headers);
      if (bytes) return bytes;
      interrupted += 1;
      try {
        for (; !bytes; delay = Math.min(2 * delay, MAX_DELAY_MS)) {
          showBanner();
          await waitForRetry(delay);
          bytes = await request(url, headers);
        }
        return bytes;
      } finally {
        interrupted -= 1;
        showBanner();
      }
    },
    createError: (message) => new ReaderError(message),
    getMessage: (error) => (error instanceof ReaderError ? error.message : undefined),
  };
}
