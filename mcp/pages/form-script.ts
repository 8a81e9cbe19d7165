/**
 * Submits forms in place: once, with a pending state, and so that a lost connection or a busy server loses nothing that was
 * typed. The answer replaces the page without an entry in the history, so "Back" never asks to send a form again.
 * A form with `data-download`, which answers with a file, is submitted by the browser if the server can be reached.
 * Without the script, the browser submits the forms itself.
 */
export const FORM_SCRIPT = `
(() => {
  for (const all of document.querySelectorAll('[data-check]')) {
    all.hidden = false;
    all.addEventListener('click', () => {
      for (const box of all.closest('fieldset').querySelectorAll('[type=checkbox]:enabled'))
        box.checked = all.dataset.check === 'all';
    });
  }
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    event.preventDefault();
    if (form.getAttribute('aria-busy') === 'true') return;
    const setBusy = (busy) => {
      form.setAttribute('aria-busy', busy);
      for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', busy);
    };
    setBusy(true);
    const status = form.querySelector('[role=status]') || form.appendChild(document.createElement('p'));
    status.setAttribute('role', 'status');
    status.textContent = 'Please wait…';
    try {
      const isDownload = form.hasAttribute('data-download');
      const body = isDownload ? undefined : new URLSearchParams(new FormData(form, event.submitter));
      const method = isDownload ? 'HEAD' : 'POST';
      const answer = await fetch(form.action, { method, body, signal: AbortSignal.timeout(60000) });
      const text = await answer.text();
      if (answer.status >= 500) {
        setBusy(false);
        status.textContent = 'The server is temporarily unavailable. Try again in a few seconds.';
        return;
      }
      if (isDownload) {
        status.textContent = 'The download has started.';
        form.submit();
        return;
      }
      document.open();
      document.write(text);
      document.close();
      // Screen readers announce a loaded page, but not a replaced one.
      const start = document.querySelector('[aria-invalid]') || document.querySelector('h1');
      if (start?.localName === 'h1') start.tabIndex = -1;
      start?.focus();
    } catch {
      setBusy(false);
      status.textContent = 'Connection lost. Try again.';
    }
  });
})();
`;
