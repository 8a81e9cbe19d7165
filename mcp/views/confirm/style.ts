export const style = `
.ask h1{font-size:18px}.summary{font-size:17px;line-height:1.4;white-space:pre-wrap}
pre{font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--raised);border-radius:8px;padding:8px 10px;max-height:320px;overflow:auto}
.answers{margin:14px 0 6px}.answers button{min-width:110px;min-height:42px;font-size:15px}.done{font-weight:600}
`;
