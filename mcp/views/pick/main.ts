/** View of `find`, `list_documents` and `list_contacts`: reports the selected item to the assistant. */
import type { JsonObject } from '../../../src/records/fields.ts';
import { button, html } from '../kit/element.ts';
import { toPlainLine } from '../kit/formatter.ts';
import { startView, type ViewContext } from '../kit/start-view.ts';
import { type Choice, filterChoices, parseChoices } from './choices.ts';

const ROWS_PER_STEP = 30;

startView('pick', (toolResult: JsonObject, viewContext: ViewContext) => {
  const choices = parseChoices(toolResult);
  const list = html('ul.plain.picks');
  const statusLine = html('p', { class: 'small', role: 'status' });
  const search = html('input', {
    type: 'search',
    'aria-label': 'Search this list',
    placeholder: 'Search this list',
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
        html('li', button(`Show more (${viewContext.formatter.count(matches.length - shownCount)})`, showMore)),
      );
    if (matches.length === 0) list.append(html('li.soft.empty', choices.length === 0 ? 'Nothing found' : 'No matches'));
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
    toolResult['remaining'] !== undefined ||
    toolResult['next'] !== undefined;
  return html(
    'div',
    html('h1', 'Select an item'),
    choices.length > 5 && search,
    statusLine,
    list,
    hasMore && html('p.small.soft', 'There are more items. Ask the assistant to continue, or to search for a name.'),
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
    html(
      'button',
      { type: 'button', class: 'pick', 'aria-pressed': String(isPicked), click: () => void pick(choice) },
      html('span.name', toPlainLine(choice.name)),
      html('span.small.soft', toPlainLine([choice.details, created].filter((part) => part).join(' · '))),
    ),
  );
}

/** Reports the selection to the model. The name is untrusted text, so it is quoted. */
async function sendPick({ id, name, kind }: Choice, { host }: ViewContext): Promise<string> {
  const label = kind === '' ? 'object' : kind;
  const text = `The user selected the ${label} ${JSON.stringify(toPlainLine(name))} with the ID ${JSON.stringify(id)}.`;
  try {
    if (host.updateModelContext)
      await host.updateModelContext(text, { picked: { id, name: toPlainLine(name), ...(kind ? { kind } : {}) } });
    else if (host.sendMessage)
      await host.sendMessage(`I select the ${label} ${JSON.stringify(toPlainLine(name))} (ID ${JSON.stringify(id)}).`);
    else return `This host can't report selections. Tell the assistant the ID ${id}.`;
    return 'Selected. Continue in the chat.';
  } catch {
    return `The selection could not be sent. Tell the assistant the ID ${id}.`;
  }
}
