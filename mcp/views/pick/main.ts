/** The view of `find`, `list_documents` and `list_contacts`: search, and hand the pick to the assistant. */
import type { JsonObject } from '../../../src/answer/fields.ts';
import { html } from '../kit/element.ts';
import { type Scene, start } from '../kit/view.ts';
import { plainText } from '../kit/wording.ts';
import { type Choice, parseChoices, sought } from './choices.ts';

const ROWS = 30;

start('pick', (answer: JsonObject, scene: Scene) => {
  const choices = parseChoices(answer);
  const list = html('ul', { class: 'plain picks' });
  const said = html('p', { class: 'small', role: 'status' });
  const search = html('input', {
    type: 'search',
    'aria-label': 'Search in this list',
    placeholder: 'Search in this list',
    autocomplete: 'off',
    input: () => {
      shown = ROWS;
      draw();
    },
  });
  let shown = ROWS;
  let picked: string | undefined;

  const pick = async (choice: Choice) => {
    picked = choice.id;
    draw();
    said.textContent = await handOn(choice, scene);
  };
  const draw = () => {
    const found = sought(choices, search.value);
    list.replaceChildren(...found.slice(0, shown).map((choice) => row(choice, { scene, picked, pick })));
    if (found.length > shown)
      list.append(
        html(
          'li',
          {},
          html(
            'button',
            { type: 'button', click: more },
            `More (${scene.wording.count(found.length - shown)})`,
          ),
        ),
      );
    if (found.length === 0)
      list.append(
        html(
          'li',
          { class: 'soft empty' },
          choices.length === 0 ? 'Nothing was found.' : 'Nothing here has these words.',
        ),
      );
  };
  const more = () => {
    const at = shown;
    shown += ROWS;
    draw();
    list.querySelectorAll<HTMLElement>('button.pick')[at]?.focus();
  };
  draw();
  const hasMore =
    answer['next_cursor'] !== undefined || answer['left'] !== undefined || answer['next'] !== undefined;
  return html(
    'div',
    {},
    html('h1', {}, 'Pick one'),
    choices.length > 5 && search,
    said,
    list,
    hasMore &&
      html(
        'p',
        { class: 'small soft' },
        'There are more than these: ask the assistant to go on, or to look for a name.',
      ),
  );
});

interface Picking {
  readonly scene: Scene;
  readonly picked: string | undefined;
  pick(choice: Choice): Promise<void>;
}

function row(choice: Choice, { scene, picked, pick }: Picking): Node {
  const isPicked = choice.id === picked;
  const created = scene.wording.moment(choice.created);
  return html(
    'li',
    {},
    html(
      'button',
      { type: 'button', class: 'pick', 'aria-pressed': String(isPicked), click: () => void pick(choice) },
      html('span', { class: 'name' }, plainText(choice.name)),
      html(
        'span',
        { class: 'small soft' },
        plainText([choice.about, created].filter((part) => part).join(' · ')),
      ),
    ),
  );
}

/** Gives the pick to the model as id and name; the name is a stranger's text, and stands quoted. */
async function handOn({ id, name, kind }: Choice, { host }: Scene): Promise<string> {
  const what = kind === '' ? 'object' : kind;
  const text = `The person picked the ${what} ${JSON.stringify(plainText(name))} with the id ${JSON.stringify(id)}.`;
  try {
    if (host.tellModel)
      await host.tellModel(text, { picked: { id, name: plainText(name), ...(kind ? { kind } : {}) } });
    else if (host.say)
      await host.say(`I pick the ${what} ${JSON.stringify(plainText(name))} (id ${JSON.stringify(id)}).`);
    else return `This host passes nothing on: tell the assistant the id ${id}.`;
    return 'The assistant knows your pick. Go on in the chat.';
  } catch {
    return `The host did not pass it on: tell the assistant the id ${id}.`;
  }
}
