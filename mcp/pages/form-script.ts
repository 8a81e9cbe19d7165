/**
 * Submits forms in place: once, with a pending state, and so that a lost connection loses nothing that was typed.
 * The answer replaces the page without an entry in the history, so "Back" never asks to send a form again.
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
    form.setAttribute('aria-busy', 'true');
    const status = form.querySelector('[role=status]') || form.appendChild(document.createElement('p'));
    status.setAttribute('role', 'status');
    status.textContent = 'Please wait…';
    try {
      const body = new URLSearchParams(new FormData(form, event.submitter));
      const answer = await fetch(form.action, { method: 'POST', body });
      const text = await answer.text();
      document.open();
      document.write(text);
      document.close();
    } catch {
      form.setAttribute('aria-busy', 'false');
      status.textContent = 'Connection lost. Nothing was sent. Try again.';
    }
  });
})();
`;
