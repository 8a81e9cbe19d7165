/** The view of every act that asks first: what will happen, in large plain words, and the person's own buttons. */
import { isObject, type JsonObject } from '../../../src/answer/fields.ts';
import { ASKED_KEY, DECIDE_TOOL } from '../../contract/asked.ts';
import { html } from '../kit/element.ts';
import { type Scene, start } from '../kit/view.ts';
import { plainText } from '../kit/wording.ts';

/** Hosts may hand on an answer again: what was decided on is not asked anew. */
const cards = new Map<unknown, Node>();

start('confirm', (answer: JsonObject, scene: Scene) => {
  const asked = scene.meta[ASKED_KEY];
  if (answer['done'] !== false) return outcome(answer);
  if (!isObject(asked)) return told(answer);
  const shown = cards.get(asked['token']) ?? card(answer, { ...scene, asked });
  cards.set(asked['token'], shown);
  return shown;
});

function card(answer: JsonObject, { asked, host }: Scene & { asked: JsonObject }): Node {
  const said = html('p', { role: 'status' });
  const buttons = html('div', { class: 'row answers' });
  const [will = '', ...details] = String(answer['preview'] ?? '').split('\n\n');

  const decide = async (go: boolean) => {
    for (const button of buttons.querySelectorAll('button')) button.disabled = true;
    said.textContent = go ? 'On its way…' : 'Telling the assistant…';
    try {
      if (!host.callTool) throw new Error('no tools');
      const result = await host.callTool(DECIDE_TOOL, { ...asked, go });
      const data = isObject(result.structuredContent) ? result.structuredContent : {};
      const isDone = go && result.isError !== true && data['done'] !== false;
      buttons.remove();
      said.replaceChildren(
        isDone
          ? outcome(data)
          : go
            ? failed(result.content?.[0]?.text, data)
            : 'Nothing was done. The assistant may not try it again for ten minutes.',
      );
      const news = isDone
        ? 'The person pressed "Do it", and it was done.'
        : go
          ? 'The person pressed "Do it", but it was not done, or not surely.'
          : 'The person pressed "Don’t": nothing was done, and it stays a no.';
      await host
        .tellModel?.(news, { decided: go, ...(isDone ? { answer: data } : {}) })
        .catch(() => undefined);
    } catch {
      for (const button of buttons.querySelectorAll('button')) button.disabled = false;
      said.textContent = 'The host did not pass your answer on. Try again, or say it in the chat.';
    }
  };
  buttons.append(
    html('button', { type: 'button', class: 'main', click: () => void decide(true) }, 'Do it'),
    html('button', { type: 'button', click: () => void decide(false) }, 'Don’t'),
  );
  return html(
    'section',
    { class: 'ask' },
    html('h1', {}, 'Shall this be done?'),
    html('p', { class: 'will' }, will),
    ...details.map((part) =>
      html('pre', { tabindex: 0, role: 'region', 'aria-label': 'What is sent' }, part),
    ),
    isObject(answer['about']) && about(answer['about']),
    buttons,
    said,
  );
}

function about(item: JsonObject): Node {
  const rows = Object.entries(item).flatMap(([name, value]) =>
    value === null || value === undefined
      ? []
      : [
          html(
            'tr',
            {},
            html('th', { scope: 'row' }, plainText(name)),
            html('td', {}, plainText(typeof value === 'string' ? value : JSON.stringify(value))),
          ),
        ],
  );
  return html(
    'details',
    {},
    html('summary', {}, 'What it is about, as the service describes it'),
    html('table', {}, html('tbody', {}, ...rows)),
  );
}

/** An answer that asks nothing more: a no that stands, or somebody asked elsewhere. */
function told(answer: JsonObject): Node {
  const isNo = answer['declined'] === true;
  return html(
    'p',
    { class: 'soft' },
    isNo ? 'This was refused, and nothing was done.' : 'Nothing was done. The chat says how to go on.',
  );
}

function outcome(answer: JsonObject): Node {
  const name = answer['name'] ?? answer['id'];
  const status = answer['status'];
  const facts = [name, status].filter((part) => typeof part === 'string' || typeof part === 'number');
  return html(
    'span',
    { class: 'done' },
    ['Done', ...facts.map((part) => plainText(String(part)))].join(' · '),
  );
}

function failed(text: string | undefined, data: JsonObject): Node {
  let message = data['next'];
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    if (isObject(parsed) && isObject(parsed['error'])) message = parsed['error']['message'];
  } catch {
    // Only our own errors carry a sentence.
  }
  return html(
    'span',
    { class: 'bad' },
    typeof message === 'string' ? plainText(message) : 'It was not done; the chat says why.',
  );
}
