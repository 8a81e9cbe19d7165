import type { Turn } from './chat-session.ts';

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char);

const STYLE = `
* { box-sizing: border-box; margin: 0 }
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #111827; background: #eef1f6; padding: 24px; width: 880px }
main { background: #fff; border-radius: 16px; padding: 24px 28px; display: grid; gap: 12px; box-shadow: 0 2px 10px #11182718 }
.person { justify-self: end; max-width: 75%; background: #1f4fd8; color: #fff; border-radius: 16px 16px 4px 16px; padding: 9px 15px }
.assistant { max-width: 85% }
.tool { justify-self: start; font-size: 13px; color: #4b5563; background: #f6f7f9; border: 1px solid #dfe3ea; border-radius: 9px; padding: 5px 11px }
.tool b { color: #1f4fd8; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-weight: 600 }
.tool i { font-style: normal; color: #111827 }
.preview { border: 2px solid #ffb020; border-radius: 12px; padding: 13px 17px; background: #fffaf0; display: grid; gap: 11px }
.preview strong { display: block }
.buttons { display: flex; gap: 9px }
.buttons span { border-radius: 9px; padding: 5px 17px; border: 1px solid #c4c9d2; background: #fff; font-size: 14px }
.buttons span:first-child { background: #1f4fd8; border-color: #1f4fd8; color: #fff }
`;

/** The conversation as a host would show it. */
export function renderChatPage(turns: readonly Turn[]): string {
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><main>${turns.map(renderTurn).join('')}</main>`;
}

function renderTurn(turn: Turn): string {
  if (turn.role === 'tool')
    return `<div class="tool"><b>${escapeHtml(turn.name)}</b> ${escapeHtml(JSON.stringify(turn.args))} → <i>${escapeHtml(turn.outcome)}</i></div>`;
  if (turn.role === 'preview')
    return `<div class="preview"><div><strong>Approve this action?</strong>${escapeHtml(turn.text)}</div><div class="buttons"><span>Approve</span><span>Decline</span></div></div>`;
  return `<div class="${turn.role}">${escapeHtml(turn.text)}</div>`;
}
