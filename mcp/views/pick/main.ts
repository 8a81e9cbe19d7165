/** The view of `find`, `list_documents` and `list_contacts`: search, and hand the pick to the assistant. */
import type { JsonObject } from '../../../src/records/fields.ts';
import { html } from '../kit/element.ts';
import { toPlainLine } from '../kit/formatter.ts';
import { startView, type ViewContext } from '../kit/start-view.ts';
import { type Choice, filterChoices, parseChoices } from './choices.ts';

const ROWS_PER_STEP = 30;

startView('pick', (toolResult: JsonObject, viewContext: ViewContext) => {
  const choices = parseChoices(toolResult);
  const list = html('ul', { class: 'plain picks' });
  const statusLine = html('p', { class: 'small', role: 'status' });
  const search = html('input', {
    type: 'search',
    'aria-label': 'Search in this list',
    placeholder: 'Search in this list',
    autocomplete: 'off',
    input: () => {
      shownCount = ROWS_PER_STEP;
      render();
    },
  });
  let shownCount = ROWS_PER_STEP;
  let picked: string | undefined;

  const pick = async (choice: Choice) => {
    picked = choice.id;
    render();
    statusLine.textContent = await sendPick(choice, viewContext);
  };
  const render = () => {
    const matches = filterChoices(choices, search.value);
    list.replaceChildren(
      ...matches.slice(0, shownCount).map((choice) => renderRow(choice, { viewContext, picked, pick })),
    );
    if (matches.length > shownCount)
      list.append(
        html(
          'li',
          {},
          html(
            'button',
            { type: 'button', click: showMore },
            `More (${viewContext.formatter.count(matches.length - shownCount)})`,
          ),
        ),
      );
    if (matches.length === 0)
      list.append(
        html(
          'li',
          { class: 'soft empty' },
          choices.length === 0 ? 'Nothing was found.' : 'Nothing here has these words.',
        ),
      );
  };
  const showMore = () => {
    const previousCount = shownCount;
    shownCount += ROWS_PER_STEP;
    render();
    list.querySelectorAll<HTMLElement>('button.pick')[previousCount]?.focus();
  };
  render();
  const hasMore =
    toolResult['next_cursor'] !== undefined ||
    toolResult['left'] !== undefined ||
    toolResult['next'] !== undefined;
  return html(
    'div',
    {},
    html('h1', {}, 'Pick one'),
    choices.length > 5 && search,
    statusLine,
    list,
    hasMore &&
      html(
        'p',
        { class: 'small soft' },
        'There are more than these: ask the assistant to go on, or to look for a name.',
      ),
  );
});

interface RowContext {
  readonly viewContext: ViewContext;
  readonly picked: string | undefined;
  pick(choice: Choice): Promise<void>;
}

function renderRow(choice: Choice, { viewContext, picked, pick }: RowContext): Node {
  const isPicked = choice.id === picked;
  const created = viewContext.formatter.dateTime(choice.created);
  return html(
    'li',
    {},
    html(
      'button',
      { type: 'button', class: 'pick', 'aria-pressed': String(isPicked), click: () => void pick(choice) },
      html('span', { class: 'name' }, toPlainLine(choice.name)),
      html(
        'span',
        { class: 'small soft' },
        toPlainLine([choice.details, created].filter((part) => part).join(' · ')),
      ),
    ),
  );
}

/** Gives the pick to the model as id and name; the name is a stranger's text, and stands quoted. */
async function sendPick({ id, name, kind }: Choice, { host }: ViewContext): Promise<string> {
  const label = kind === '' ? 'object' : kind;
  const text = `The person picked the ${label} ${JSON.stringify(toPlainLine(name))} with the id ${JSON.stringify(id)}.`;
  try {
    if (host.updateModelContext)
      await host.updateModelContext(text, {
        picked: { id, name: toPlainLine(name), ...(kind ? { kind } : {}) },
      });
    else if (host.sendMessage)
      await host.sendMessage(
        `I pick the ${label} ${JSON.stringify(toPlainLine(name))} (id ${JSON.stringify(id)}).`,
      );
    else return `This host passes nothing on: tell the assistant the id ${id}.`;
    return 'The assistant knows your pick. Go on in the chat.';
  } catch {
    return `The host did not pass it on: tell the assistant the id ${id}.`;
  }
}
