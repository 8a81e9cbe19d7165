import { WORKSPACE_OWNER } from '../../base/workspace-owner.ts';

/** The style of all pages: system fonts, light or dark by the reader's preference, no external files. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f6f9, #10141b);
  --card: light-dark(#ffffff, #19202b);
  --sunk: light-dark(#eef1f5, #131923);
  --ink: light-dark(#1a2130, #e8ecf3);
  --muted: light-dark(#545f73, #a5b0c2);
  --line: light-dark(#d8dee7, #2e3847);
  --edge: light-dark(#7b8798, #77849a);
  --link: light-dark(#1c56c4, #8ab6ff);
  --button: ${WORKSPACE_OWNER.colors.accent};
  --brand: ${WORKSPACE_OWNER.colors.ink};
  --warm: ${WORKSPACE_OWNER.colors.warm};
  --good: light-dark(#126b41, #6fdba5);
  --bad: light-dark(#b0261c, #ff9d94);
  --warn: light-dark(#855300, #f3c26b);
  --shadow: 0 1px 2px light-dark(#1a213014, #0006), 0 4px 16px light-dark(#1a21300f, #0004);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; text-wrap: balance; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; } h3 { font-size: 1rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.muted { color: var(--muted); } .small { font-size: .875rem; } .number { text-align: right; font-variant-numeric: tabular-nums; }
.hidden:not(:focus-within) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.eyebrow { color: var(--muted); font-size: .8125rem; font-weight: 600; letter-spacing: .05em; text-transform: uppercase; margin-bottom: .25rem; }
footer { color: var(--muted); font-size: .8125rem; text-align: center; padding: 1.5rem 1rem; }
blockquote { white-space: pre-line; margin: 0 0 1rem; padding: .25rem 0 .25rem .875rem; border-left: 3px solid var(--line); overflow-wrap: anywhere; }

input, select, textarea, button, .button { font: inherit; color: inherit; border-radius: 8px; min-height: 2.5rem; }
input, select, textarea { background: var(--card); border: 1px solid var(--edge); padding: .4rem .65rem; width: 100%; }
::placeholder { color: var(--muted); opacity: 1; }
input[type=checkbox] { min-height: 0; width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; flex: none; accent-color: var(--button); }
[aria-invalid=true] { border-color: var(--bad); }
label { font-weight: 600; font-size: .9375rem; } label > input, label > select, label > textarea { font-weight: 400; }
.check { display: flex; gap: .6rem; font-weight: 400; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: .4rem; padding: .35rem .9rem; border: 1px solid var(--edge); background: var(--card); font-weight: 600; font-size: .9375rem; text-decoration: none; cursor: pointer; white-space: nowrap; }
button:hover, .button[href]:hover { border-color: var(--link); color: var(--link); }
.primary, .primary:hover { background: var(--button); border-color: var(--button); color: #fff !important; }
.primary:hover { filter: brightness(1.08); }
.button[aria-disabled] { color: var(--muted); border-color: var(--line); background: none; cursor: default; }
.stack { display: flex; flex-direction: column; gap: .35rem; }
.stack > input, .stack > select { margin-bottom: .6rem; }
.stack > button { margin-top: .6rem; }
.problem { color: var(--bad); font-weight: 600; }
.terms { background: var(--sunk); border-radius: 8px; padding: .75rem 1rem; margin-bottom: .5rem; font-size: .9375rem; }
.terms p { margin: 0; }
.badge { display: inline-block; padding: .05rem .5rem; border-radius: 99px; border: 1px solid var(--line); background: var(--sunk); color: var(--muted); font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.badge.good, .badge.bad, .badge.warn { border-color: currentcolor; background: none; }

.card main { background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); max-width: 30rem; margin: clamp(1rem, 8vh, 5rem) auto 0; padding: clamp(1.25rem, 5vw, 2rem); width: calc(100% - 2rem); }
.card main > :last-child { margin-bottom: 0; }
.card main.wide { max-width: 44rem; } .card form { margin: 1rem 0; }

.bar { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .75rem; padding: .4rem clamp(.75rem, 3vw, 1.25rem); background: var(--card); border-bottom: 1px solid var(--line); min-height: 3.25rem; }
.bar h1 { font-size: 1.0625rem; margin: 0 auto 0 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar form { margin: 0; }
.brand { flex: none; background: var(--brand); color: #fff; border-radius: 6px; padding: .2rem .6rem; font-weight: 700; font-size: .9375rem; border-bottom: 3px solid var(--warm); }
body:is(.card, .reader, .sign) .bar { border-top: 4px solid var(--button); }
.sheet { position: relative; display: block; margin: 0 auto; background: #fff; color: #1a2130; border-radius: 3px; box-shadow: var(--shadow), 0 0 0 1px light-dark(#1a21301a, #fff1); }
.sheet > canvas { display: block; width: 100%; height: 100%; border-radius: 3px; }
.empty { padding: 3rem 1.25rem; text-align: center; } .sheet.empty { max-width: 34rem; background: var(--card); color: var(--ink); }
[hidden] { display: none !important; }

.pdf-link { position: absolute; z-index: 2; border-radius: 2px; } .pdf-link:hover { background: #0b6e7522; }
.sheet.media { max-width: 100%; background: var(--card); color: var(--ink); } .media :is(img, video) { display: block; max-width: 100%; height: auto; } .media pre { margin: 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; } .notice > * { display: block; margin-bottom: .75rem; }
#connection { position: fixed; left: 50%; bottom: 4.5rem; transform: translateX(-50%); z-index: 4; display: flex; align-items: center; gap: .75rem; padding: .5rem 1rem; border-radius: 10px; background: var(--card); border: 1px solid var(--warn); box-shadow: var(--shadow); } #connection:empty { display: none; }
[data-sending] button { opacity: .55; cursor: progress; }
#file { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.textLayer { position: absolute; inset: 0; overflow: clip; line-height: 1; text-align: initial; text-size-adjust: none; -webkit-text-size-adjust: none; forced-color-adjust: none; transform-origin: 0 0; color-scheme: only light; --scale-round-x: 1px; --scale-round-y: 1px; --min-font-size: 1; --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size)); --min-font-size-inv: calc(1 / var(--min-font-size)); }
.textLayer :is(span, br) { color: transparent; position: absolute; white-space: pre; cursor: text; transform-origin: 0% 0%; user-select: text; }
.textLayer > :not(.markedContent), .textLayer .markedContent span:not(.markedContent) { z-index: 1; --font-height: 0; font-size: calc(var(--text-scale-factor) * var(--font-height)); --scale-x: 1; --rotate: 0deg; transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv)); }
.textLayer .markedContent { display: contents; } .textLayer ::selection { background: #0b6e7555; }
.textLayer[data-main-rotation="90"] { transform: rotate(90deg) translateY(-100%); } .textLayer[data-main-rotation="180"] { transform: rotate(180deg) translate(-100%, -100%); } .textLayer[data-main-rotation="270"] { transform: rotate(270deg) translateX(-100%); }

body.reader { display: flex; flex-direction: column; height: 100vh; height: 100dvh; overflow: hidden; }
#reader { flex: 1; min-height: 0; display: grid; grid-template: minmax(0, 1fr) auto / auto minmax(0, 1fr); }
#contents { grid-area: 1 / 1; } #stage { grid-area: 1 / 2; overflow: auto; padding: .75rem; overscroll-behavior: contain; touch-action: pan-x pan-y pinch-zoom; display: grid; align-items: safe center; justify-items: safe center; } #stage > * { margin: 0; }
#stage:focus-visible { outline-offset: -3px; }
#contents { width: 11rem; overflow-y: auto; background: var(--card); border-right: 1px solid var(--line); padding: .5rem; }
.contents { margin-bottom: .75rem; font-size: .875rem; } .contents h2 { font-size: .9375rem; } .contents ul { list-style: none; margin: 0; padding: 0; } .contents li { padding: .3rem 0; overflow-wrap: anywhere; border-bottom: 1px solid var(--line); }
.pager { grid-column: 1 / -1; display: flex; align-items: center; justify-content: space-between; gap: .5rem; padding: .4rem clamp(.5rem, 3vw, 1.25rem); background: var(--card); border-top: 1px solid var(--line); }
.pager :is(button, .button) { min-width: 2.5rem; padding: .25rem .6rem; font-size: 1.125rem; line-height: 1; }
.turns { display: flex; align-items: center; gap: .4rem; } #zoom { width: auto; min-width: 0; padding: .3rem; }
.place { display: flex; align-items: center; gap: .4rem; font-weight: 400; white-space: nowrap; font-variant-numeric: tabular-nums; } .place input { width: 3.5rem; text-align: center; padding: .3rem; }
.download { text-align: center; margin: 1rem; font-size: .9375rem; }

.signing { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1rem; max-width: 72rem; margin: 0 auto; padding: 0 clamp(.5rem, 3vw, 1.5rem); align-items: start; }
.signing main { display: grid; gap: 1rem; padding: 1rem 0; min-width: 0; }
.signing aside { position: sticky; top: 4.5rem; margin: 1rem 0; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); }
.signing .download { margin: 1rem 0 0; }
.people { list-style: none; margin: 0 0 1.25rem; padding: 0; } .people li { display: flex; justify-content: space-between; align-items: start; gap: .75rem; padding: .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.signature { font-family: "Segoe Script", "Snell Roundhand", "Apple Chancery", "URW Chancery L", "Comic Neue", Georgia, "Times New Roman", serif; font-style: italic; font-size: 1.5rem; overflow-wrap: anywhere; }
.done { color: var(--good); } .done .signature { color: var(--ink); border-bottom: 1px solid var(--edge); } .done p { margin-bottom: .35rem; }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .8125rem; color: var(--muted); font-weight: 600; white-space: nowrap; } td:first-child { overflow-wrap: anywhere; min-width: 10rem; } #stored td { max-width: 22rem; overflow: hidden; text-overflow: ellipsis; } td code { white-space: nowrap; }
th.number, td.number { text-align: right; }
tfoot th { font-size: inherit; color: inherit; }
code, pre, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .875em; }

.console .bar { flex-wrap: wrap; } .jumps { display: none; flex-wrap: wrap; gap: .25rem .9rem; font-size: .875rem; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: .5rem; z-index: 3; background: var(--card); padding: .5rem; }
.live { display: inline-flex; align-items: center; gap: .4rem; font-size: .875rem; color: var(--muted); } .live::before { content: ""; width: .6rem; height: .6rem; border-radius: 50%; background: var(--warn); } .live.on::before { background: var(--good); }
.desk { display: grid; grid-template-columns: minmax(0, 1fr) 23rem; gap: 1rem; max-width: 92rem; margin: 1rem auto; padding: 0 clamp(.5rem, 2vw, 1.5rem); align-items: start; }
.desk > * { display: grid; gap: 1rem; min-width: 0; } .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; } .pair > * { min-width: 0; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); padding: 1rem 1.125rem; min-width: 0; }
.panel > h2 { display: flex; justify-content: space-between; align-items: center; gap: .5rem; margin-bottom: .6rem; } .panel > :last-child { margin-bottom: 0; }
.panel button, .panel .button, .panel input, .panel select, .panel textarea { min-height: 2.1rem; font-size: .875rem; } .panel label { font-size: .8125rem; }
.copy { display: flex; gap: .5rem; align-items: center; margin-bottom: .5rem; } .copy code { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; background: var(--sunk); border-radius: 6px; padding: .35rem .5rem; }
.steps { margin: 0; padding-left: 1.25rem; } .steps li { padding: .15rem 0; } .steps .copy { margin: .25rem 0; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; } .row > label { flex: 1 1 6rem; } .row { margin-bottom: .6rem; } .row > .muted { margin-right: auto; align-self: center; } .key { border-top: 1px solid var(--line); padding-top: .6rem; } .panel summary { padding: .2rem 0; font-size: .9375rem; } .panel time { font-variant-numeric: tabular-nums; } #clock-now { margin-bottom: .5rem; } .row > .wide { flex-basis: 100%; } .row input, .row select, .row textarea { display: block; margin-top: .15rem; }
.stream { list-style: none; margin: 0; padding: 0; height: 19rem; overflow-y: auto; overflow-x: hidden; font-size: .875rem; } .stream > li { border-bottom: 1px solid var(--line); }
.stream summary { display: grid; grid-template-columns: 4.25rem 3.4rem minmax(0, 1fr) auto; gap: .5rem; align-items: baseline; padding: .35rem .25rem; } .stream summary > :nth-child(3) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#deliveries summary { grid-template-columns: 4.25rem minmax(0, 1fr) auto; } #deliveries summary > :nth-child(2) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.stream .inside { padding: .25rem .25rem .75rem; } .stream:empty::after, .stream:not(:has(li))::after { content: attr(data-empty); color: var(--muted); display: block; padding: .5rem 0; }
.stream pre { margin: .25rem 0; padding: .5rem; background: var(--sunk); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 16rem; overflow-y: auto; }
summary { cursor: pointer; } .stream summary { list-style: none; } .stream summary::-webkit-details-marker { display: none; } .stream summary:hover { background: var(--sunk); }
#stored > details { border-top: 1px solid var(--line); } #stored > details > summary { display: flex; justify-content: space-between; align-items: center; padding: .55rem .1rem; font-weight: 600; } #stored > details > summary::before { content: "▸"; width: 1.1rem; color: var(--muted); } #stored > details[open] > summary::before { content: "▾"; } #stored summary > span:first-child { margin-right: auto; }
#stored .scroll { padding-bottom: .75rem; } #stored table { font-size: .875rem; } #stored td .button { min-height: 1.75rem; padding: .1rem .6rem; margin: 0 .3rem .2rem 0; }
.switches { display: grid; gap: .5rem; margin: .6rem 0; max-height: 24rem; overflow-y: auto; padding: .15rem; } .switches small { display: block; font-weight: 400; color: var(--muted); line-height: 1.3; }
fieldset { border: 0; padding: 0; margin: 0 0 .5rem; min-width: 0; } .fields { display: grid; grid-template-columns: 1fr 1fr; } .fields > button { justify-self: start; } .fields > .wide { grid-column: 1 / -1; } fieldset { columns: 2; column-gap: .75rem; } fieldset .check { font-size: .8125rem; padding: .15rem 0; break-inside: avoid; overflow-wrap: anywhere; } .panel input[type=checkbox] { min-height: 0; } td time { white-space: nowrap; }
.plain { list-style: none; padding: 0; margin: 0 0 .5rem; } .plain li { border-bottom: 1px solid var(--line); padding: .4rem 0; font-size: .875rem; overflow-wrap: anywhere; }
#notice { position: fixed; left: 50%; bottom: 1rem; transform: translateX(-50%); z-index: 4; max-width: min(36rem, calc(100vw - 2rem)); padding: .6rem 1rem; border-radius: 10px; background: var(--ink); color: var(--page); box-shadow: var(--shadow); overflow-wrap: anywhere; } #notice:empty { display: none; } #notice.wrong { background: #b0261c; color: #fff; }

@media (max-width: 60rem) {
  .desk, .signing { grid-template-columns: minmax(0, 1fr); } .signing aside { position: static; order: 0; margin-top: 0; }
}
@media (max-width: 60rem) { #contents:not([hidden]) { position: absolute; z-index: 3; inset: 3.25rem auto 3.25rem 0; width: min(14rem, 80vw); box-shadow: var(--shadow); } }
@media (max-width: 44rem) {
  .card table { font-size: .8125rem; } .card th { white-space: normal; font-size: .75rem; } .card :is(th, td) { padding-right: .35rem; } .card td:first-child { min-width: 5rem; }
  .word { display: none; } .brand { font-size: .8125rem; padding-inline: .4rem; } .bar { gap: .5rem; } #stage { padding: .35rem; } .pager { padding: .3rem .4rem; gap: .25rem; }
  .pair { grid-template-columns: minmax(0, 1fr); } .stream { height: 15rem; } .console .bar { position: static; } .jumps { display: flex; order: 9; flex-basis: 100%; padding-bottom: .25rem; } .jumps a { padding: .25rem 0; }
  .panel button, .panel .button, .panel input, .panel select, .panel textarea { min-height: 2.5rem; font-size: 1rem; } #stored td .button { min-height: 2.25rem; }
}
@media (max-height: 30rem) { body.reader .bar { min-height: 0; padding-block: .1rem; } body.reader :is(.bar, .pager) :is(button, .button, input, select) { min-height: 2rem; } body.reader .pager { padding-block: .1rem; } }
@media (prefers-reduced-motion: no-preference) { .stream > li.new { animation: arrive 1.2s ease-out; } @keyframes arrive { from { background: color-mix(in srgb, var(--button) 22%, transparent); } } }
`;
