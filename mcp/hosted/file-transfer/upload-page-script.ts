/** Uploads the file of the page's form with a progress bar, then reloads the page for the outcome. */
export const UPLOAD_PAGE_SCRIPT = `
(() => {
  const form = document.getElementById('upload');
  const status = document.getElementById('status');
  const bar = form.querySelector('progress');
  const button = form.querySelector('button');
  const drop = form.querySelector('.drop');
  const input = form.elements.file;
  const size = (bytes) => (bytes < 1e6 ? Math.ceil(bytes / 1e3) + ' kB' : (bytes / 1e6).toFixed(1) + ' MB');
  const chosen = () => {
    const [file] = input.files;
    status.textContent = file ? file.name + ', ' + size(file.size) : '';
  };
  input.addEventListener('change', chosen);
  for (const type of ['dragenter', 'dragover'])
    document.addEventListener(type, (event) => { event.preventDefault(); drop.classList.add('over'); });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) drop.classList.remove('over'); });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    if (event.dataTransfer.files.length !== 1 || button.ariaDisabled === 'true') return;
    input.files = event.dataTransfer.files;
    chosen();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    const [file] = input.files;
    button.ariaDisabled = 'true';
    bar.hidden = false;
    const request = new XMLHttpRequest();
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      bar.value = loaded / total;
      status.textContent = size(loaded) + ' of ' + size(total) + (loaded === total ? '. Waiting for Docshare…' : '');
    });
    const showProblem = (problem, next = 'Choose Upload to try again.') => {
      button.ariaDisabled = 'false';
      bar.hidden = true;
      status.textContent = problem + ' ' + next;
    };
    // The reloaded page says why the server refused the file, if it can be reached.
    const reload = async () => {
      const { status: code } = await fetch(location.pathname, { method: 'HEAD' });
      if (code >= 500) showProblem('The server is temporarily unavailable.');
      else setTimeout(() => location.reload(), request.status ? 0 : 1500);
    };
    request.addEventListener('loadend', () => {
      const answer = request.responseText;
      if (answer.includes('"busy"')) showProblem('Too many uploads in progress.');
      // The reloaded page would show the outcome of the other file as that of this one.
      else if (answer.includes('"already_used"'))
        showProblem(
          'This link takes one file, and it has one or is receiving one. This upload saved nothing.',
          'For another file, ask the assistant for a new link.',
        );
      else reload().catch(() => showProblem('Connection lost.'));
    });
    request.open('PUT', location.pathname + '?name=' + encodeURIComponent(file.name));
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    request.send(file);
  });
})();
`;
