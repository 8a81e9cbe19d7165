export const style = `
.board{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px}
.board h2{margin-top:8px}.card{background:var(--raised);border-radius:8px;padding:8px 10px;margin:0 0 8px}.card p{margin:2px 0}.card .name{font-weight:600}
textarea{width:100%;font:inherit;padding:6px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--ink);margin:6px 0}
.empty{padding:24px 0;text-align:center}
`;
