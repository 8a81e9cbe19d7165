/**
 * Runs in the browser, on every page of recipients: a form is sent once, and only while the service answers, so
 * that nothing typed is lost. Times are shown in the reader's time zone. Sent as source, so it must not reference
 * anything outside itself.
 */
export function runForms(): void {
  const setSending = (form: HTMLFormElement, isSending: boolean) => {
    form.toggleAttribute('data-sending', isSending);
    for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', String(isSending));
  };

  function showStatus(form: HTMLFormElement, text: string): void {
    const status = form.querySelector('[role=status]') ?? document.createElement('p');
    status.setAttribute('role', 'status');
    form.append(status);
    status.textContent = text;
  }

  async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    setSending(form, true);
    showStatus(form, 'Sending…');
    const response = await fetch(location.href, { method: 'HEAD' }).catch(() => null);
    if (!response || response.status >= 500) {
      setSending(form, false);
      return showStatus(form, 'Connection lost. Nothing was sent. Try again.');
    }
    const { name = '', value = '' } = submitter instanceof HTMLButtonElement ? submitter : {};
    if (name) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    form.submit();
  }

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== 'post') return;
    event.preventDefault();
    if (!form.hasAttribute('data-sending')) void send(form, event.submitter);
  });
  window.addEventListener('pageshow', () => {
    for (const form of document.forms) setSending(form, false);
  });
  for (const time of document.querySelectorAll<HTMLTimeElement>('time'))
    time.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
