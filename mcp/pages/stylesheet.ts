/** Stylesheet of all pages: system fonts, light and dark. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8, #11151b);
  --card: light-dark(#ffffff, #1a2029);
  --sunk: light-dark(#f0f3f7, #141a22);
  --ink: light-dark(#19202c, #e8ecf2);
  --muted: light-dark(#566074, #a3aec0);
  --line: light-dark(#dbe1ea, #2f3947);
  --edge: light-dark(#7d889a, #76839a);
  --accent: light-dark(#1a5fd0, #1f6feb);
  --link: light-dark(#1a56bf, #8cb6ff);
  --good: light-dark(#11683d, #71d8a4);
  --bad: light-dark(#ac251b, #ff9d94);
  --warn: light-dark(#7d4e00, #f2c46f);
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header { max-width: 34rem; margin: 0 auto; padding: clamp(1rem, 5vh, 2.5rem) 1rem .75rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; }
.brand img { border-radius: 5px; }
main { max-width: 34rem; margin: 0 auto 3rem; width: calc(100% - 2rem); padding: clamp(1.25rem, 5vw, 2rem); background: var(--card);
  border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 2px light-dark(#19202c12, #0006), 0 6px 20px light-dark(#19202c0f, #0004); }
main.wide { max-width: 46rem; } header:has(+ .wide) { max-width: 46rem; }
main > :last-child { margin-bottom: 0; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .75rem; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
h1:focus { outline: none; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.muted { color: var(--muted); } .small { font-size: .875rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
code, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
pre { margin: 0 0 .75rem; padding: .6rem .75rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }

.facts { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); }
.facts > div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .25rem 1rem; padding: .6rem .9rem; }
.facts > div + div { border-top: 1px solid var(--line); }
dt { color: var(--muted); font-size: .9375rem; } dd { margin: 0; overflow-wrap: anywhere; } dd strong { font-weight: 650; }
.notice { padding: .65rem .9rem; border-radius: 10px; border: 1px solid currentcolor; font-size: .9375rem; margin-bottom: 1rem; }

label { font-weight: 600; }
input, button, .button { font: inherit; color: inherit; border-radius: 9px; }
input[type=text] { display: block; width: 100%; min-height: 2.9rem; margin: .3rem 0 .4rem; padding: .5rem .75rem; background: var(--card);
  border: 1px solid var(--edge); font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.secret { -webkit-text-security: disc; }
[aria-invalid=true] { border-color: var(--bad) !important; border-width: 2px; }
input[type=checkbox], input[type=radio] { width: 1.2rem; height: 1.2rem; margin: .15rem 0 0; flex: none; accent-color: var(--accent); }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0; }
legend { font-weight: 650; padding: 0; margin-bottom: .4rem; }
.choice { display: flex; gap: .75rem; align-items: flex-start; font-weight: 400; padding: .55rem .75rem; border: 1px solid var(--line); cursor: pointer; background: var(--card); }
.choice + .choice { border-top: 0; }
.choice:first-of-type { border-radius: 10px 10px 0 0; } .choice:last-of-type { border-radius: 0 0 10px 10px; } .choice:only-of-type { border-radius: 10px; }
.choice:hover { background: var(--sunk); }
.choice small { display: block; color: var(--muted); font-size: .875rem; line-height: 1.4; }
.choice > :last-child { min-width: 0; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1.25rem 0 0; align-items: center; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .4rem 1.1rem;
  border: 1px solid var(--edge); background: var(--card); font-weight: 600; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--link); }
.primary { background: var(--accent); border-color: var(--accent); color: #fff; } .primary:hover { filter: brightness(1.1); }
.actions + [role=status] { margin-top: .75rem; }
.small-button { min-height: 2.25rem; padding: .2rem .8rem; font-size: .9375rem; }
.foot { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.list { list-style: none; margin: 0 0 1rem; padding: 0; }
.list > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; padding: .75rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.list form { margin: 0; } .list > li > :first-child { flex: 1 1 14rem; min-width: 0; }
.act { padding: .75rem 1rem; border-left: 4px solid var(--accent); background: var(--sunk); border-radius: 0 10px 10px 0; font-size: 1.0625rem; }
.act > :last-child { margin-bottom: 0; }
[aria-disabled=true], :disabled { opacity: .55; cursor: not-allowed; }
.values { list-style: none; margin: 0 0 .75rem; padding: .25rem .9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); }
.values li { padding: .35rem 0; font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .875rem; overflow-wrap: anywhere; unicode-bidi: isolate; }
.values li + li { border-top: 1px solid var(--line); }
.drop { display: block; padding: 1.5rem 1rem; border: 2px dashed var(--edge); border-radius: 12px; text-align: center; cursor: pointer; }
.drop:hover, .drop:focus-within, .drop.over { border-color: var(--link); background: var(--sunk); }
.drop input { display: block; max-width: 100%; margin: .75rem auto 0; font-weight: 400; }
progress { width: 100%; height: .75rem; accent-color: var(--accent); }
summary { cursor: pointer; margin-bottom: .5rem; color: var(--link); }
[hidden] { display: none; }
@media (max-width: 30rem) {
  .facts > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .actions > * { width: 100%; }
}
@media (forced-colors: active) { .primary { border-width: 2px; } }
`;
