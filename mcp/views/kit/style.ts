/** Style of all views, light and dark. */
export const style = `
:root{color-scheme:light;--bg:#fff;--raised:#f4f5f7;--ink:#1b1f27;--soft:#565e6c;--line:#d5d9e0;--act:#0b57b7;--act-ink:#fff;--warn:#8a4b00;--bad:#a4161a;
--h1:#cfe1f5;--h2:#9cc3e8;--h3:#5f9fd6;--h4:#2b76b9;--h5:#0d4a86;--h6:#062a52}
:root[data-theme=dark]{color-scheme:dark;--bg:#15181e;--raised:#20242c;--ink:#eceff4;--soft:#a9b2c0;--line:#3a414d;--act:#8ab8ff;--act-ink:#0a1526;--warn:#f2b866;--bad:#ff9a94;
--h1:#12304f;--h2:#1b4c7e;--h3:#2a6fb0;--h4:#4f97d8;--h5:#8bc0ef;--h6:#d3e9ff}
*{box-sizing:border-box}
main{min-height:120px}
body{margin:0;padding:14px;background:var(--bg);color:var(--ink);font:14px/1.45 var(--font-sans,system-ui,sans-serif);overflow-wrap:anywhere}
h1{font-size:16px;margin:0 0 2px}h2{font-size:14px;margin:16px 0 6px}p{margin:4px 0}
.soft{color:var(--soft)}.small{font-size:12px}.warn{color:var(--warn)}.bad{color:var(--bad)}
button,input{font:inherit;color:var(--ink)}
button{border:1px solid var(--line);background:var(--raised);border-radius:8px;padding:6px 12px;min-height:34px;cursor:pointer}
button:disabled{opacity:.6;cursor:default}
button.main{background:var(--act);border-color:var(--act);color:var(--act-ink);font-weight:600}
button[aria-pressed=true]{border-color:var(--act);box-shadow:inset 0 0 0 1px var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}.spread{justify-content:space-between}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:4px 8px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
input{width:100%;padding:7px 10px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--ink)}
ul.plain{list-style:none;margin:0;padding:0}
`;
