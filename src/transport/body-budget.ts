/** Larger bodies are read only while the budget of the process has room for one of the greatest allowed size. */
export const LARGE_BODY_BYTES = 1024 * 1024;

let budgetBytes = 256 * 1024 * 1024;
let reservedBytes = 0;
const waiting: { readonly bytes: number; readonly admit: () => void }[] = [];

/** Sets how many bytes all large bodies may hold in this process; one is always read. */
export function setBodyBudget(bytes: number): void {
  budgetBytes = bytes;
  admitWaiting();
}

/**
 * Waits until the budget has room for a body of up to `bytes`. Reserving the whole size at once means that bodies
 * which are half read never wait for one another.
 * @returns a function that releases it after the caller has parsed the body.
 */
export async function reserveBody(bytes: number): Promise<() => void> {
  await new Promise<void>((admit) => {
    waiting.push({ bytes, admit });
    admitWaiting();
  });
  return () =>
    void setImmediate(() => {
      reservedBytes -= bytes;
      admitWaiting();
    });
}

function admitWaiting(): void {
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (reservedBytes > 0 && reservedBytes + next.bytes > budgetBytes) return;
    waiting.shift();
    reservedBytes += next.bytes;
    next.admit();
  }
}
