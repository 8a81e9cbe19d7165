/** The page's own style, light and dark by the reader's setting. */
export const STYLESHEET = `
:root{color-scheme:light dark;--paper:#fbfaf7;--card:#fff;--ink:#20242b;--soft:#5d6470;--line:#e2dfd8;--good:#1f7a4d;--other:#a45a00;--none:#6b7280;--code:#f1efe9}
@media (prefers-color-scheme:dark){:root{--paper:#15171b;--card:#1d2026;--ink:#e8e6e1;--soft:#a3a8b2;--line:#30343c;--good:#5fce96;--other:#f0b060;--none:#8b92a0;--code:#282c34}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main{max-width:60rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:3rem}
main{padding-bottom:4rem}
.over{margin:0;color:var(--soft);font-size:.85rem;letter-spacing:.08em;text-transform:uppercase}
h1{margin:.2rem 0 .6rem;font-size:clamp(1.6rem,5vw,2.3rem);line-height:1.15}
h2{margin:2.4rem 0 .8rem;font-size:1.2rem}
h3{margin:0;font-size:1rem;font-weight:600}
.lead{color:var(--soft);overflow-wrap:anywhere}
.sum{display:flex;height:.6rem;border-radius:.3rem;overflow:hidden;background:var(--line)}
.sum .confirmed{background:var(--good)}.sum .other{background:var(--other)}.sum .unseen{background:var(--none);opacity:.45}
.counts{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;margin:.8rem 0 0;padding:0;list-style:none}
.counts b{font-size:1.3rem}
b.confirmed{color:var(--good)}b.other{color:var(--other)}b.unseen{color:var(--none)}
.note{color:var(--soft);font-size:.9rem}
.ended{padding:.7rem 1rem;border-left:.25rem solid var(--other);background:var(--card)}
article{margin:0 0 .7rem;padding:.9rem 1.1rem;background:var(--card);border:1px solid var(--line);border-left:.3rem solid var(--none);border-radius:.5rem}
article.confirmed{border-left-color:var(--good)}article.other{border-left-color:var(--other)}
.mark{display:inline-block;min-width:5.6rem;margin-right:.4rem;font-size:.78rem;font-weight:700;letter-spacing:.03em;text-transform:uppercase;color:var(--none)}
article.confirmed .mark{color:var(--good)}article.other .mark{color:var(--other)}
.seen{margin:.4rem 0 .3rem;overflow-wrap:anywhere}
code{padding:.08em .32em;background:var(--code);border-radius:.25rem;font:.9em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
details summary{color:var(--soft);font-size:.9rem;cursor:pointer}
details p{margin:.4rem 0 0;color:var(--soft);font-size:.9rem}
section>details{border-bottom:1px solid var(--line);padding:.45rem 0}
section>details>summary{color:var(--ink)}
.n{display:inline-block;min-width:1.8rem;color:var(--soft);font-variant-numeric:tabular-nums}
pre{margin:.6rem 0;padding:.9rem 1rem;background:var(--code);border-radius:.4rem;overflow-x:auto;font:.82rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
a{color:inherit}
dt{margin-top:.6rem}dd{margin:0 0 0 1rem;color:var(--soft)}
:target{outline:2px solid var(--good);outline-offset:.3rem;border-radius:.3rem}
@media print{details{display:none}}
`;
